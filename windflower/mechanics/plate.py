"""One thin quadrilateral plate element: stiffness, mass, tension and wind, for all cells of a sheet at once.

Corners go round: 0 (-1, -1), 1 (1, -1), 2 (1, 1), 3 (-1, 1) in the element's own coordinates (ξ, η). Each has the six
freedoms of a beam's node, so that plates and beams share nodes.

- Bending is the discrete Kirchhoff quadrilateral (Batoz & Ben Tahar 1982, Int. J. Num. Meth. Eng. 18: 1655, derived
  anew). The normal's turn β is quadratic, with values at corners and mid-sides. Kirchhoff's β = -∇w holds at the
  corners, and along each side at its middle, where w is the cubic of its two ends; across the side β is linear.
- The membrane is bilinear, its shear taken at the middle so that bending within the plane does not lock.
- A turn about the normal ("drilling") is nothing to a membrane. A weak spring, `DRILLING` of the shear stiffness, ties
  it to the turn that the membrane itself makes, ½ (v,x - u,y): it costs nothing in any rigid motion.
- Mass, tension and wind need w inside: that is the twelve-term polynomial of Melosh, Adini and Clough, whose w is the
  same cubic on the sides. It holds every rigid motion exactly, on any quadrilateral.

A cell whose corners lie in no plane is taken in its mean plane, with stiff stubs from there to the corners.
"""

from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from windflower.core.arrays import FloatArray

__all__ = ["Plates", "bilinear", "bilinear_slope", "deflection", "deflection_slope", "plates_of"]

DRILLING = 1e-3
IN_PLANE, OUT_OF_PLANE, DRILLED = [0, 1], [2, 3, 4], [0, 1, 5]  # freedoms of a corner: u, v; w, θx, θy; u, v, θz
TURN = np.array([[0.0, 1.0], [-1.0, 0.0]])  # β = -∇w from the turns about x and y: (θy, -θx)
CORNER: FloatArray = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
MIDDLE: FloatArray = np.array([[0.0, -1.0], [1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])

Grid = tuple[FloatArray, FloatArray]
"""Places (points, 2) and weights (points,) of a sum that stands for an integral."""


def gauss(points: int) -> Grid:
    """Gauss' points and weights on the square, as many along each side."""
    place, weight = np.polynomial.legendre.leggauss(points)
    return np.stack(np.meshgrid(place, place, indexing="ij"), axis=-1).reshape(-1, 2), np.outer(weight, weight).ravel()


def bilinear(place: FloatArray) -> FloatArray:
    """(points, 4) the bilinear shapes of the corners."""
    return (1 + place[:, :1] * CORNER[:, 0]) * (1 + place[:, 1:] * CORNER[:, 1]) / 4


def bilinear_slope(place: FloatArray) -> FloatArray:
    """(points, 4, 2) d/dξ and d/dη of the bilinear shapes."""
    x, y = place[:, :1] * CORNER[:, 0], place[:, 1:] * CORNER[:, 1]
    return np.stack([CORNER[:, 0] * (1 + y), CORNER[:, 1] * (1 + x)], axis=-1) / 4


def serendipity_slope(place: FloatArray) -> FloatArray:
    """(points, 8, 2) d/dξ, d/dη of the eight quadratic shapes: corners, then mid-sides."""
    (a, b), (x, y) = CORNER.T, np.moveaxis(place[:, :, None], 1, 0)  # (4,), (points, 1)
    corner = np.stack([a * (1 + b * y) * (2 * a * x + b * y), b * (1 + a * x) * (2 * b * y + a * x)], axis=-1) / 4
    on_x, on_y = MIDDLE[:, 0] == 0, MIDDLE[:, 1] == 0
    a, b = MIDDLE.T
    along = np.where(on_x, -x * (1 + b * y), a * (1 - y * y) / 2)
    across = np.where(on_y, -y * (1 + a * x), b * (1 - x * x) / 2)
    return np.concatenate([corner, np.stack([along, across], axis=-1)], axis=1)


def deflection(place: FloatArray) -> FloatArray:
    """(points, 4, 3) the twelve-term polynomial of Melosh, Adini and Clough, by w, w,ξ and w,η of the corners."""
    (a, b), (x, y) = CORNER.T, np.moveaxis(place[:, None] * CORNER, -1, 0)  # (4,), (points, 4)
    own = (1 + x) * (1 + y) * (2 + x + y - x * x - y * y)
    along = a * (1 + x) ** 2 * (x - 1) * (1 + y)
    across = b * (1 + x) * (1 + y) ** 2 * (y - 1)
    return np.stack([own, along, across], axis=-1) / 8


def deflection_slope(place: FloatArray) -> FloatArray:
    """(points, 4, 3, 2) d/dξ and d/dη of `deflection`."""
    (a, b), (x, y) = CORNER.T, np.moveaxis(place[:, None] * CORNER, -1, 0)
    own = a * (1 + y) * (3 + y - 3 * x * x - y * y), b * (1 + x) * (3 + x - 3 * y * y - x * x)
    along = (1 + x) * (3 * x - 1) * (1 + y), a * b * (1 + x) ** 2 * (x - 1)
    across = a * b * (1 + y) ** 2 * (y - 1), (1 + y) * (3 * y - 1) * (1 + x)
    return np.stack([np.stack(one, axis=-1) for one in (own, along, across)], axis=-2) / 8


STIFF = gauss(2)
SMOOTH = gauss(4)  # exact for products of w, which have degree 7 in ξ and in η


@dataclass(frozen=True, eq=False)
class Plates:
    """Cells of sheets as plates: arrays over the cells."""

    frame: FloatArray  # (cells, 3, 3) rows: along ξ, across it, normal; in the plant's frame
    flat: FloatArray  # (cells, 4, 2) corners in the mean plane, from its middle, m
    height: FloatArray  # (cells, 4) of the corners above the mean plane, m
    thickness: FloatArray  # (cells,) m
    density: FloatArray  # (cells,) kg/m³
    E: FloatArray  # (cells,) Pa
    nu: FloatArray  # (cells,)

    @property
    def normal(self) -> FloatArray:
        """(cells, 3) unit normals."""
        return self.frame[:, 2]

    @cached_property
    def area(self) -> FloatArray:
        """(cells,) areas, m²."""
        first, second = self.flat[:, 2] - self.flat[:, 0], self.flat[:, 3] - self.flat[:, 1]
        return np.asarray(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]) / 2

    @property
    def mass(self) -> FloatArray:
        """(cells,) masses, kg."""
        return self.density * self.thickness * self.area

    def bending_stiffness(self) -> FloatArray:
        """(cells, 12, 12) over (w, θx, θy) of the corners: ∫ κᵀ D κ."""
        law = _plane_stress(self.E * self.thickness**3 / 12, self.nu)
        return self._integral(STIFF, self._curvature(STIFF[0]), law)

    def membrane_stiffness(self) -> FloatArray:
        """(cells, 8, 8) over (u, v) of the corners: ∫ εᵀ (E h) ε."""
        return self._integral(STIFF, self._strain(STIFF[0]), _plane_stress(self.E * self.thickness, self.nu))

    def drilling_stiffness(self) -> FloatArray:
        """(cells, 12, 12) over (u, v, θz) of the corners: the weak spring on θz - ½ (v,x - u,y)."""
        slope = self._slopes(bilinear_slope(STIFF[0]), STIFF[0])  # (cells, points, corners, xy)
        apart = np.zeros((*slope.shape[:3], 3))
        apart[..., 0], apart[..., 1] = slope[..., 1] / 2, -slope[..., 0] / 2
        apart[..., 2] = bilinear(STIFF[0])
        rows = apart.reshape(*slope.shape[:2], 1, 12)
        spring = DRILLING * self.E / (2 * (1 + self.nu)) * self.thickness
        return self._integral(STIFF, rows, spring[:, None, None])

    def tension_stiffness(self, tension: FloatArray) -> FloatArray:
        """(cells, 12, 12) over (w, θx, θy): ∫ ∇wᵀ N ∇w of a tension (cells, 4 points of `STIFF`, 2, 2) in N/m."""
        slope = self._slopes(self._by_turns(deflection_slope(STIFF[0])), STIFF[0])  # (cells, points, 12, xy)
        return self._integral(STIFF, np.swapaxes(slope, 2, 3), tension)

    def tension(self, moved: FloatArray) -> FloatArray:
        """(cells, 4 points of `STIFF`, 2, 2) membrane force where the corners have moved by (cells, 4, 2), N/m."""
        strain = self._strain(STIFF[0]) @ moved.reshape(-1, 1, 8, 1)
        force = (_plane_stress(self.E * self.thickness, self.nu)[:, None] @ strain)[..., 0]
        return np.stack([force[..., [0, 2]], force[..., [2, 1]]], axis=-2)

    def deflection_mass(self, per_area: FloatArray) -> FloatArray:
        """(cells, 12, 12) over (w, θx, θy): ∫ w wᵀ of a quantity (cells,) on each square metre."""
        shape = self._by_turns(deflection(SMOOTH[0])[..., None])[..., 0][:, :, None]
        return self._integral(SMOOTH, shape, per_area[:, None, None])

    def plane_mass(self, per_area: FloatArray) -> FloatArray:
        """(cells, 8, 8) over (u, v): ∫ u uᵀ and ∫ v vᵀ of a quantity (cells,) on each square metre."""
        one = self._integral(SMOOTH, bilinear(SMOOTH[0])[None, :, None], per_area[:, None, None])
        return np.asarray(np.einsum("cij,kl->cikjl", one, np.eye(2)).reshape(-1, 8, 8))

    def shares(self) -> FloatArray:
        """(cells, 24, 3) forces and moments on the corners by 1 N/m² along x, y, z everywhere."""
        weight = self._weights(SMOOTH)
        local = np.zeros((len(self.area), 3, 4, 6))
        local[:, 2, :, OUT_OF_PLANE] = np.moveaxis(
            (weight[:, None] @ self._by_turns(deflection(SMOOTH[0])[..., None])[..., 0]).reshape(-1, 4, 3), 2, 0
        )
        for axis in IN_PLANE:
            local[:, axis, :, axis] = weight @ bilinear(SMOOTH[0])
        return np.swapaxes(self.to_space(local.reshape(-1, 3, 24), axis=2), 1, 2) @ self.frame

    def unfold(self, *, plane: FloatArray, deflection: FloatArray, drilling: FloatArray | None = None) -> FloatArray:
        """(cells, 24, 24) in space, from matrices over (u, v), (w, θx, θy) and (u, v, θz) of the corners."""
        local = np.zeros((len(self.area), 4, 6, 4, 6))
        parts = [(plane, IN_PLANE), (deflection, OUT_OF_PLANE)]
        parts += [] if drilling is None else [(drilling, DRILLED)]
        for matrix, freedoms in parts:
            i, j, k, m = np.ix_(range(4), freedoms, range(4), freedoms)
            local[:, i, j, k, m] += matrix.reshape(-1, 4, len(freedoms), 4, len(freedoms))
        flat = local.reshape(-1, 24, 24)
        return self.to_space(self.to_space(flat, axis=1), axis=2)

    def to_space(self, local: FloatArray, *, axis: int) -> FloatArray:
        """Turn the freedoms of the corners on an axis (24) of forces or matrices (cells, …) from the element's own."""
        moved = np.moveaxis(local, axis, 1)
        corners = moved.reshape(len(moved), 4, 6, prod(moved.shape[2:]))
        spread = np.swapaxes(self._into_element, 2, 3) @ corners
        return np.moveaxis(spread.reshape(moved.shape), 1, axis)

    def in_elements(self, moved: FloatArray) -> FloatArray:
        """(…, cells, 4, 6) displacements of the corners in each element's own frame, from those in space."""
        return np.asarray((self._into_element @ moved[..., None])[..., 0])

    @cached_property
    def _into_element(self) -> FloatArray:
        """(cells, 4, 6, 6) from a corner's freedoms in space to those of its foot in the mean plane."""
        matrix = np.zeros((len(self.frame), 4, 6, 6))
        matrix[..., :3, :3] = matrix[..., 3:, 3:] = self.frame[:, None]
        e1, e2 = self.frame[:, None, 0], self.frame[:, None, 1]
        matrix[..., 0, 3:], matrix[..., 1, 3:] = -self.height[..., None] * e2, self.height[..., None] * e1
        return matrix

    def _integral(self, grid: Grid, rows: FloatArray, law: FloatArray) -> FloatArray:
        """∫ rowsᵀ law rows over each cell: rows (cells, points, k, n), law (cells, k, k) or (cells, points, k, k)."""
        law = law if law.ndim == 4 else law[:, None]
        weighted = self._weights(grid)[..., None, None] * (law @ rows)
        return np.asarray((np.swapaxes(rows, 2, 3) @ weighted).sum(axis=1))

    def _weights(self, grid: Grid) -> FloatArray:
        """(cells, points) weights of the points in an integral over the area, m²."""
        return np.asarray(np.linalg.det(self._jacobian(grid[0])) * grid[1])

    def _jacobian(self, place: FloatArray) -> FloatArray:
        """(cells, points, 2, 2) rows: (x, y),ξ and (x, y),η."""
        return np.asarray(np.einsum("pia,cib->cpab", bilinear_slope(place), self.flat))

    def _slopes(self, along: FloatArray, place: FloatArray) -> FloatArray:
        """(cells, points, n, 2) d/dx, d/dy of functions whose d/dξ, d/dη are (cells or 1, points, n, 2)."""
        inverse = np.linalg.inv(self._jacobian(place))
        return np.asarray(along @ np.swapaxes(inverse, 2, 3))

    def _strain(self, place: FloatArray) -> FloatArray:
        """(cells, points, 3, 8) εx, εy, γ by (u, v) of the corners; γ is that of the middle everywhere."""
        slope = self._slopes(bilinear_slope(place), place)
        middle = self._slopes(bilinear_slope(np.zeros((1, 2))), np.zeros((1, 2)))
        rows = np.zeros((*slope.shape[:2], 3, 4, 2))
        rows[..., 0, :, 0], rows[..., 1, :, 1] = slope[..., 0], slope[..., 1]
        rows[..., 2, :, 0], rows[..., 2, :, 1] = middle[..., 1], middle[..., 0]
        return rows.reshape(*slope.shape[:2], 3, 8)

    def _curvature(self, place: FloatArray) -> FloatArray:
        """(cells, points, 3, 12) βx,x, βy,y, βx,y + βy,x by (w, θx, θy) of the corners."""
        slope = self._slopes(serendipity_slope(place), place)  # (cells, points, 8, xy)
        turned = np.einsum("cpka,ckbn->cpabn", slope, self._normal_turns)  # d/da of β_b
        return np.stack([turned[:, :, 0, 0], turned[:, :, 1, 1], turned[:, :, 1, 0] + turned[:, :, 0, 1]], axis=2)

    @cached_property
    def _normal_turns(self) -> FloatArray:
        """(cells, 8, 2, 12) β at corners and mid-sides by (w, θx, θy) of the corners.

        On the side from i to j, of length l along t, w is a cubic: w,s = 3/2l (w_j - w_i) - ¼ (w,s_i + w,s_j) at its
        middle. So there β = t [3/2l (w_i - w_j) - ¼ t·(β_i + β_j)] + ½ n n·(β_i + β_j).
        """
        turns = np.zeros((len(self.flat), 8, 2, 4, 3))
        for i in range(4):
            j = (i + 1) % 4
            side = self.flat[:, j] - self.flat[:, i]
            square = (side**2).sum(axis=1)
            along = side[:, :, None] * side[:, None, :] / square[:, None, None]
            mean = (np.eye(2) / 2 - 0.75 * along) @ TURN
            turns[:, i, :, i, 1:] = TURN
            turns[:, 4 + i, :, i, 1:] = turns[:, 4 + i, :, j, 1:] = mean
            turns[:, 4 + i, :, i, 0] = 1.5 * side / square[:, None]
            turns[:, 4 + i, :, j, 0] = -turns[:, 4 + i, :, i, 0]
        return turns.reshape(-1, 8, 2, 12)

    def _by_turns(self, rows: FloatArray) -> FloatArray:
        """(cells, points, 12, n) over (w, θx, θy), from rows (points, 4, 3, n) over (w, w,ξ, w,η) of the corners.

        w,ξ = (x, y),ξ · ∇w with ∇w = (-θy, θx).
        """
        jacobian = self._jacobian(CORNER)  # (cells, corners, ξη, xy)
        by_turns = np.empty((len(self.flat), *rows.shape))
        by_turns[..., 0, :] = rows[..., 0, :]
        slope = np.einsum("pian,ciab->bcpin", rows[..., 1:, :], jacobian)
        by_turns[..., 1, :], by_turns[..., 2, :] = slope[1], -slope[0]
        return by_turns.reshape(*by_turns.shape[:2], 12, rows.shape[-1])


def plates_of(
    corner: FloatArray, *, thickness: FloatArray, density: FloatArray, E: FloatArray, nu: FloatArray
) -> Plates:
    """Plates from quadrilaterals with these corners (cells, 4, 3), m; the other arrays are (cells,)."""
    along = (corner[:, 1] + corner[:, 2] - corner[:, 0] - corner[:, 3]) / 2
    up = (corner[:, 2] + corner[:, 3] - corner[:, 0] - corner[:, 1]) / 2
    normal = np.cross(along, up)
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    first = along / np.linalg.norm(along, axis=1, keepdims=True)
    frame = np.stack([first, np.cross(normal, first), normal], axis=1)
    local = (corner - corner.mean(axis=1, keepdims=True)) @ np.swapaxes(frame, 1, 2)
    return Plates(frame, local[..., :2], local[..., 2], thickness, density, E, nu)


def _plane_stress(stiffness: FloatArray, nu: FloatArray) -> FloatArray:
    """(cells, 3, 3) force by strain, of an even plate of this stiffness (cells,): E h, or E h³/12."""
    law = np.zeros((len(stiffness), 3, 3))
    law[:, 0, 0] = law[:, 1, 1] = 1
    law[:, 0, 1] = law[:, 1, 0] = nu
    law[:, 2, 2] = (1 - nu) / 2
    return law * (stiffness / (1 - nu**2))[:, None, None]
