"""What is left of a plant that broke: its modes, and the state in which it goes on without a jump.

The displacement u and the velocity v of the nodes that are left are shared out by inner products with the new mass and
stiffness, in which modes are orthogonal to each other and to all that they leave out:

    q = Φᵀ M u,    r = u - Φ q,    and lean from the static vectors S: (Sᵀ K S) l = Sᵀ K r,    r ← r - S l

and the same for v. What is then left of both, r and s, spans two shapes more. They are made modes of their own
(Rayleigh–Ritz on K and M), critically damped, on which no wind acts. So positions and velocities are the same to the
last digit, and energies add up: just after the break the plant has the energy that its part had before, and the energy
of all modes, these two included, falls from there on.
"""

from dataclasses import dataclass, replace
from math import pi

import numpy as np
from scipy.linalg import eigh

from windflower.core.arrays import FloatArray, IntArray
from windflower.mechanics import Modes, analyse
from windflower.mechanics.assembly import System
from windflower.mechanics.roots import root_springs
from windflower.mechanics.strain import ground_moment
from windflower.motion.breaking.cuts import Part
from windflower.motion.poses.pose import ShapeState

__all__ = ["Sway", "energy", "extended", "remnant_modes", "shared_out"]

ALIKE = 1e-9  # of the larger: what is left below this share is rounding
CRITICAL = 1.0  # damping ratio of what modes and static vectors leave out


@dataclass(frozen=True, eq=False)
class Sway:
    """How a plant moves at one moment: displacement and velocity (nodes, 6), m and rad, m/s and rad/s."""

    displacement: FloatArray
    velocity: FloatArray

    @classmethod
    def of(cls, state: ShapeState, instance: int) -> "Sway":
        """That of one instance."""
        moved, moving = (np.tensordot(one[instance], state.shapes, 1) for one in (state.amount, state.rate))
        return cls(moved, moving)

    def on(self, part: Part) -> "Sway":
        """That of a part of the plant; splinters go along with what they grow from."""
        both = []
        for whole in (self.displacement, self.velocity):
            own = part.values(whole)
            arm = part.plant.position - part.plant.position[part.base]
            own[:, :3] += np.cross(own[:, 3:], arm)
            both.append(own)
        return Sway(*both)


def remnant_modes(modes: Modes, part: Part, *, cache: bool = True) -> Modes:
    """Modes of what is left of a plant: as many, in as many cells, on the roots that it had."""
    conditions, plant = modes.conditions, modes.plant
    spring = float(root_springs(plant, modes.wood, conditions.roots)[0])
    own = part.node >= 0
    found = analyse(
        part.plant,
        count=len(modes),
        wood=modes.wood,
        leaves=conditions.leaves if len(part.plant.leaves) else 0.0,
        gravity=conditions.gravity,
        cells=min(modes.crown, len(part.plant.segments)),
        roots=spring if np.isfinite(spring) else "clamped",
        medium=conditions.medium,
        point_mass=np.where(own, conditions.point_mass[part.node], 0.0),
        point_lift=np.where(own, conditions.point_lift[part.node], 0.0),
        limp=conditions.limp,
        cache=cache,
    )
    ratio = modes.wood.damping_ratio(modes.frequency[:1])[0]
    factor = float(modes.damping[0] / ratio) if ratio > 0 else 1.0  # of a scene file
    return found if factor == 1 else _with_system(found, replace(found, damping=factor * found.damping))


def shared_out(modes: Modes, sway: Sway) -> tuple[Modes, FloatArray, FloatArray]:
    """Modes with those that a sway needs besides, and amounts and rates (shapes,) of all shapes that give that sway."""
    system = modes.system
    both = system.gather(np.stack([sway.displacement, sway.velocity]))
    phi, static = system.gather(modes.shape), system.gather(modes.static.reshape(-1, modes.plant.nodes, 6))
    q = phi.T @ (system.mass @ both)
    rest = both - phi @ q
    lean = np.linalg.pinv(static.T @ (system.stiffness @ static), rcond=ALIKE, hermitian=True) @ (
        static.T @ (system.stiffness @ rest)
    )
    rest -= static @ lean
    extra, amounts, squares = _ritz(system, rest, both)
    found, place = extended(modes, system.spread(extra), squares)
    every = np.zeros((len(found), 2))
    every[place[: len(modes)]], every[place[len(modes) :]] = q, amounts
    amount, rate = np.concatenate([every, lean]).T
    return found, amount, rate


def _ritz(system: System, rest: FloatArray, both: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """(freedoms, n) up to two shapes of unit modal mass that span the rest, (n, 2) how much of each, and (n,) ω²."""
    size, whole = (np.sqrt(np.maximum(np.einsum("ij,ij->j", one, system.mass @ one), 0)) for one in (rest, both))
    kept = size > ALIKE * np.maximum(whole, 1e-150)
    some = rest[:, kept] / size[kept]
    gram = some.T @ (system.mass @ some)
    square, direction = np.linalg.eigh(gram)
    apart = square > ALIKE
    basis = some @ (direction[:, apart] / np.sqrt(square[apart]))
    if not basis.shape[1]:
        return basis, np.zeros((0, 2)), np.zeros(0)
    squares, mixing = eigh(basis.T @ (system.stiffness @ basis))
    shapes = basis @ mixing
    return shapes, shapes.T @ (system.mass @ rest), squares


def extended(modes: Modes, shape: FloatArray, squares: FloatArray) -> tuple[Modes, IntArray]:
    """Modes with further ones (n, nodes, 6), on which no wind acts; and where each of all is, these last."""
    if not len(squares):
        return modes, np.arange(len(modes))
    count, cells, more = len(modes), modes.cells, len(squares)
    frequency = np.concatenate([modes.frequency, np.sqrt(squares) / (2 * pi)])
    order = np.argsort(frequency, kind="stable")
    none = np.zeros(more)

    def joined(own: FloatArray, others: FloatArray, axis: int = 0) -> FloatArray:
        return np.take(np.concatenate([own, others], axis=axis), order, axis=axis)

    found = replace(
        modes,
        frequency=frequency[order],
        number=np.concatenate([modes.number, np.zeros(more, np.int64)])[order],
        work=joined(modes.work, none),
        damping=joined(modes.damping, np.full(more, CRITICAL)),
        shape=joined(modes.shape, shape),
        projection=joined(modes.projection, np.zeros((cells, more, 3)), axis=1),
        drag_damping=joined(modes.drag_damping, none),
        root_moment=joined(modes.root_moment, ground_moment(modes.system, shape, squares)),
    )
    place = np.empty(count + more, np.int64)
    place[order] = np.arange(count + more)
    return _with_system(modes, found), place


def energy(modes: Modes, sway: Sway) -> float:
    """Kinetic and elastic energy of a plant of these modes that sways so, J."""
    system = modes.system
    u, v = system.gather(np.stack([sway.displacement, sway.velocity])).T
    return float(u @ (system.stiffness @ u) + v @ (system.mass @ v)) / 2


def _with_system(modes: Modes, other: Modes) -> Modes:
    """Other modes of the same plant, with its matrices, which take a while to assemble."""
    vars(other)["_system"] = modes.system
    return other
