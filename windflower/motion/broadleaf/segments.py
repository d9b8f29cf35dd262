"""The segments of a broad-leaved plant: their frames, compliance, natural frequencies, limits and load paths.

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
from windflower.plant.blades import Blades
from windflower.plant.graph import Plant

__all__ = ["Segments", "borne_inertia", "rhythm", "segments_of", "transfer_matrix"]

FASTEST = 1e-8  # s²: joints that swing faster than 10,000 rad/s are rigid
OVERTONE = 6.0  # over an axis's first frequency: that of what is not its first mode; 6.3 bending, 3, 5, 7 … twisting
MOST_TURN, MOST_BEND = 1.0, 0.35  # rad of a joint; and where it carries a blade
TILT_SHARE = 0.035  # lift at the rim over the rows' distance that a twist may cause: half of what veins allow
STRAIGHTER = 0.01  # by which veins may lengthen because a curved mid-rib straightens


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
    overtone                     frequency, over that of an axis's first mode, with which all else is damped
    axis         (nodes,)        by number
    shape        (3, nodes)      turns of an axis that swings as a whole, in its first mode, to any scale …
    weigh        (3, nodes)      … and how much each joint says of how far it does
    least, most  (3, nodes)      turn about each axis, rad
    borne        (nodes, nodes)  what each segment feels of the force on itself and on all that it carries: eq. 4
    lightness    (nodes,)        how much a force on a blade that an axis bears speeds up its point, 1/kg
    ease_of_rows (blades, along) how much more one on a row does, over that
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
    overtone: float
    axis: IntArray
    shape: FloatArray
    weigh: FloatArray
    least: FloatArray
    most: FloatArray
    borne: "sparse.csr_array"
    lightness: FloatArray
    ease_of_rows: FloatArray

    def swinging(self, rate: FloatArray) -> FloatArray:
        """(3, count, nodes) the part of rates with which each axis swings as a whole, in its first mode."""
        said = (rate * self.weigh[:, None]).reshape(-1, rate.shape[-1])
        whole = np.stack([np.bincount(self.axis, one) for one in said])[:, self.axis]
        return np.asarray(whole.reshape(rate.shape) * self.shape[:, None])

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
    plant: Plant, blades: Blades, blade_mass: FloatArray, woods: tuple[Wood, Wood], constants: BroadleafConstants
) -> Segments:
    """The segments of a plant; `blade_mass` (blades, along, across) in kg, `woods` of stems and of leaves' axes."""
    order = np.concatenate(plant.levels)
    rank = np.argsort(order)
    frame = _frames(plant, blades)
    kind = np.isin(plant.axis, plant.axis[blades.ribs.bud]).astype(np.int64)  # of wood: petioles and mid-ribs are 1
    mass = np.array([wood.density * wood.area for wood in woods])[kind] * plant.segment_volume * constants.mass
    ribs = _rows_of_ribs(plant, blades)
    bladed = np.zeros(plant.nodes, bool)
    bladed[ribs[0]] = True
    compliance = _compliance(plant, woods, kind, bladed, constants)
    inertia = borne_inertia(plant, frame, mass, blades, blade_mass)
    if constants.inertia == "own":
        own = mass * plant.length**2 / 3  # of a rod about its end, eq. 5
        inertia = np.stack([own, own, own], axis=1)
    parent = np.where(plant.parent < 0, np.arange(plant.nodes), plant.parent)
    joint = np.swapaxes(frame[parent], 1, 2) @ frame
    joint[plant.roots] = np.eye(3)
    borne = transfer_matrix(rank[parent[order]], constants.transfer)
    with_blades = mass + np.bincount(blades.ribs.segment.ravel(), blade_mass.sum(axis=2).ravel(), plant.nodes)
    omega = rhythm(plant, compliance, inertia, together=constants.inertia == "borne")
    lightness = _lightness(plant, frame, blades, compliance * omega**2)[order]
    shape, weigh = _first_mode(plant, compliance, inertia)
    least, most = _joint_limits(plant, blades, ribs, constants.softness)
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
        omega=omega[order].T.copy(),
        damping=_ratio(woods[0], constants),
        overtone=OVERTONE if constants.inertia == "borne" else 1.0,
        axis=plant.axis[order],
        shape=shape[order].T.copy(),
        weigh=weigh[order].T.copy(),
        least=least[order].T.copy(),
        most=most[order].T.copy(),
        borne=borne,
        ease_of_rows=_ease_of_rows(plant, frame, blades, compliance * omega**2),
        lightness=np.maximum(lightness, 1 / (borne @ with_blades[order])),
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
    return float(wood.damping_ratio(np.ones(1))[0])


def _frames(plant: Plant, blades: Blades) -> FloatArray:
    """(nodes, 3, 3) across, along, normal. An axis keeps one side as far as it can: its blade's, if it carries one."""
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


def _compliance(
    plant: Plant,
    woods: tuple[Wood, Wood],
    kind: IntArray,
    bladed: NDArray[np.bool_],
    constants: BroadleafConstants,
) -> FloatArray:
    """(nodes, 3) l/EI and l/GJ of the woods, by each segment's kind (nodes,).

    A blade does not let its mid-rib bend in the blade's own plane.

    With a constant K_r, eq. 3 at the segment's tip: l Z × K_r r² (Z × ΔR) = −K_r r² l ΔR about the axes across Z turns
    it back. As printed, ΔR × Z, it would turn it on.
    """
    length = np.maximum(plant.length, 1e-12)
    radius = (plant.radius + plant.base_radius) / 2
    if constants.constant_rigidity is None:
        bend = np.array([wood.E * wood.bending for wood in woods])[kind] * np.pi * radius**4 / 4 / length
    else:
        bend = constants.constant_rigidity * radius**2 * length
    twist = bend * np.array([2 * wood.torsion * wood.shear_modulus / (wood.E * wood.bending) for wood in woods])[kind]
    soft = np.stack([1 / bend, 1 / twist, np.where(bladed, 0, 1 / bend)], axis=1) / constants.rigidity
    soft[plant.roots] = 0
    return soft


def rhythm(plant: Plant, compliance: FloatArray, inertia: FloatArray, *, together: bool) -> FloatArray:
    """(nodes, 3) frequencies about the axes of each segment's frame, rad/s; `compliance` and `inertia` likewise.

    Joints of an axis swing `together`: 1/ω² = Σ I c over the axis (Dunkerley), where I turns with a joint and c is its
    compliance. For an even cantilever of many segments that is √(12 EI/mL³), 1.5 % below the exact first frequency.
    """
    slow = compliance * inertia
    if together:
        axes = int(plant.axis.max()) + 1
        slow = np.stack([np.bincount(plant.axis, part, axes)[plant.axis] for part in slow.T], axis=1)
    return np.asarray(1 / np.sqrt(np.maximum(slow, FASTEST)))


def _first_mode(plant: Plant, compliance: FloatArray, inertia: FloatArray) -> tuple[FloatArray, FloatArray]:
    """(nodes, 3) and (nodes, 3) `shape` and `weigh` of `Segments`: c I, how axes yield to their own inertia."""
    shape = compliance * inertia
    axes = int(plant.axis.max()) + 1
    whole = np.stack([np.bincount(plant.axis, part, axes)[plant.axis] for part in (shape * inertia).T], axis=1)
    return shape, np.where(shape > 0, inertia / np.maximum(whole, 1e-300), 0.0)


def borne_inertia(
    plant: Plant, frame: FloatArray, mass: FloatArray, blades: Blades, blade_mass: FloatArray
) -> FloatArray:
    """(nodes, 3) inertia of all that a segment carries, as one rigid body about its base and its frame's axes, kg m².

    frame       (nodes, 3, 3)             columns are the axes
    mass        (nodes,)                  of the wood, kg
    blade_mass  (blades, along, across)   kg
    """
    base, d = plant.position - plant.vector, plant.vector
    total, moment = mass.copy(), mass[:, None] * (base + d / 2)
    cross_terms = _outer(base, d) / 2
    second = _outer(base, base) + _outer(d, d) / 3 + cross_terms + np.swapaxes(cross_terms, 1, 2)
    second = mass[:, None, None] * (second + (plant.radius**2 / 4)[:, None, None] * np.eye(3))
    _add_blades(total, moment, second, blades, blade_mass)
    total, moment, second = (plant.subtree_sum(part) for part in (total, moment, second))
    shift = _outer(base, moment)
    about = second - shift - np.swapaxes(shift, 1, 2) + total[:, None, None] * _outer(base, base)
    trace = np.trace(about, axis1=1, axis2=2)
    return np.asarray(trace[:, None] - np.einsum("nia,nij,nja->na", frame, about, frame))


def _lightness(plant: Plant, frame: FloatArray, blades: Blades, ease: FloatArray) -> FloatArray:
    """(nodes,) 1/kg: the acceleration of the points of blades beyond an axis by a force on them, in the mean.

    All joints of an axis turn in the same step: Σ ease r² over them, where r is the arm of a point about each.

    ease  (nodes, 3) c ω², by which a moment speeds up each joint's turn, 1/(kg m²)
    """
    points = np.ones(blades.area.shape)
    square = borne_inertia(plant, frame, np.zeros(plant.nodes), blades, points)
    number = plant.subtree_sum(np.bincount(blades.ribs.segment.ravel(), minlength=plant.nodes) * float(blades.across))
    axes = int(plant.axis.max()) + 1
    most = np.zeros(axes)
    np.maximum.at(most, plant.axis, number)
    return np.asarray((np.bincount(plant.axis, (ease * square).sum(axis=1), axes) / np.maximum(most, 1))[plant.axis])


def _ease_of_rows(plant: Plant, frame: FloatArray, blades: Blades, ease: FloatArray) -> FloatArray:
    """(blades, along) how much more a force on a row speeds it up than one spread over its blade; at least 1.

    A tip yields to a force by all joints of its axis, with its arm squared; `ease` as in `_lightness`.
    """
    centre, joint = blades.point[:, :, blades.middle], blades.ribs.segment
    axis, total = plant.axis[blades.ribs.bud][:, None], np.zeros(joint.shape)
    while (on_leaf := (plant.axis[joint] == axis) & (plant.parent[joint] >= 0)).any():
        arm = centre - plant.position[plant.parent[joint]]
        own = np.einsum("bakc,bak->bac", frame[joint], arm)
        total += on_leaf * (ease[joint] * (np.square(arm).sum(axis=-1, keepdims=True) - own * own)).sum(axis=-1)
        joint = np.where(on_leaf, plant.parent[joint], joint)
    return np.asarray(np.maximum(total / np.maximum(total.mean(axis=1, keepdims=True), 1e-300), 1.0))


def _outer(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.einsum("ni,nj->nij", a, b)


def _add_blades(
    total: FloatArray, moment: FloatArray, second: FloatArray, blades: Blades, blade_mass: FloatArray
) -> None:
    """Add each row's points to the segment that carries them."""
    segment, point = blades.ribs.segment, blades.point
    np.add.at(total, segment, blade_mass.sum(axis=2))
    np.add.at(moment, segment, np.einsum("baj,bajc->bac", blade_mass, point))
    np.add.at(second, segment, np.einsum("baj,bajc,bajd->bacd", blade_mass, point, point))


def _rows_of_ribs(plant: Plant, blades: Blades) -> tuple[IntArray, IntArray]:
    """(pairs,) segments of mid-ribs, and (pairs,) the rows on them, numbered through all blades.

    A segment between two rows that has none of its own has both.
    """
    segment = blades.ribs.segment
    row = np.arange(segment.size).reshape(segment.shape)
    segments, rows = [segment.ravel()], [row.ravel()]
    here, before, after = segment[:, 1:].ravel(), segment[:, :-1].ravel(), row[:, 1:].ravel()
    while (apart := here != before).any():
        here, before, after = plant.parent[here[apart]], before[apart], after[apart]
        bare = here != before
        segments += [here[bare], here[bare]]
        rows += [after[bare], after[bare] - 1]
    return np.concatenate(segments), np.concatenate(rows)


def _joint_limits(
    plant: Plant, blades: Blades, ribs: tuple[IntArray, IntArray], softness: float
) -> tuple[FloatArray, FloatArray]:
    """(nodes, 3) least and most turn about each axis of a segment's frame, rad; `ribs` as `_rows_of_ribs` has them.

    A mid-rib bends and twists no further than its blade's veins can follow.
    """
    segment, row = ribs
    width = np.full(plant.nodes, 1e-12)
    np.maximum.at(width, segment, blades.half_width.ravel()[row])
    most = np.full((plant.nodes, 3), MOST_TURN)
    reach = plant.length[segment] / width[segment]
    most[segment, 0] = np.minimum(MOST_BEND, 2 * (1 - softness) * reach)
    most[segment, 1] = np.minimum(MOST_BEND, TILT_SHARE * reach)
    least, (down, up) = -most, _straightening(plant, blades, ribs)
    most[:, 0], least[:, 0] = np.minimum(most[:, 0], up), np.maximum(least[:, 0], -down)
    return least, most


def _straightening(plant: Plant, blades: Blades, ribs: tuple[IntArray, IntArray]) -> tuple[FloatArray, FloatArray]:
    """(nodes,) and (nodes,) how far a joint may turn down and up, rad, for veins that its bend at rest makes shorter.

    They are shorter than the mid-rib by b · lift. If it straightened, they would have to lengthen.
    """
    segment, row = ribs
    centre, normal = blades.point[:, :, blades.middle], blades.frame[..., 2]
    lift = np.einsum("bajc,bac->baj", blades.point - centre[:, :, None], normal)
    step = np.diff(centre, axis=1)
    between = -np.einsum("bac,bac->ba", step, np.diff(normal, axis=1)) / np.square(step).sum(axis=-1)
    bend = np.concatenate([between[:, :1], between], axis=1)
    down, up = np.full(plant.nodes, np.inf), np.full(plant.nodes, np.inf)
    for limit, side in ((down, lift.max(axis=2)), (up, lift.min(axis=2))):
        shorter, high = (bend * side > STRAIGHTER).ravel()[row], np.abs(side).ravel()[row]
        room = STRAIGHTER / np.maximum(high, 1e-12) * plant.length[segment]
        np.minimum.at(limit, segment, np.where(shorter, room, np.inf))
    return down, up
