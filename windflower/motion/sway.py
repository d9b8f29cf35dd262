"""A plant in a wind for some seconds: how chosen nodes of it move, as a record."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, isfinite

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.budgets import within
from windflower.errors import MotionError
from windflower.mechanics import Modes, analyse
from windflower.motion.modal.admittance import RECORDED, admittance_in
from windflower.motion.modal.modal_motion import ModalMotion
from windflower.motion.modal.modal_state import ModalState
from windflower.motion.places import Places
from windflower.motion.sway_places import top_of
from windflower.motion.sway_record import Sway
from windflower.motion.touch import Grips
from windflower.plant.graph import Plant
from windflower.wind.field import Wind
from windflower.wind.gusty import resolved
from windflower.wind.presets import wind_from

__all__ = ["Sway", "sway"]

TOGETHER = 64  # times that are posed at once
THICK = 0.04  # m, of wood whose strain is told


@dataclass(frozen=True, eq=False)
class _Seen:
    """Some moments of a sway, as the fields of `Sway` of the same names."""

    path: FloatArray
    chord: FloatArray
    fibre: FloatArray
    strain: FloatArray
    peak_strain: FloatArray
    moment: FloatArray


def sway(
    subject: Plant | Modes,
    wind: Wind | str | float,
    *,
    seconds: float = 10.0,
    dt: float = 1 / 60,
    before: float = 5.0,
    node: int | None = None,
    nodes: Sequence[int] | None = None,
    thicker: float = THICK,
    pose: str = "rotated",
) -> Sway:
    """Let a plant sway in a wind and watch one or some of its nodes.

    Turbulence gets as many waves as a long record can tell apart: it differs then from a shorter one of the same seed.

    subject   a plant, which is analysed with the defaults, or its modes
    wind      any wind, or what `wind_from` makes one of: 9 (m/s), "b5" (Beaufort), "gale", "mast.csv"
    seconds   how long to watch, s
    dt        step, s
    before    how long the wind blows before, starting from the lean in the wind of that time, s
    node      which node; by default the highest
    nodes     which nodes, in place of one; `windflower.motion.nodes_at` finds them by height
    thicker   the largest strain is that of wood at least so thick, m; of all wood if the plant has none
    pose      as in `ModalMotion`
    """
    modes = subject if isinstance(subject, Modes) else analyse(subject)
    watched = np.array([top_of(modes.plant) if node is None else node] if nodes is None else list(nodes), np.int64)
    _check(modes.plant, seconds, dt, before, watched, thicker)
    asked = wind_from(wind)
    _check_wind(asked, seconds)
    wind = resolved(asked, seconds + before, float(modes.frequency[0]))
    lead = ceil(before / dt)
    time = np.arange(-lead, round(seconds / dt) + 1) * np.float64(dt)
    air = wind.velocity(Places().to_world(modes.cell_centre), time[:, None])  # (times, cells, 3)
    speed = float(np.linalg.norm(air.mean(axis=(0, 1))))
    admittance = admittance_in(modes, wind, narrow=RECORDED)
    motion = ModalMotion(modes, speed=speed, pose=pose, admittance=admittance)
    states = [motion.settled(Places(), air[:1])]
    for now in air[1:]:
        states.append(motion.step(states[-1], now[None], dt))
    limit, thick = _thick(modes.plant, thicker)
    parts = [_seen(motion, states[i : i + TOGETHER], watched, thick) for i in range(lead, len(states), TOGETHER)]
    return Sway(
        modes=modes,
        nodes=watched,
        time=time[lead:],
        paths=np.concatenate([part.path for part in parts], axis=1),
        chords=np.concatenate([part.chord for part in parts], axis=1),
        asked=float(np.linalg.norm(asked.mean)),
        air=air[lead:].mean(axis=1),
        strains=np.concatenate([part.fibre for part in parts], axis=1),
        strain=np.concatenate([part.strain for part in parts]),
        peak_strain=np.max([part.peak_strain for part in parts], axis=0),
        thicker=limit,
        moment=np.concatenate([part.moment for part in parts]),
    )


def _check(plant: Plant, seconds: float, dt: float, before: float, nodes: IntArray, thicker: float) -> None:
    if not (isfinite(seconds) and isfinite(dt) and isfinite(before) and 0 < dt < seconds / 2 and before >= 0):
        raise MotionError(
            f"a sway is watched for more than two steps; it has {seconds:g} s, steps of {dt:g} s and {before:g} s "
            "before. Give seconds=10, dt=1/60 and before=5."
        )
    within("steps", (seconds + before) / dt, "Watch it for less time, or with longer steps", error=MotionError)
    for node in nodes.tolist() or [-1]:
        if not 0 <= node < plant.nodes:
            raise MotionError(f"the plant has {plant.nodes} nodes; node {node} is not among them.")
    if not (isfinite(thicker) and thicker >= 0):
        raise MotionError(f"a thickness is 0 or more; it is {thicker:g} m. 0.04 leaves out twigs.")


def _check_wind(wind: Wind, seconds: float) -> None:
    if seconds > wind.lasts + 1e-6:
        raise MotionError(
            f"a plant sways no longer than its recorded wind, which lasts {wind.lasts:.6g} s; asked for "
            f"{seconds:.6g} s. Ask for less (--seconds), or have it repeat (--repeat, in Python repeat=True)."
        )


def _thick(plant: Plant, limit: float) -> tuple[float, IntArray]:
    """The limit, and the segments that are at least so thick at their base; 0 and all of them if none is."""
    segments = plant.segments
    thick = segments[2 * plant.base_radius[segments] >= limit]
    return (limit, thick) if len(thick) else (0.0, segments)


def _seen(motion: ModalMotion, states: list[ModalState], nodes: IntArray, thick: IntArray) -> _Seen:
    """What there is to see of the nodes, the thick wood and the first root; many times posed as many instances."""
    names = ("q", "rate", "lean", "lean_rate", "slow", "band", "push", "excess")
    arrays = {name: np.concatenate([getattr(state, name) for state in states]) for name in names}
    joined = ModalState(places=Places(np.zeros((len(states), 3))), grips=Grips(), **arrays)
    plant, strain, points = motion.plant, motion.strain(joined), motion.pose(joined)
    parent = np.maximum(plant.parent[nodes], 0)
    chord = points[:, nodes] - points[:, parent]
    return _Seen(
        path=np.swapaxes(points[:, nodes] - plant.position[nodes], 0, 1),
        chord=np.swapaxes(chord, 0, 1),
        fibre=strain.fibre[:, nodes].T,
        strain=strain.fibre[:, thick].max(axis=1),
        peak_strain=strain.fibre.max(axis=0),
        moment=strain.root_moment[:, 0],
    )
