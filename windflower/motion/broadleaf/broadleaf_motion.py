"""Broad-leaved plants in motion: segments that turn, and blades of mass points (Guo, Li & Feng 2006, §3).

    wind ─> blade_forces ─> segment_forces ─> segments ─> rows ─> blade_lift ─> contact, constraints ─> points
            eq. 6           eq. 1–4,          eq. 3, 5         root    eq. 7, 8      eq. 9
                            tips to root                       to tips

Equation numbers are the paper's. `body` puts the static parts together, `step` takes them through
one sub-step; inside, vectors are component-first (`components`).
"""

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.budgets import within
from windflower.core.components import first, last
from windflower.errors import MotionError
from windflower.mechanics.foliage import GENERIC_LEAF, known_species
from windflower.mechanics.wood import Wood, wood_of
from windflower.motion.broadleaf.blade_lift import LiftStep, lift_step
from windflower.motion.broadleaf.body import body_of
from windflower.motion.broadleaf.constants import BroadleafConstants
from windflower.motion.broadleaf.constraints import within_limits
from windflower.motion.broadleaf.eddies import first_phase
from windflower.motion.broadleaf.step import Air, Moving, substep
from windflower.motion.contract import Motion, checked_air, checked_dt, refuse_blown_up
from windflower.motion.places import Places
from windflower.motion.touch import Touch
from windflower.plant.blade_levels import blade_levels
from windflower.plant.blades import Blades, blades_of
from windflower.plant.graph import Plant
from windflower.plant.species.settings import Blade

__all__ = ["BroadleafMotion", "BroadleafState"]

SETTLING, SINKING = 1 / 30, 150  # s, and steps
SHAPE = ("turn", "node", "frame", "point", "lift", "side")  # of a state, without what moves


@dataclass(frozen=True, eq=False, kw_only=True)
class BroadleafState:
    """Where a plant's segments and blades are, at each place, in the plant's own frame and time.

    turn, rate           (count, nodes, 3)     joints about their segments' axes: across, along, normal; rad, rad/s
    node, node_velocity  (count, nodes, 3)     m, m/s
    frame                (count, nodes, 3, 3)  of the segments; columns are the axes
    point, velocity      (count, blades, along, across, 3)  m, m/s
    lift                 (count, blades, along, across)     of points above the plane of their row's frame, m
    phase                (count, blades)       of the eddies that blades shed, rad
    side                 (count, blades, blades)  1 where the first lies above the second, -1 below, 0 neither;
                         half of it where they are let be as grown (`contact.GROWN`)
    """

    places: Places
    turn: FloatArray
    rate: FloatArray
    node: FloatArray
    node_velocity: FloatArray
    frame: FloatArray
    point: FloatArray
    velocity: FloatArray
    lift: FloatArray
    phase: FloatArray
    side: FloatArray

    def __len__(self) -> int:
        return len(self.node)


class BroadleafMotion(Motion["BroadleafState"]):
    """A plant with broad leaves, each the end of an axis of its own.

    plant          a plant whose leaves end axes of their own
    constants      what can be set; `retuned` changes it while the plant moves
    wood           of stems and mid-ribs; by default the species', whose blades may name another for mid-ribs
    blade          shape and stiffness of blades; by default the species'
    aspect         ratio of width to length of a blade; by default the species'
    along, across  numbers of mass points from base to apex and from rim to rim, if other than the blade's own

    `blades` are the blades at rest, `body` is what moves.
    """

    kind = "broadleaf"
    refuses_hands = None

    def __init__(
        self,
        plant: Plant,
        *,
        constants: BroadleafConstants | None = None,
        wood: Wood | None = None,
        blade: Blade | None = None,
        aspect: float | None = None,
        along: int | None = None,
        across: int | None = None,
    ) -> None:
        species = known_species(plant)
        leaf = (species.leaf if species else None) or GENERIC_LEAF
        kind = blade or (species.blade if species else None) or Blade()
        of_stem = wood or wood_of(species.wood if species else "hardwood")
        of_ribs = wood or (wood_of(kind.wood) if kind.wood else of_stem)
        self._plant, self.constants = plant, constants or BroadleafConstants()
        self._options = {"wood": wood, "blade": kind, "aspect": aspect, "along": along, "across": across}
        self._blades = blades_of(plant, kind, aspect=aspect or leaf.aspect, along=along, across=across)
        self.body = body_of(
            plant,
            self.blades,
            (of_stem, of_ribs),
            self.constants,
            per_area=leaf.mass_per_area,
            stiffness=kind.stiffness,
        )
        self.lift_step = lru_cache(maxsize=4)(self._new_lift_step)

    def __repr__(self) -> str:
        return f"<BroadleafMotion of {self.plant!r} with {self.blades!r}>"

    @property
    def plant(self) -> Plant:
        """The plant that moves."""
        return self._plant

    @property
    def blades(self) -> Blades:
        """The blades at rest."""
        return self._blades

    @property
    def kept_points(self) -> tuple[IntArray, ...]:
        """(points,) for each level, its nodes and points of blades."""
        return tuple(level.kept for level in blade_levels(self.plant, self.blades))

    def points(self, state: BroadleafState) -> FloatArray:
        """(count, points, 3) nodes, then points of blades, m."""
        return np.concatenate([state.node, state.point.reshape(len(state), -1, 3)], axis=1)

    def retuned(self, **changes: Any) -> "BroadleafMotion":
        """The same plant with other constants; it goes on from any state of this one."""
        options: dict[str, Any] = self._options
        return BroadleafMotion(self.plant, constants=replace(self.constants, **changes), **options)

    def taking_over(self, state: BroadleafState, places: Places) -> BroadleafState:
        """A state of a plant with as many nodes and blades, as this one has it: joints turned and blades lifted alike.

        Lengths are this plant's own. Nodes and points keep their velocities.
        """
        before = self._moving(state)
        node, frame = self.body.segments.posed(before.turn)
        rows = self.body.stations.rows(node, frame)
        out, lift = within_limits(before.lift, rows, self.body.limits)
        point = rows.points(self.body.points.home, out, lift)
        return self._state(replace(before, node=node, frame=frame, point=point, lift=lift), places)

    def probes(self, places: Places) -> FloatArray:
        """(count, nodes, 3) the nodes at rest in the world, m; rows of blades feel what lies between."""
        return places.to_world(self.plant.position)

    def rest(self, places: Places | None = None) -> BroadleafState:
        """The state of rest: the modelled shape, or with "sag" what weight makes of it. By default at the origin."""
        places = Places() if places is None else places
        modelled = self._modelled(places)
        if self.constants.weight != "sag":
            return modelled
        sunk: dict[str, Any] = {name: _each(len(places), getattr(self._sunk, name)[0]) for name in SHAPE}
        return replace(modelled, **sunk)

    @cached_property
    def _sunk(self) -> BroadleafState:
        """One instance in equilibrium with its weight."""
        calm = self.retuned(damping=1.0, blade_damping=1.0)
        state, air = calm._modelled(Places()), np.zeros((1, self.plant.nodes, 3))
        for _ in range(SINKING):
            state = calm.step(state, air, SETTLING)
        return state

    def _modelled(self, places: Places) -> BroadleafState:
        count, segments = len(places), self.body.segments
        still, frame = np.zeros((count, self.plant.nodes, 3)), np.moveaxis(segments.frame[..., segments.rank], -1, 0)
        point = _each(count, self.blades.point)
        return BroadleafState(
            places=places,
            turn=still,
            rate=still,
            node=_each(count, self.plant.position),
            node_velocity=still,
            frame=_each(count, frame),
            point=point,
            velocity=np.zeros(point.shape),
            lift=_each(count, self.body.points.home[2]),
            phase=_each(count, first_phase(self.blades)),
            side=_each(count, self.body.side),
        )

    def settled(self, places: Places, air: ArrayLike, *, seconds: float = 20.0) -> BroadleafState:
        """The state after some seconds in a wind `air` (count, nodes, 3) that does not change."""
        state = self.rest(places)
        for _ in range(ceil(seconds / SETTLING)):
            state = self.step(state, air, SETTLING)
        return state

    def substeps(self, places: Places, dt: float) -> int:
        """The number of sub-steps in a step of dt seconds."""
        count = max(1, ceil(dt / float(places.scale.min()) / self.constants.longest - 1e-9))
        within("substeps", count, "Raise longest or the scale of the plants, or take shorter steps", error=MotionError)
        return count

    def step(self, state: BroadleafState, air: ArrayLike, dt: float, *, touch: Touch | None = None) -> BroadleafState:
        """Go on by dt seconds, through which the wind at the probes is `air` (count, nodes, 3), m/s."""
        places = state.places
        wind = places.turned_to_plant(checked_air(air, (len(places), self.plant.nodes, 3)))
        count = self.substeps(places, dt := checked_dt(dt))
        if touch is not None:
            touch.check(self.plant, len(places))
        if dt == 0:
            return state
        at_nodes = first(wind).take(self.body.segments.order, axis=-1)
        felt = Air(at_nodes, self.body.stations.read(at_nodes)[..., None])
        moving, lift = self._moving(state), self.lift_step(places, dt / count)
        for _ in range(count):
            moving = substep(self.body, moving, felt, lift, places, touch=touch)
            if self.constants.integrator == "paper":
                refuse_blown_up(dt / count, "implicit", moving.turn, moving.rate, moving.point, moving.velocity)
        return self._state(moving, places)

    def pose(self, state: BroadleafState) -> FloatArray:
        """(count, nodes, 3) node positions in the plant's own frame, m."""
        return state.node

    def _new_lift_step(self, places: Places, h: float) -> LiftStep:
        return lift_step(self.body.points, places, h, self.constants)

    def _moving(self, state: BroadleafState) -> Moving:
        order = self.body.segments.order
        turn, rate, node, velocity = (
            first(part).take(order, axis=-1) for part in (state.turn, state.rate, state.node, state.node_velocity)
        )
        frame = np.moveaxis(state.frame, (-2, -1), (0, 1)).take(order, axis=-1)
        return Moving(
            turn=turn,
            rate=rate,
            node=node,
            node_velocity=velocity,
            frame=frame,
            rows=self.body.stations.rows(node, frame),
            point=first(state.point),
            velocity=first(state.velocity),
            lift=state.lift,
            phase=state.phase,
            side=state.side,
        )

    def _state(self, moving: Moving, places: Places) -> BroadleafState:
        rank = self.body.segments.rank
        return BroadleafState(
            places=places,
            turn=last(moving.turn.take(rank, axis=-1)),
            rate=last(moving.rate.take(rank, axis=-1)),
            node=last(moving.node.take(rank, axis=-1)),
            node_velocity=last(moving.node_velocity.take(rank, axis=-1)),
            frame=np.moveaxis(moving.frame.take(rank, axis=-1), (0, 1), (-2, -1)),
            point=last(moving.point),
            velocity=last(moving.velocity),
            lift=moving.lift,
            phase=moving.phase,
            side=moving.side,
        )


def _each(count: int, rest: FloatArray) -> FloatArray:
    """The same for every instance."""
    return np.repeat(rest[None], count, axis=0)
