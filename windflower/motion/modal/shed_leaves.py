"""Modal motion of plants that lose their leaves: slower and more driven in leaf, faster and less damped when bare."""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Generic, Protocol, Self, TypeVar

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.mechanics import Modes
from windflower.mechanics.leaf_fall import LeafFall
from windflower.motion.modal.admittance import Admittance
from windflower.motion.modal.modal_state import ModalState

__all__ = ["ShedLeaves"]

ALIKE = 1e-6  # shapes that differ by less than the root of this say the same


class Swaying(Protocol):
    """What is asked of a modal motion."""

    modes: Modes
    speed: float
    felt: FloatArray
    admittance: Admittance | None

    def with_modes(
        self, modes: Modes, share: float, *, speed: float, felt: FloatArray, admittance: Admittance | None
    ) -> Self:
        """The motion of the same plant with a share of its leaves left, which has these modes."""
        ...


Moving = TypeVar("Moving", bound=Swaying)


class ShedLeaves(Generic[Moving]):
    """The motion of a plant in leaf, that of it bare, which is made when it is first asked for, and those between."""

    def __init__(self, in_leaf: Moving, bare: Callable[[], Moving]) -> None:
        self.in_leaf, self._make_bare = in_leaf, bare
        self.at = lru_cache(maxsize=4)(self._at)

    @cached_property
    def _bare(self) -> Moving:
        return self._make_bare()

    @cached_property
    def _fall(self) -> LeafFall:
        return LeafFall(self.in_leaf.modes, self._bare.modes)

    def _at(self, share: float) -> Moving:
        """The motion with a share of the leaves left, 0 to 1."""
        if share == 1:
            return self.in_leaf
        bare, modes = self._bare, self._fall.modes(share)
        felt = modes.cell_centre + (1 - share) * (bare.felt - bare.modes.cell_centre)
        felt = felt + share * (self.in_leaf.felt - self.in_leaf.modes.cell_centre)
        speed = (1 - share) * bare.speed + share * self.in_leaf.speed
        return self.in_leaf.with_modes(
            modes, share, speed=speed, felt=felt, admittance=self._admittance(modes.frequency, share)
        )

    def _admittance(self, frequency: FloatArray, share: float) -> Admittance | None:
        """χ between that of the two ends: it falls smoothly with the frequency, whatever the mode."""
        bare, in_leaf = self._bare, self.in_leaf
        if bare.admittance is None or in_leaf.admittance is None:
            return None
        factors = []
        for end in (bare, in_leaf):
            assert end.admittance is not None
            own = end.modes.frequency
            factors.append(np.stack([np.interp(frequency, own, row) for row in end.admittance.factor]))
        return Admittance(in_leaf.admittance.along, (1 - share) * factors[0] + share * factors[1])

    def continued(self, state: ModalState, before: Swaying, now: Swaying) -> ModalState:
        """The state in which the motion now shows the pose and the speed that the one before had, as near as it can."""
        carried = _in_terms_of(_shapes(before.modes), _shapes(now.modes))
        modes, cells = len(now.modes), state.lean.shape
        amount, rate = state.amount @ carried, state.amount_rate @ carried
        was, force = (np.einsum("cmk,nck->nm", motion.modes.projection, state.push) for motion in (before, now))
        mixed = carried[:modes, :modes]
        return replace(
            state,
            q=amount[:, :modes],
            rate=rate[:, :modes],
            lean=amount[:, modes:].reshape(cells),
            lean_rate=rate[:, modes:].reshape(cells),
            slow=force + (state.slow - was) @ mixed,
            band=state.band @ mixed,
        )


def _shapes(modes: Modes) -> FloatArray:
    """(shapes, nodes · 3) displacements by modes and static vectors."""
    shapes = np.concatenate([modes.shape, modes.static.reshape(-1, *modes.shape.shape[1:])])
    return shapes[..., :3].reshape(len(shapes), -1)


def _in_terms_of(old: FloatArray, new: FloatArray) -> FloatArray:
    """(old, new) how much of new shapes comes nearest to a unit of each old one."""
    size = np.maximum(np.linalg.norm(new, axis=1), 1e-30)
    unit = new / size[:, None]
    found = old @ unit.T @ np.linalg.pinv(unit @ unit.T, rcond=ALIKE, hermitian=True)
    return np.asarray(found / size)
