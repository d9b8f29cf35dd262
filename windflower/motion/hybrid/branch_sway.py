"""How each branch answers the wind in its own time: an oscillator for each axis, between the wind and eq. 1–2.

The paper's angles follow the wind at once, so all branches of a tree move as one (Di Giacomo, Capo & Faure 2001,
§4.1). Here each axis feels the dynamic wind p = |v| v of its own place, with eddies of its own, through its own
frequency:

    ẍ + 2 ζ ω ẋ + ω² x = ω² p (1 + b)          θ̃ = T²/m · τ(x) · axis

In a steady wind without eddies x = p, as printed. ω is Rayleigh's quotient of the springs and inertias that hands feel,
with the axis bent evenly, so it is the frequency with which the axis swings when a hand lets go of it. The eddies b are
two waves a branch: smaller than the crown, slower than 2.5 Hz, and nothing in calm air.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.randomness import between, key
from windflower.mechanics.sums import summed_by
from windflower.motion.contract import one_of
from windflower.motion.hybrid.articulated import Articulated
from windflower.motion.hybrid.force_response import ForceResponse
from windflower.motion.oscillator import advance_into, exact_step
from windflower.motion.places import Places
from windflower.plant.graph import Plant

__all__ = ["TIMINGS", "BranchSway", "Turning", "by_component"]

TIMINGS = ("own", "printed")
AIR = 0.1  # damping ratio of leaves in the air; an estimate
EDDIES = ((0.6, 1.0), (0.4, 1.7))  # of each branch: share and frequency over the first one's
SLOWEST, FASTEST = 0.25, 2.5  # Hz, of eddies
TOGETHER = 16_384  # slots that take a step at a time: what that needs stays in a processor's cache
ANEW = 120  # steps after which waves are found anew
CLOCK = 1e-12  # s by which steps of a clock that adds up may differ
WAVE = ("omega", "phase", "size")
FORGOTTEN = 5.0  # over the slowest decay time: so long ago no wind is remembered


class BranchSway:
    """Felt wind of all branches of a plant.

    damping ν over k of the wood, s
    timing  "own", or "printed": at once
    eddies  how strong those of each branch are, over the wind
    slot    (nodes,)   which felt wind turns each segment; `slots` of them: axes, or probes where all is as printed
    probe   (slots,)   which probe each feels
    omega   (slots,)   rad/s; gamma (slots,) 2ζω, 1/s
    """

    def __init__(
        self,
        plant: Plant,
        response: ForceResponse,
        bodies: Articulated,
        damping: float,
        *,
        timing: str,
        eddies: float,
    ) -> None:
        self.swings = one_of("a timing", timing, TIMINGS) == "own"
        self.eddies = eddies
        if not self.swings:
            self.slot, self.slots = response.probe, len(response.place)
            self.probe = np.arange(self.slots)
            return
        self.slot, self.slots = plant.axis, int(plant.axis.max()) + 1
        base = np.searchsorted(np.sort(plant.axis), np.arange(self.slots))
        first = np.argsort(plant.axis, kind="stable")[base]
        self.probe = response.probe[_middle(plant, first)]
        self.omega = _frequencies(plant, bodies)
        self.gamma = (2 * AIR + damping * self.omega) * self.omega
        self._turning = Turning(*_waves(plant, first, self.omega, eddies))
        self._steps = lru_cache(maxsize=4)(self._new_step)

    @classmethod
    def joined(cls, sways: "Sequence[BranchSway]", probes: Sequence[int]) -> "BranchSway":
        """Several plants as one, all of which swing: their slots and so many probes of each, numbered through."""
        both = zip(np.cumsum([0, *probes]), sways, strict=False)
        one = cls.__new__(cls)
        one.swings, one.slots = True, sum(sway.slots for sway in sways)
        one.eddies = max(sway.eddies for sway in sways)
        one.probe = np.concatenate([first + sway.probe for first, sway in both])
        one.omega, one.gamma = (np.concatenate([getattr(sway, name) for sway in sways]) for name in ("omega", "gamma"))
        each = [sway._turning for sway in sways]
        one._turning = Turning(*(np.concatenate([getattr(wave, name) for wave in each], axis=1) for name in WAVE))
        one._steps = lru_cache(maxsize=4)(one._new_step)
        return one

    @property
    def memory(self) -> float:
        """Seconds after which the wind of then is forgotten."""
        if not self.swings:
            return 0.0
        return FORGOTTEN / float(np.minimum(self.gamma / 2, self.omega**2 / self.gamma).min())

    def pull(self, push: FloatArray, time: float) -> FloatArray:
        """(count, slots, 3) the dynamic wind that pulls at each, from that at the probes (count, probes, 3)."""
        felt = by_component(push).take(self.probe, axis=2)
        if self.swings and self.eddies:
            felt *= self._gusted(time)
        return np.swapaxes(felt, 1, 2)

    def after(
        self, felt: FloatArray, rate: FloatArray, before: FloatArray, now: FloatArray, dt: float, places: Places
    ) -> tuple[FloatArray, FloatArray]:
        """Felt wind and its rate after a step in which what pulls goes from `before` to `now`, (count, slots, 3)."""
        if not self.swings or dt == 0:
            return (now, rate) if not self.swings else (felt, rate)
        step = self._steps(dt, places)
        both = [np.swapaxes(np.empty((len(felt), 3, self.slots)), 1, 2) for _ in range(2)]
        for first in range(0, self.slots, TOGETHER):
            some = np.s_[:, first : first + TOGETHER]
            out = both[0][some], both[1][some]
            advance_into(out, step[some], felt[some], rate[some], before[some], now[some])
        return both[0], both[1]

    def _new_step(self, dt: float, places: Places) -> FloatArray:
        """(count, slots, 1, 2, 4); an instance twice as large is half as fast, one four times as stiff twice."""
        faster = (np.sqrt(places.stiffness) / places.scale)[:, None]
        omega, gamma = faster * self.omega, faster * self.gamma
        step = exact_step(omega, gamma, dt)
        step[..., 2:] *= (omega * omega)[..., None, None]
        return step[:, :, None]

    def _gusted(self, time: float) -> FloatArray:
        """(slots,) factors on the dynamic wind by the eddies of each branch, about 1."""
        first, *others = self._turning.at(time).imag
        factor = 1 + first
        for wave in others:
            factor += wave
        return np.asarray(factor)


class Turning:
    """Phasors a e^{i(ωt + φ)} of many waves, `omega` rad/s, `phase` rad and `size` a.

    From step to step they are turned on, which is quicker than sines, and found anew before errors add up.
    """

    def __init__(self, omega: FloatArray, phase: FloatArray, size: FloatArray) -> None:
        self.omega, self.phase, self.size = omega, phase, size
        self._time, self._left = np.nan, 0
        self._now: NDArray[np.complex128] = np.zeros(0, np.complex128)
        self._step: tuple[float, NDArray[np.complex128]] = np.nan, self._now

    def at(self, time: float) -> NDArray[np.complex128]:
        """The phasors at a time, s; they are turned on where they are when the next are asked for."""
        dt = time - self._time
        if not self._left or not abs(dt - self._step[0]) < CLOCK:
            self._step = dt, np.exp(1j * self.omega * dt) if np.isfinite(dt) else self._now
            self._now, self._left = self.size * np.exp(1j * (self.omega * time + self.phase)), ANEW
        else:
            self._now *= self._step[1]
            self._left -= 1
        self._time = time
        return self._now


def by_component(vectors: FloatArray) -> FloatArray:
    """(count, 3, n) vectors (count, n, 3), one component after the other in memory, as NumPy goes through them best."""
    return np.ascontiguousarray(np.swapaxes(vectors, 1, 2))


def _middle(plant: Plant, first: IntArray) -> IntArray:
    """(axes,) a segment half-way along each axis, given its first node; no root."""
    count = np.bincount(plant.axis)
    order = np.argsort(plant.axis, kind="stable")
    at = np.searchsorted(plant.axis[order], np.arange(len(first))) + count // 2
    return np.asarray(order[np.minimum(at, len(order) - 1)])


def _frequencies(plant: Plant, bodies: Articulated) -> FloatArray:
    """(axes,) rad/s: √(Σ k l² / Σ m s²) over an axis, s the way along it to where m is carried."""
    arc, own = plant.length.copy(), bodies.borne.copy()
    goes_on = np.flatnonzero(plant.continues)
    for node in goes_on.tolist():
        arc[node] += arc[plant.parent[node]]
    np.subtract.at(own, plant.parent[goes_on], bodies.borne[goes_on])
    axes = int(plant.axis.max()) + 1
    stiff = summed_by(plant.axis, bodies.firm * bodies.spring * plant.length**2, axes)
    heavy = summed_by(plant.axis, own * arc**2, axes)
    return np.asarray(np.sqrt(np.where(heavy > 0, stiff, 1.0) / np.where(heavy > 0, heavy, 1.0)))


def _waves(
    plant: Plant, first: IntArray, omega: FloatArray, strong: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """(eddies, axes) rad/s, phase and size of the eddies of each axis: the same for the same tree at the same place."""
    foot = np.round(1000 * plant.position[plant.roots]).astype(np.int64)[plant.tree[first]]
    name = key(foot[:, 0], foot[:, 2], first - plant.roots[plant.tree[first]])
    slow = np.clip(omega / (2 * np.pi), SLOWEST, FASTEST) * between(0.7, 1.3, name, 1)
    turn = 2 * np.pi * np.stack([faster * slow for _, faster in EDDIES])
    phase = np.stack([between(0.0, 2 * np.pi, name, 2 + number) for number in range(len(EDDIES))])
    return turn, phase, np.stack([np.full(len(omega), strong * share) for share, _ in EDDIES])
