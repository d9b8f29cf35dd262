"""One tapered round beam element: stiffness, mass, weight and wind, for all segments at once.

A segment's radius is linear from `base_radius` a at its base to `radius` b at its tip. Its stiffness is the exact one
of such a cone frustum under end loads: the flexibility integrals of 1/r² and 1/r⁴ have closed forms. Mass, weight and
wind are integrated with the linear radius and with the deflection of that same frustum, so that one element per segment
is right however strong the taper; without taper it is the usual cubic of Hermite (Diener et al. 2009, appendix; derived
anew, because the appendix has misprints). With cubics for all, the thin end of a strongly tapered segment would carry
the mass and the weight of the thick one, and sway slowly or buckle. Along the axis and in torsion shapes are linear.

Because the section is round, no local axes are needed. With d the unit direction of the segment, P = d dᵀ,
Q = 1 - P and B θ = θ × d, the displacement inside an element is

    u(x) = P (l₁ u₁ + l₂ u₂) + Q (h₁ u₁ + h₃ u₂) + B (h₂ θ₁ + h₄ θ₂)

so that a matrix for bending in one plane, over (w₁, θ₁, w₂, θ₂), unfolds to space by Q, B, Bᵀ and Q.
"""

from dataclasses import dataclass
from functools import cached_property
from math import pi

import numpy as np
from numpy.typing import NDArray

from windflower.core import vectors
from windflower.core.arrays import FloatArray, IntArray
from windflower.mechanics.wood import Wood
from windflower.plant.graph import Plant

__all__ = ["Beams", "beams_of", "linear", "unfold"]

# Five Gauss points are exact to degree 9: without taper the mass of bending, h h, has degree 6.
_nodes, _weights = np.polynomial.legendre.leggauss(5)
GAUSS: FloatArray = (_nodes + 1) / 2
WEIGHT: FloatArray = _weights / 2


@dataclass(frozen=True, eq=False)
class Beams:
    """The segments of a plant as beams: arrays over the segments, in the order of `plant.segments`.

    Where a plant has sheets, the rows of their grids are segments of its graph, but no wood: they are left out.
    """

    segment: IntArray  # the end node of each
    base: FloatArray  # radius at the base, m
    tip: FloatArray  # radius at the tip, m
    length: FloatArray  # m
    direction: FloatArray  # (segments, 3), unit

    def radius(self, place: FloatArray) -> FloatArray:
        """(segments, places) radius at these places, 0 at the base to 1 at the tip, m."""
        return self.base[:, None] * (1 - place) + self.tip[:, None] * place

    def integral(self, density: FloatArray, left: FloatArray, right: FloatArray) -> FloatArray:
        """∫ density(x) left(x) right(x)ᵀ dx over each element.

        density (segments, points) at the Gauss points; left, right (segments or 1, points, functions).
        """
        weighted = (density * WEIGHT * self.length[:, None])[..., None] * left
        return np.asarray(np.swapaxes(weighted, 1, 2) @ right)

    def axial_stiffness(self, wood: Wood) -> FloatArray:
        """(segments,) EA/L of the cone frustum: A is that of the geometric mean radius."""
        return wood.E * wood.area * pi * self.base * self.tip / self.length

    def torsion_stiffness(self, wood: Wood) -> FloatArray:
        """(segments,) GJ/L of the cone frustum: 1/∫dx/GJ."""
        a, b = self.base, self.tip
        return wood.shear_modulus * wood.torsion * pi / 2 * 3 * (a * b) ** 3 / (a * a + a * b + b * b) / self.length

    def bending_stiffness(self, wood: Wood) -> FloatArray:
        """(segments, 4, 4) bending stiffness over (w₁, θ₁, w₂, θ₂) in one plane.

        The frustum clamped at its base gives the 2 × 2 stiffness of its tip, the inverse of the flexibility
        [[∫t²/EI, ∫t/EI], [∫t/EI, ∫1/EI]] with t from the tip; the base follows from rigid motion.
        """
        L = self.length
        relative = np.zeros((len(L), 2, 4))
        relative[:, 0, 0], relative[:, 0, 1], relative[:, 0, 2] = -1, -L, 1
        relative[:, 1, 1], relative[:, 1, 3] = -1, 1
        unit = np.swapaxes(relative, 1, 2) @ self._tip_stiffness @ relative
        return np.asarray(wood.E * wood.bending * pi / 4 * unit)

    def section_area(self, wood: Wood) -> FloatArray:
        """(segments, points) A at the Gauss points, m²."""
        return wood.area * pi * self.radius(GAUSS) ** 2

    def volume(self, wood: Wood) -> FloatArray:
        """(segments,) volume of the wood itself, m³."""
        a, b = self.base, self.tip
        return wood.area * pi / 3 * self.length * (a * a + a * b + b * b)

    def volume_beyond(self, wood: Wood, place: FloatArray) -> FloatArray:
        """(segments, places) volume of the wood between each place and the tip, m³."""
        at, tip = self.radius(place), self.tip[:, None]
        rest = (1 - place) * self.length[:, None]
        return np.asarray(wood.area * pi / 3 * rest * (at * at + at * tip + tip * tip))

    def bending_mass(self, line_density: FloatArray) -> FloatArray:
        """(segments, 4, 4) mass matrix of a line density (segments, points) in kg/m, over (w₁, θ₁, w₂, θ₂)."""
        return self.integral(line_density, self.shapes, self.shapes)

    def linear_mass(self, line_density: FloatArray) -> FloatArray:
        """(segments, 2, 2) mass matrix of a line density (segments, points) over both ends: axial motion, torsion."""
        shape = linear(GAUSS)[None]
        return self.integral(line_density, shape, shape)

    def tension_stiffness(self, tension: FloatArray) -> FloatArray:
        """(segments, 4, 4) geometric stiffness ∫ T w' w'ᵀ dx of a tension (segments, points) in N."""
        slope = self._of_ends(self.tip_slope, np.zeros(1), np.ones(1))
        return self.integral(tension, slope, slope)

    def wind_shares(self) -> tuple[FloatArray, FloatArray]:
        """∫ D(x) l(x) dx (segments, 2) and ∫ D(x) h(x) dx (segments, 4), D the diameter (eq. 13–15)."""
        diameter = 2 * self.radius(GAUSS) * WEIGHT * self.length[:, None]
        return diameter @ linear(GAUSS), np.einsum("ep,epi->ei", diameter, self.shapes)

    @cached_property
    def shapes(self) -> FloatArray:
        """(segments, points, 4) deflection h₁…h₄ at the Gauss points by (w₁, θ₁, w₂, θ₂)."""
        a, L = self.base[:, None], self.length[:, None]
        r, x = self.radius(GAUSS), L * GAUSS
        by_moment = x * x * (2 * r + a) / (6 * a**3 * r * r)
        by_force = x**3 / (3 * a**3 * r) + (L - x) * by_moment
        return self._of_ends(self._by_tip(by_force, by_moment), np.ones(1), x)

    @cached_property
    def tip_slope(self) -> FloatArray:
        """(segments, points, 2) slope at the Gauss points by deflection and slope of a tip whose base is clamped."""
        a, L = self.base[:, None], self.length[:, None]
        r, x = self.radius(GAUSS), L * GAUSS
        by_moment = x * (a * a + a * r + r * r) / (3 * (a * r) ** 3)
        by_force = x * x * (2 * r + a) / (6 * a**3 * r * r) + (L - x) * by_moment
        return self._by_tip(by_force, by_moment)

    def _by_tip(self, by_force: FloatArray, by_moment: FloatArray) -> FloatArray:
        """What a unit force and moment on a tip do (segments, points), as what its deflection and slope do."""
        return np.stack([by_force, by_moment], axis=-1) @ self._tip_stiffness

    def _of_ends(self, of_tip: FloatArray, shifted: FloatArray, turned: FloatArray) -> FloatArray:
        """The same over (w₁, θ₁, w₂, θ₂), given what the rigid segment does when its base is shifted and turned."""
        shift, turn = of_tip[..., 0], of_tip[..., 1]
        base_turn = turned - self.length[:, None] * shift - turn
        return np.stack([shifted - shift, base_turn, shift, turn], axis=-1)

    @cached_property
    def _tip_stiffness(self) -> FloatArray:
        """(segments, 2, 2) of the deflection and slope of a tip whose base is clamped, over π E / 4."""
        a, b, L = self.base, self.tip, self.length
        tip = np.empty((len(L), 2, 2))
        tip[:, 0, 0] = 4 * a * b * (a * a + a * b + b * b) / L**3
        tip[:, 0, 1] = tip[:, 1, 0] = -2 * a * b * b * (2 * b + a) / L**2
        tip[:, 1, 1] = 4 * a * b**3 / L
        return tip


def beams_of(plant: Plant, *, besides: NDArray[np.bool_] | None = None) -> Beams:
    """The segments of a plant as beams, but for those that end at some nodes (nodes,)."""
    s = plant.segments if besides is None else plant.segments[~besides[plant.segments]]
    length = plant.length[s]
    return Beams(s, plant.base_radius[s], plant.radius[s], length, plant.vector[s] / length[:, None])


def linear(place: FloatArray) -> FloatArray:
    """(places, 2) the linear shapes l₁, l₂."""
    return np.stack([1 - place, place], axis=-1)


def cross_matrix(direction: FloatArray) -> FloatArray:
    """(segments, 3, 3) B with B θ = θ × d."""
    return np.swapaxes(vectors.cross_matrix(direction), 1, 2)


def unfold(
    direction: FloatArray,
    *,
    bending: FloatArray,
    axial: FloatArray | None = None,
    torsion: FloatArray | None = None,
) -> FloatArray:
    """(segments, 12, 12) element matrices in space, over (u₁, θ₁, u₂, θ₂).

    bending (segments, 4, 4) in one plane; axial and torsion (segments, 2, 2) over the two ends.
    """
    along = direction[:, :, None] * direction[:, None, :]
    across = np.eye(3) - along
    turn = cross_matrix(direction)
    unfolded = np.zeros((len(direction), 4, 3, 4, 3))
    for i in range(4):
        for j in range(4):
            kind = (across, turn, np.swapaxes(turn, 1, 2), across)[2 * (i % 2) + j % 2]
            unfolded[:, i, :, j, :] = bending[:, i, j, None, None] * kind
    for first, matrix in ((0, axial), (1, torsion)):
        if matrix is not None:
            for i in range(2):
                for j in range(2):
                    unfolded[:, first + 2 * i, :, first + 2 * j, :] += matrix[:, i, j, None, None] * along
    return unfolded.reshape(-1, 12, 12)
