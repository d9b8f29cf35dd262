"""Blocks of different trees that take their steps together: what the wind does to all their branches is one step.

    probes of all blocks ──> wind ──> BlownTogether: what each axis feels ──> each block: fades, hands, figure

A forest has dozens of blocks, and NumPy is quick with few large arrays and slow with many small ones.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Protocol

import numpy as np
from scipy.sparse import csr_array

from windflower.core.arrays import FloatArray
from windflower.motion.device.twin import Twin, TwinGroup
from windflower.motion.hybrid.block_stand import BlockStand
from windflower.motion.hybrid.branch_sway import BranchSway, by_component
from windflower.motion.hybrid.hybrid_kernels import GpuHybrid, StatesTogether
from windflower.motion.hybrid.hybrid_motion import HybridMotion, dynamic_wind
from windflower.motion.hybrid.state import HybridState
from windflower.motion.touch import Touch
from windflower.wind import Wind

__all__ = ["BlownTogether", "HybridGroup"]


class OfBlock(Protocol):
    """What a group needs of a `HybridTwin`, which has these and says what they do."""

    motion: HybridMotion
    kernels: GpuHybrid
    stand: BlockStand
    state: HybridState
    dt: float

    def wants_levels(self, time: float) -> bool: ...
    def take_levels(self, exposure: FloatArray, time: float) -> None: ...
    def take_step(self, blown: HybridState, touch: Touch | None) -> None: ...
    def has_come(self, wind: Wind, crown_air: FloatArray) -> None: ...


class HybridGroup(TwinGroup):
    """Twins of blocks. Those whose branches follow the wind at once, as printed, take their steps alone."""

    def __init__(self, twins: Sequence[Twin], own: Sequence[OfBlock]) -> None:
        super().__init__(twins)
        swinging = [number for number, twin in enumerate(own) if twin.motion.sway.swings]
        self._alone = [number for number in range(len(own)) if number not in swinging]
        self._number, self._swinging = swinging, [own[number] for number in swinging]
        if swinging:
            self._probes = np.concatenate([twin.stand.probes for twin in self._swinging], axis=1)
            self._exposed = np.concatenate([twin.stand.exposed for twin in self._swinging])
            self._trees = np.cumsum([len(twin.stand.exposed) for twin in self._swinging])[:-1]
            self._crowns = _mean_by_tree([twin.stand for twin in self._swinging])
            self._each = np.cumsum([len(twin.stand) for twin in self._swinging])[:-1]
            probes = [twin.stand.probes.shape[1] for twin in self._swinging]
            self._sway = BlownTogether([twin.motion.sway for twin in self._swinging], probes)
            each = [twin.kernels for twin in self._swinging]
            gpu = each[0].gpu
            self._sent = StatesTogether(gpu, each) if StatesTogether.fit(gpu, each) else None

    def advance(self, winds: Sequence[Wind], times: FloatArray, touches: Sequence[Touch | None]) -> None:
        """Take a step to each of these times, s; blocks are stands of one scene, and feel one wind."""
        for number in self._alone:
            self._twins[number].advance(winds[number], times, touches[number])
        if not self._swinging:
            return
        wind = winds[self._number[0]]
        hands = [touches[number] for number in self._number]
        for time in times.tolist():
            self._adapt(wind, time)
            air = self._step(wind, time, hands)
        crowns = np.split(self._crowns @ air[0], self._each)
        for twin, crown in zip(self._swinging, crowns, strict=True):
            twin.has_come(wind, crown)
        if self._sent:
            self._sent.send([twin.state for twin in self._swinging])

    def _adapt(self, wind: Wind, time: float) -> None:
        """Let more or fewer branches of all blocks move, where it is time for one of them."""
        if not any(twin.wants_levels(time) for twin in self._swinging):
            return
        exposure = np.split(wind.exposure(self._exposed, time), self._trees)
        for twin, mine in zip(self._swinging, exposure, strict=True):
            if twin.wants_levels(time):
                twin.take_levels(mine, time)

    def _step(self, wind: Wind, time: float, hands: Sequence[Touch | None]) -> FloatArray:
        """One step of all blocks; returns the wind (1, probes, 3) at all their probes, m/s."""
        air = wind.velocity(self._probes, time)
        twins = self._swinging
        blown = self._sway.blown([twin.state for twin in twins], air, twins[0].dt)
        for twin, state, touch in zip(twins, blown, hands, strict=True):
            twin.take_step(state, touch)
        return air


class BlownTogether:
    """What the branches of several blocks feel, each block at its own place, worked out as if they were one."""

    def __init__(self, sways: Sequence[BranchSway], probes: Sequence[int]) -> None:
        self._sway = BranchSway.joined(sways, probes)
        self._probes, self._slots = _parts(probes), _parts([sway.slots for sway in sways])
        self._given: list[FloatArray] = []
        self._joined: list[FloatArray] = []

    def blown(self, states: Sequence[HybridState], air: FloatArray, dt: float) -> list[HybridState]:
        """The states after a step in which the wind at all probes becomes `air` (1, probes, 3), m/s."""
        places, time = states[0].places, states[0].time + dt
        before, felt, rate = self._gathered(states)
        push = dynamic_wind(places, air)
        pull = self._sway.pull(push, time)
        felt, rate = self._sway.after(felt, rate, before, pull, dt, places)
        self._joined, self._given = [pull, felt, rate], []
        blown = []
        for state, probes, slots in zip(states, self._probes, self._slots, strict=True):
            given = {"pull": pull[:, slots], "felt": felt[:, slots], "rate": rate[:, slots]}
            self._given += given.values()
            blown.append(state.blown(dt, push[:, probes], **given))
        return blown

    def _gathered(self, states: Sequence[HybridState]) -> list[FloatArray]:
        """(1, slots, 3) pull, felt and rate of all; those of the step before, where nobody has changed a state."""
        theirs = [array for state in states for array in (state.pull, state.felt, state.rate)]
        if len(theirs) == len(self._given) and all(a is b for a, b in zip(theirs, self._given, strict=True)):
            return self._joined
        joined = (by_component(np.concatenate(theirs[number::3], axis=1)) for number in range(3))
        return [np.swapaxes(one, 1, 2) for one in joined]


def _parts(counts: Sequence[int]) -> list[slice]:
    """Where each of several arrays of these lengths lies, when they are joined."""
    return [slice(first, end) for first, end in pairwise(np.cumsum([0, *counts]).tolist())]


def _mean_by_tree(stands: Sequence[BlockStand]) -> csr_array:
    """(trees, probes) that takes the mean of what is at the probes of each tree of several blocks."""
    counts = [len(stand) for stand in stands]
    first = np.cumsum([0, *counts])
    tree = np.concatenate([begin + stand.of_probe for begin, stand in zip(first, stands, strict=False)])
    share = 1 / np.bincount(tree, minlength=int(first[-1]))
    return csr_array((share[tree], (tree, np.arange(len(tree)))), shape=(int(first[-1]), len(tree)))
