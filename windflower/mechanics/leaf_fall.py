"""Modes of a plant that loses its leaves, for any share of them that is left, within milliseconds.

Mass, weight and drag of leaves are linear in that share s, so K, M and the wind's loads are between those of the plant
in leaf and of the bare one. Its modes are sought among all mixtures B r of the modes of both (Rayleigh–Ritz):

    (Bᵀ K(s) B) r = ω² (Bᵀ M(s) B) r

which gives those of both ends exactly, and between them frequencies that are off by the square of what shapes are.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from math import pi

import numpy as np
from scipy.linalg import eigh

from windflower.core.arrays import FloatArray
from windflower.mechanics.assembly import System
from windflower.mechanics.modes import Modes
from windflower.mechanics.participation import LEVEL, Found
from windflower.mechanics.projection import drag_matrix, wind_loads
from windflower.mechanics.strain import ground_moment

__all__ = ["LeafFall"]

ALIKE = 1e-9  # of the largest: mixtures with less mass say twice what others say


@dataclass(frozen=True, eq=False)
class LeafFall:
    """The same plant in leaf and bare, and all between; both have as many modes and the same cells."""

    in_leaf: Modes
    bare: Modes

    def modes(self, share: float) -> Modes:
        """The modes with this share of the leaves left, 0 to 1."""
        if share in (0, 1):
            return self.in_leaf if share else self.bare
        squares, mixing = self._solved(share)
        found = self._found(share, squares, mixing)
        kept = found.kept(len(self.in_leaf), "sway")
        return self._modes(
            share, found, mixing[:, kept], np.sqrt(squares[kept]) / (2 * pi), found.static_frequency(kept)
        )

    @cached_property
    def _systems(self) -> tuple[System, System]:
        ends = (self.bare, self.in_leaf)
        bare, in_leaf = (end.conditions.system(end.plant, end.wood) for end in ends)
        return bare, in_leaf

    @cached_property
    def _basis(self) -> FloatArray:
        """(mixed, nodes, 6) the modes of both ends."""
        return np.concatenate([self.bare.shape, self.in_leaf.shape])

    @cached_property
    def _reduced(self) -> FloatArray:
        """(3, 2, mixed, mixed) stiffness, mass and drag of the basis; bare, in leaf."""
        columns = self._systems[0].gather(self._basis)
        stiffness, mass, drag = (
            [columns.T @ (system.stiffness @ columns) for system in self._systems],
            [columns.T @ (system.mass @ columns) for system in self._systems],
            [drag_matrix(system, self._basis) for system in self._systems],
        )
        return np.array([stiffness, mass, drag])

    @cached_property
    def _wind(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Modal forces (2, cells, mixed, 3) of the basis; leans (2, cells, 3, nodes, 6); works (2, 2, 2) on leans.

        Ends are bare, in leaf. Works are those over the whole crown and over cells alone.
        """
        cells = self.bare.cells
        loads = np.stack([wind_loads(system, self.bare.cell, cells) for system in self._systems])
        forces = loads.reshape(2 * cells * 3, -1) @ self._basis.reshape(len(self._basis), -1).T
        leans = np.stack([_lean(modes) for modes in (self.bare, self.in_leaf)])
        level, leaning = loads[:, :, LEVEL], leans[:, :, LEVEL]
        whole = np.einsum("aknj,bknj->ab", level.sum(axis=1), leaning.sum(axis=1))
        works = np.stack([whole, np.einsum("acknj,bcknj->ab", level, leaning)])
        return np.swapaxes(forces.reshape(2, cells, 3, -1), 2, 3), leans, works

    def _solved(self, share: float) -> tuple[FloatArray, FloatArray]:
        """(found,) ω², ascending, and (mixed, found) mixings of the basis with unit modal mass."""
        stiffness, mass, _ = (_between(share, *matrix) for matrix in self._reduced)
        size, direction = eigh(mass)
        apart = size > ALIKE * size[-1]
        own = direction[:, apart] / np.sqrt(size[apart])
        squares, mixing = eigh(own.T @ stiffness @ own)
        return squares, own @ mixing

    def _found(self, share: float, squares: FloatArray, mixing: FloatArray) -> Found:
        forces, _, works = self._wind
        shape = np.tensordot(mixing.T, self._basis, 1)
        projection = np.einsum("cbk,bm->cmk", _between(share, *forces), mixing)
        ends = np.array([1 - share, share])
        return Found(squares, shape, projection, np.einsum("a,wab,b->w", ends, works, ends))

    def _modes(self, share: float, found: Found, mixing: FloatArray, frequency: FloatArray, static: float) -> Modes:
        bare, in_leaf = self.bare, self.in_leaf
        squares = (2 * pi * frequency) ** 2
        shape = np.tensordot(mixing.T, self._basis, 1)
        projection = np.einsum("cbk,bm->cmk", _between(share, *self._wind[0]), mixing)
        steady = projection / squares[:, None]
        moment = ground_moment(self._systems[1], shape, squares)
        lean_moment = _between(share, *(_lean_moment(modes) for modes in (bare, in_leaf)))
        own = in_leaf.wood.damping_ratio(in_leaf.frequency[:1])[0]
        factor = in_leaf.damping[0] / own if own > 0 else 1.0
        area = _between(share, bare.cell_area, in_leaf.cell_area)
        part = (share * in_leaf.cell_area / area)[:, None]
        level = np.square(projection.sum(axis=0)[:, LEVEL]).sum(axis=-1)
        return replace(
            in_leaf,
            conditions=replace(in_leaf.conditions, leaves=share),
            frequency=frequency,
            number=np.zeros(len(frequency), np.int64),
            work=level / squares / found.work[0],
            damping=factor * in_leaf.wood.damping_ratio(frequency),
            shape=shape,
            projection=projection,
            drag_damping=np.einsum("am,ab,bm->m", mixing, _between(share, *self._reduced[2]), mixing),
            static=_between(share, *self._wind[1]) - np.einsum("cmk,mnj->cknj", steady, shape),
            static_frequency=static,
            root_moment=moment,
            static_root_moment=lean_moment - np.einsum("cmk,mrj->ckrj", steady, moment),
            cell_area=area,
            cell_centre=(1 - part) * bare.cell_centre + part * in_leaf.cell_centre,
            cell_spread=(1 - part[:, 0]) * bare.cell_spread + part[:, 0] * in_leaf.cell_spread,
        )


def _between(share: float, bare: FloatArray, in_leaf: FloatArray) -> FloatArray:
    return (1 - share) * bare + share * in_leaf


def _steady(modes: Modes) -> FloatArray:
    return modes.projection / modes.omega[:, None] ** 2


def _lean(modes: Modes) -> FloatArray:
    """(cells, 3, nodes, 6) the plant under a unit dynamic wind on one cell."""
    return np.asarray(modes.static + np.einsum("cmk,mnj->cknj", _steady(modes), modes.shape))


def _lean_moment(modes: Modes) -> FloatArray:
    return np.asarray(modes.static_root_moment + np.einsum("cmk,mrj->ckrj", _steady(modes), modes.root_moment))
