"""Light on leaves as readers have it, and the colour with which it is that of our renderer on a fair day.

Leaves let light through, throw it on one another, are paler below and mirror the sky where they curve. Readers light
both sides alike and know none of this. So files have colours that are as bright as our renderer shows leaves, on
average over the sides of a plant, and over hours of a fair day: the twin of `leaf_light` in leaf_shading.wgsl.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.vectors import unit
from windflower.geometry.leaf_textures import leaf_mask
from windflower.geometry.mesh import Mesh
from windflower.geometry.sprig_cards import CORNERS
from windflower.geometry.triangle_mesh import triangle_mesh
from windflower.plant.species.settings import Leaf

__all__ = ["MIRRORED", "blade_gain", "looks_inward", "reader_colour", "reader_normals", "reader_shade"]

LEVEL = np.array([1.0, 0.35, 1.0])  # factors on normals: a crown is looked at from the side more than from above
CROWN_SHARE = 0.5  # of the crown's normal in a leaf's, as in plant_shading.wgsl
SKY = 0.9  # share of the sky in the light on a crown, of which leaves inside it get less: readers do not know that
MIRRORED = 0.03  # share of light that readers have surfaces mirror: of the sun 0.04, of the sky not all of them do
SAMPLED = 200  # leaves by which a plant's light is judged

SUN = np.array([3.05, 2.8, 2.4])  # of a fair day, as daylight.py has it: of the sun, over π
AROUND, ABOVE = np.array([0.39, 0.44, 0.47]), np.array([0.11, 0.15, 0.30])  # of the sky: on average; more from above
HEIGHTS = np.radians([30.0, 45.0, 60.0])  # of the sun
AZIMUTHS = 2 * np.pi * np.arange(8) / 8

# As in leaf_shading.wgsl and plant_shading.wgsl.
VOLUME, GLOSS = 0.5, 20.0  # as in leaf_shading.wgsl
THROUGH, THROWN = np.array([1.5, 1.7, 0.27]), np.array([0.105, 0.15, 0.042])
INSIDE = np.array([0.3, 0.37, 0.22])
CROWN_DEPTH = 1.6
PALE, PALER = np.array([0.25, 0.55, 0.2]), np.array([1.2, 1.36, 1.0])
WAX = 0.004, 0.08  # mirrored by level leaves, and how much more where they curve away
BLADE_THROUGH = np.array([1.5, 1.6, 0.45])  # of a blade over what it reflects, as in surface.wgsl
SEEN_THROUGH = 0.5  # share of blades lit from behind that is seen: whole plants have the light of ours with it
STEEPEST = 1.25  # slope that the brightest texels stand for


def looks_inward(side: FloatArray, out: FloatArray) -> NDArray[np.bool_]:
    """(cards,) whether upper sides (cards, 3) look into the crown, whose middle is in the direction -out (cards, 3)."""
    return np.asarray((side * out * LEVEL).sum(axis=1) < 0)


def reader_normals(side: FloatArray, out: FloatArray) -> FloatArray:
    """(n, 3) normals of outer sides (n, 3) as files have them: nearly level, and in part the crown's.

    Readers turn the normals of backs around: a leaf that shows its back is then lit as those on the other side of the
    crown, and not from below.
    """
    normal = ((1 - CROWN_SHARE) * side + CROWN_SHARE * out) * LEVEL
    return np.asarray(normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-9))


def reader_shade(open_sky: FloatArray) -> FloatArray:
    """(leaves, 3) factors on the colour of leaves that see so much of the sky: it is a share of their light."""
    return np.asarray(1 - SKY + SKY * _inside(open_sky))


def reader_colour(mesh: Mesh, leaf: Leaf) -> FloatArray:
    """(3,) linear RGB of the leaves of a mesh in files, before tints."""
    some = np.unique(np.linspace(0, len(mesh.leaves), SAMPLED, endpoint=False).astype(np.int64))
    crown = _Crown(replace(mesh, leaves=mesh.leaves[some], tubes=(), grids=()))
    wanted, theirs, plain = np.zeros((3, 3))
    for height in HEIGHTS:
        for azimuth in AZIMUTHS:
            sun = np.array([np.cos(azimuth) * np.cos(height), np.sin(height), np.sin(azimuth) * np.cos(height)])
            for eye in np.stack([np.cos(AZIMUTHS[::2]), np.zeros(4), np.sin(AZIMUTHS[::2])], axis=1):
                weight = crown.seen(eye)
                wanted += weight @ crown.light(leaf, sun, eye)
                reached = crown.reached(sun, eye)
                theirs += weight @ (reached * crown.shade)
                plain += weight @ reached
    return np.asarray(np.clip((wanted - MIRRORED * plain) / np.maximum(theirs, 1e-9), 0, 1))


def blade_gain(through: float) -> FloatArray:
    """(3,) how much brighter than readers show them blades are that let so much light through, over all sides."""
    lit, share = SUN / 4, SEEN_THROUGH * through * BLADE_THROUGH  # a fourth of the sun falls on sides of all directions
    return np.asarray((lit * (1 + share) + AROUND * (0.9 + 0.5 * share)) / (lit + AROUND))


@dataclass(frozen=True, eq=False)
class _Crown:
    """Some cards of a plant at rest and the light on them; of a mesh of leaves alone."""

    mesh: Mesh

    @cached_property
    def _corners(self) -> tuple[FloatArray, FloatArray]:
        """(cards, 3) middles and normals of the upper sides; without shoots."""
        posed, sprig = triangle_mesh(self.mesh, self.mesh.rest[None], sprigs=True), self.mesh.sprig
        shape = (len(self.mesh.leaves), sprig.drawn, CORNERS, 3)
        middle, side = (
            part[0].reshape(shape)[:, : sprig.count].mean(axis=2) for part in (posed.position, posed.normal)
        )
        return middle.reshape(-1, 3), unit(side.reshape(-1, 3), np.array([0.0, 1.0, 0.0]))

    @cached_property
    def out(self) -> FloatArray:
        """(cards, 3) places from the crown's middle, over its radius."""
        return np.asarray((self._corners[0] - self.mesh.crown_middle) / self.mesh.crown_radius)

    @property
    def side(self) -> FloatArray:
        """(cards, 3) normals of the upper sides."""
        return self._corners[1]

    @cached_property
    def open(self) -> FloatArray:
        """(cards,) share of the sky that each sees; of the sun's light it gets as much, and as much of it is seen."""
        return np.repeat(self.mesh.leaves["open"].astype(np.float64), self.mesh.sprig.count)

    @cached_property
    def bent(self) -> FloatArray:
        """(cards, 3) directions from which most of its light comes."""
        packed = np.ascontiguousarray(self.mesh.leaves["bent"]).view(np.int8).reshape(-1, 4)[:, :3]
        return np.repeat(unit(packed.astype(np.float64), np.array([0.0, 1.0, 0.0])), self.mesh.sprig.count, axis=0)

    @cached_property
    def shade(self) -> FloatArray:
        return reader_shade(self.open)

    @cached_property
    def _outer(self) -> tuple[FloatArray, FloatArray]:
        """(cards, 3) normals of the outer sides, and those that files have."""
        outer = self.side * np.where(looks_inward(self.side, self.out), -1, 1)[:, None]
        return outer, reader_normals(outer, self.out)

    def seen(self, eye: FloatArray) -> FloatArray:
        """(cards,) how much of each is seen from a direction."""
        return np.asarray(np.abs(self.side @ eye) * self.open)

    def reached(self, sun: FloatArray, eye: FloatArray) -> FloatArray:
        """(cards, 3) light that readers have fall on the side that is seen."""
        outer, normal = self._outer
        shown = normal * np.where(outer @ eye > 0, 1, -1)[:, None]
        return np.asarray((self.open * np.maximum(shown @ sun, 0))[:, None] * SUN + _sky(shown))

    def light(self, leaf: Leaf, sun: FloatArray, eye: FloatArray) -> FloatArray:
        """(cards, 3) light of the side that is seen, as our renderer has it."""
        upper = self.side @ eye > 0
        shown = self.side * np.where(upper, 1, -1)[:, None]
        toward, crown = shown @ sun, np.maximum(self.bent @ sun, 0)
        green = np.array(leaf.colour)
        colour = np.where(upper[:, None], green, _below(green, leaf.underside))
        lit = _lit(self.bent, self.open, sun)
        around = _sky(self.bent) * _inside(self.open) + SUN * THROWN * (0.24 + 0.76 * lit)[:, None]
        scattered = (
            (colour + _wax(leaf) * upper[:, None]) * around * (0.72 + 0.28 * (shown * self.bent).sum(axis=1))[:, None]
        )
        direct = (1 - VOLUME) * np.maximum(toward, 0) + VOLUME * crown
        through = 0.95 * np.maximum(-toward, 0) + 0.08
        middle = unit(sun + 0.999 * eye)
        mirrored = 0.034 + 0.966 * (1 - np.clip(middle @ eye, 0, 1)) ** 5
        peak = np.where(upper, 1.0, 0.25) * mirrored * (GLOSS + 2) / 8
        gloss = peak * np.maximum(shown @ middle, 0) ** GLOSS * np.maximum(toward, 0) * green[1] / (green[1] + 0.02)
        straight = colour * direct[:, None] + green * (1 - green) * THROUGH * through[:, None] + gloss[:, None]
        return np.asarray(scattered + SUN * (self.open * np.minimum(2.2 * lit, 1) ** 0.8)[:, None] * straight)


def _sky(normal: FloatArray) -> FloatArray:
    """(n, 3) light of the sky on what looks along normals (n, 3)."""
    return AROUND + ABOVE * normal[:, 1:2]


def _inside(open_sky: FloatArray) -> FloatArray:
    """(n, 3) share of the sky's light inside a crown: `inside_crown` in plant_shading.wgsl."""
    return np.asarray(INSIDE + (1 - INSIDE) * np.clip(1.9 * open_sky - 0.32, 0, 1)[:, None])


def _lit(bent: FloatArray, open_sky: FloatArray, sun: FloatArray) -> FloatArray:
    """(n,) share of the sun that a crown leaves to its leaves: `crown_shade` in plant_shading.wgsl."""
    far = np.minimum(open_sky / 0.65, 1) ** 1.5
    along = far * (bent @ sun)
    return np.asarray(np.exp(-CROWN_DEPTH * (np.sqrt(along**2 + 1 - far**2) - along)))


def _wax(leaf: Leaf) -> float:
    """Share of the sky's light that upper sides mirror."""
    texels = leaf_mask(leaf.shape, leaf.aspect).levels[0][0] / 255.0
    slope = STEEPEST * (2 * texels[..., 1:3] - 1)
    level = 1 / np.sqrt(1 + (slope**2).sum(axis=-1))
    return WAX[0] + WAX[1] * (1 - float(np.average(level, weights=texels[..., 3])))


def _below(green: FloatArray, paleness: float) -> FloatArray:
    """(3,) colour of undersides: green leaves are paler there."""
    share = np.clip((green[1] / max(green[0], 1e-3) - 0.8) / 0.45, 0, 1)
    return np.asarray(green + paleness * share**2 * (3 - 2 * share) * ((green @ PALE) * PALER - green))
