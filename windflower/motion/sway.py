"""A plant in a wind for some seconds: how one of its nodes moves, as a record."""

from dataclasses import dataclass
from math import ceil, isfinite

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.budgets import within
from windflower.errors import MotionError
from windflower.mechanics import Modes, analyse
from windflower.motion.modal.admittance import admittance_in
from windflower.motion.modal.modal_motion import ModalMotion
from windflower.motion.modal.modal_state import ModalState
from windflower.motion.places import Places
from windflower.motion.touch import Grips
from windflower.plant.graph import Plant
from windflower.wind.field import Wind

__all__ = ["Sway", "sway"]

TOGETHER = 64  # times that are posed at once
SHORTEST = 8  # times in a piece of a spectrum
CALM = 1e-9  # m/s
PERIODS = 20  # of the first mode, in each piece of a spectrum


@dataclass(frozen=True, eq=False, kw_only=True)
class Sway:
    """The recorded motion of a node.

    modes      of the plant that moved
    node       which node
    time       (times,)     s
    path       (times, 3)   its displacement from rest, m
    air        (times, 3)   the wind, mean over the crown, m/s
    strain     (times,)     the largest strain anywhere in the wood
    moment     (times, 3)   moment that the first root takes, N·m
    """

    modes: Modes
    node: int
    time: FloatArray
    path: FloatArray
    air: FloatArray
    strain: FloatArray
    moment: FloatArray

    @property
    def speed(self) -> float:
        """Speed of the mean wind over the crown, m/s."""
        return float(np.linalg.norm(self.air.mean(axis=0)))

    @property
    def direction(self) -> FloatArray:
        """(3,) unit vector along the horizontal mean wind; along x if there is none."""
        mean = self.air.mean(axis=0) * (1, 0, 1)
        return mean / np.linalg.norm(mean) if np.linalg.norm(mean) > CALM else np.array([1.0, 0.0, 0.0])

    @property
    def along(self) -> FloatArray:
        """(times,) displacement along the wind, m."""
        return self.path @ self.direction

    @property
    def across(self) -> FloatArray:
        """(times,) horizontal displacement across the wind, m."""
        return self.path @ np.cross(self.direction, (0.0, 1.0, 0.0))

    def spectrum(self) -> tuple[FloatArray, FloatArray]:
        """Frequencies (n,) in Hz, and one-sided power densities along and across the wind, (2, n) in m²/Hz.

        The mean over pieces of the record (Welch's method) that are long enough to tell the first mode apart.
        """
        from scipy.signal import welch  # slow to import, and seldom needed

        step = float(self.time[1] - self.time[0])
        piece = min(len(self.time), max(SHORTEST, ceil(PERIODS / self.modes.frequency[0] / step)))
        frequency, density = welch(np.stack([self.along, self.across]), 1 / step, nperseg=piece, axis=-1)
        return frequency[1:], density[:, 1:]


def sway(
    subject: Plant | Modes,
    wind: Wind,
    *,
    seconds: float = 10.0,
    dt: float = 1 / 60,
    before: float = 5.0,
    node: int | None = None,
    pose: str = "rotated",
) -> Sway:
    """Let a plant sway in a wind and watch one of its nodes.

    seconds   how long to watch
    dt        step, s
    before    how long the wind blows before, starting from the lean in the wind of that time, s
    node      which node; by default the highest
    pose      as in `ModalMotion`
    """
    modes = subject if isinstance(subject, Modes) else analyse(subject)
    node = int(np.argmax(modes.plant.position[:, 1])) if node is None else node
    _check(modes.plant, seconds, dt, before, node)
    lead = ceil(before / dt)
    time = np.arange(-lead, round(seconds / dt) + 1) * np.float64(dt)
    air = wind.velocity(Places().to_world(modes.cell_centre), time[:, None])  # (times, cells, 3)
    speed = float(np.linalg.norm(air.mean(axis=(0, 1))))
    motion = ModalMotion(modes, speed=speed, pose=pose, admittance=admittance_in(modes, wind))
    states = [motion.settled(Places(), air[:1])]
    for now in air[1:]:
        states.append(motion.step(states[-1], now[None], dt))
    parts = [_seen(motion, states[i : i + TOGETHER], node) for i in range(lead, len(states), TOGETHER)]
    path, strain, moment = (np.concatenate(part) for part in zip(*parts, strict=True))
    return Sway(
        modes=modes, node=node, time=time[lead:], path=path, air=air[lead:].mean(axis=1), strain=strain, moment=moment
    )


def _check(plant: Plant, seconds: float, dt: float, before: float, node: int) -> None:
    if not (isfinite(seconds) and isfinite(dt) and isfinite(before) and 0 < dt < seconds / 2 and before >= 0):
        raise MotionError(
            f"a sway is watched for more than two steps; it has {seconds:g} s, steps of {dt:g} s and {before:g} s "
            "before. Give seconds=10, dt=1/60 and before=5."
        )
    within("steps", (seconds + before) / dt, "Watch it for less time, or with longer steps", error=MotionError)
    if not 0 <= node < plant.nodes:
        raise MotionError(f"the plant has {plant.nodes} nodes; node {node} is not among them.")


def _seen(motion: ModalMotion, states: list[ModalState], node: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The node's displacement, the largest strain and the first root's moment; many times posed as many instances."""
    names = ("q", "rate", "lean", "lean_rate", "slow", "band", "push", "excess")
    arrays = {name: np.concatenate([getattr(state, name) for state in states]) for name in names}
    joined = ModalState(places=Places(np.zeros((len(states), 3))), grips=Grips(), **arrays)
    strain = motion.strain(joined)
    path = motion.pose(joined)[:, node] - motion.plant.position[node]
    return path, strain.fibre.max(axis=1), strain.root_moment[:, 0]
