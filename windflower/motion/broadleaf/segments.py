"""The segments of a broad-leaved plant as a motion needs them: frames, compliance, rhythm, and who bears whom.

Arrays lie in the order of depth, so that a level of the tree is a slice. Components come first.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.components import product, rotation
from windflower.core.vectors import cross, perpendicular, unit
from windflower.mechanics.wood import Wood
from windflower.motion.broadleaf.constants import BroadleafConstants
from windflower.motion.broadleaf.joint_limits import joint_limits
from windflower.motion.broadleaf.segment_rhythm import borne_inertia, rhythm
from windflower.plant.blades import Blades
from windflower.plant.graph import Plant

__all__ = ["Segments", "segments_of", "transfer_matrix"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Segments:
    """Static arrays. The axes of a segment's frame are across, along (the paper's Z) and normal.

    order, rank  (nodes,)        the node at each place of this order, and the place of each node
    parent       (nodes,)        in this order; roots name themselves
    doublings                    for 1, 2, 4, 8 … segments: which nodes are so deep, and the nodes so far below them
    below        (nodes, nodes)  1 for each segment on the way from the root
    root         (3, nodes)      where each node's root is, m
    frame        (3, 3, nodes)   at rest; columns are the axes
    joint        (3, 3, nodes)   the frame at rest, seen from the parent's
    length       (nodes,)        m; zero at roots
    area         (nodes,)        diameter times length, m²
    mass         (nodes,)        of the wood, kg
    compliance   (3, nodes)      turn for a moment about each axis, rad/(N m)
    omega        (3, nodes)      rad/s
    damping                      ratio
    least, most  (3, nodes)      turn about each axis, rad
    borne        (nodes, nodes)  what each segment feels of the force on itself and on all that it bears: eq. 4
    borne_mass   (nodes,)        the same of masses, with blades, kg
    """

    order: IntArray
    rank: IntArray
    parent: IntArray
    doublings: tuple[tuple[IntArray, IntArray], ...]
    below: "sparse.csr_array"
    root: FloatArray
    frame: FloatArray
    joint: FloatArray
    length: FloatArray
    area: FloatArray
    mass: FloatArray
    compliance: FloatArray
    omega: FloatArray
    damping: float
    least: FloatArray
    most: FloatArray
    borne: "sparse.csr_array"
    borne_mass: FloatArray

    def posed(self, turn: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Nodes (3, count, nodes) and frames (3, 3, count, nodes) of joints turned by vectors (3, count, nodes), rad.

        Root to tips: each frame is the parent's, then the joint's own, then its turn. All segments at once: the frame
        of 1, 2, 4, 8 … segments is that of the upper half, seen from that of the lower half.
        """
        frame = product(self.joint[:, :, None], rotation(turn))
        for upper, lower in self.doublings:
            frame[..., upper] = product(frame.take(lower, axis=-1), frame.take(upper, axis=-1))
        chord = self.length * frame[:, 1]
        return self.root[:, None] + (self.below @ chord.reshape(-1, chord.shape[-1]).T).T.reshape(chord.shape), frame


def segments_of(
    plant: Plant, blades: Blades, blade_mass: FloatArray, wood: Wood, constants: BroadleafConstants
) -> Segments:
    """Find all of it; `blade_mass` (blades, along, across) in kg."""
    order = np.concatenate(plant.levels)
    rank = np.argsort(order)
    frame = _frames(plant, blades)
    mass = wood.density * wood.area * plant.segment_volume * constants.mass
    bladed = np.zeros(plant.nodes, bool)
    bladed[blades.ribs.segment] = True
    compliance = _compliance(plant, wood, bladed, constants)
    inertia = borne_inertia(plant, frame, mass, blades, blade_mass)
    if constants.inertia == "own":
        own = mass * plant.length**2 / 3  # of a rod about its end, eq. 5
        inertia = np.stack([own, own, own], axis=1)
    parent = np.where(plant.parent < 0, np.arange(plant.nodes), plant.parent)
    joint = np.swapaxes(frame[parent], 1, 2) @ frame
    joint[plant.roots] = np.eye(3)
    borne = transfer_matrix(rank[parent[order]], constants.transfer)
    with_blades = mass + np.bincount(blades.ribs.segment.ravel(), blade_mass.sum(axis=2).ravel(), plant.nodes)
    least, most = joint_limits(plant, blades, bladed, constants.softness)
    diameter = (plant.radius + plant.base_radius) * (plant.parent >= 0)
    return Segments(
        order=order,
        rank=rank,
        parent=rank[parent[order]],
        doublings=_doublings(rank[parent[order]], plant.depth[order]),
        below=transfer_matrix(rank[parent[order]], 1.0).T.tocsr(),
        root=plant.position[plant.roots][plant.tree[order]].T.copy(),
        frame=_columns(frame[order]),
        joint=_columns(joint[order]),
        length=plant.length[order],
        area=(diameter * plant.length)[order],
        mass=mass[order],
        compliance=compliance[order].T.copy(),
        omega=rhythm(plant, compliance, inertia, together=constants.inertia == "borne")[order].T.copy(),
        damping=_ratio(wood, constants),
        least=least[order].T.copy(),
        most=most[order].T.copy(),
        borne=borne,
        borne_mass=borne @ with_blades[order],
    )


def transfer_matrix(parent: IntArray, share: float) -> "sparse.csr_array":
    """(nodes, nodes) how much of the force on node j reaches segment i: share^(steps between them), eq. 4 unrolled."""
    rows, columns, values = [], [], []
    here, start, factor = np.arange(len(parent)), np.arange(len(parent)), 1.0
    while len(here):
        rows.append(here)
        columns.append(start)
        values.append(np.full(len(here), factor))
        onward = parent[here] != here
        here, start, factor = parent[here[onward]], start[onward], factor * share
    entries = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
    return sparse.csr_array(entries, shape=(len(parent), len(parent)))


def _doublings(parent: IntArray, depth: IntArray) -> tuple[tuple[IntArray, IntArray], ...]:
    """Pairs of nodes 1, 2, 4, 8 … segments apart, as long as there are any."""
    pairs, ancestor, apart = [], parent, 1
    while (depth >= apart).any():
        upper = np.flatnonzero(depth >= apart)
        pairs.append((upper, ancestor[upper]))
        ancestor, apart = ancestor[ancestor], 2 * apart
    return tuple(pairs)


def _columns(matrices: FloatArray) -> FloatArray:
    return np.ascontiguousarray(np.moveaxis(matrices, 0, -1))


def _ratio(wood: Wood, constants: BroadleafConstants) -> float:
    """The wood's damping ratio, near 1 Hz if it changes with the frequency."""
    if constants.damping is not None:
        return constants.damping
    return wood.damping if isinstance(wood.damping, float) else float(wood.damping.ratio(np.ones(1))[0])


def _frames(plant: Plant, blades: Blades) -> FloatArray:
    """(nodes, 3, 3) across, along, normal. An axis keeps one side as far as it can: its blade's, if it bears one."""
    along = unit(plant.vector)
    begin = np.unique(plant.axis[plant.segments], return_index=True)[1]
    side = np.zeros((int(plant.axis.max()) + 1, 3))
    side[plant.axis[plant.segments[begin]]] = perpendicular(along[plant.segments[begin]])
    side[plant.axis[blades.ribs.bud]] = blades.frame[:, 0, :, 0]
    across = side[plant.axis]
    across = across - np.einsum("nc,nc->n", across, along)[:, None] * along
    lost = np.linalg.norm(across, axis=1) < 1e-3
    across = unit(np.where(lost[:, None], perpendicular(along), across))
    frames = np.stack([across, along, cross(across, along)], axis=-1)
    frames[plant.roots] = np.eye(3)
    return frames


def _compliance(plant: Plant, wood: Wood, bladed: NDArray[np.bool_], constants: BroadleafConstants) -> FloatArray:
    """(nodes, 3) l/EI and l/GJ of the wood; a blade does not let its mid-rib bend in the blade's own plane.

    With a constant K_r, eq. 3 at the segment's tip: l Z × K_r r² (Z × ΔR) = −K_r r² l ΔR about the axes across Z turns
    it back. As printed, ΔR × Z, it would turn it on.
    """
    length = np.maximum(plant.length, 1e-12)
    radius = (plant.radius + plant.base_radius) / 2
    if constants.constant_rigidity is None:
        bend = wood.E * wood.bending * np.pi * radius**4 / 4 / length
    else:
        bend = constants.constant_rigidity * radius**2 * length
    twist = bend * 2 * wood.torsion * wood.shear_modulus / (wood.E * wood.bending)
    soft = np.stack([1 / bend, 1 / twist, np.where(bladed, 0, 1 / bend)], axis=1) / constants.rigidity
    soft[plant.roots] = 0
    return soft
