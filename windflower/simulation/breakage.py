"""What breaks in a simulation: plants of a stand are read by gauges, part, and go on as stands of their own."""

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import MechanicsError
from windflower.mechanics import Modes
from windflower.motion.breaking.cuts import Cut, Part, cut
from windflower.motion.breaking.gauges import BreakGauges, Failure
from windflower.motion.breaking.ground import Ground, level
from windflower.motion.breaking.piece import PieceMotion, body_of, released
from windflower.motion.breaking.remnant import Sway, remnant_modes, shared_out
from windflower.motion.breaking.toppling import TopplingMotion, with_root_plate
from windflower.motion.contract import Motion
from windflower.motion.leaves import LeafMotion
from windflower.motion.leaves.foliage import Foliage
from windflower.motion.places import Places
from windflower.motion.poses.pose import ShapeState
from windflower.motion.stand import Stand
from windflower.plant.graph import Plant
from windflower.scene import Scene
from windflower.simulation.simulated_stand import SimulatedStand
from windflower.wind import Wind

__all__ = ["Breakage", "Damage"]

EVERY = 1 / 20  # s from one reading of the gauges to the next
CASCADE = 0.3  # s from one break of a tree to its next: what else fails meanwhile goes together then
NUDGE = 1e-4  # s, for the velocities of posed nodes


class Simulated(Protocol):
    """What breaks need of a simulation."""

    scene: Scene
    wind: Wind
    time: float
    dt: float
    stands: list[SimulatedStand]

    def on_backend(self, stand: Stand, scene: Scene) -> SimulatedStand:
        """A stand of a scene as it begins at this moment."""
        ...


@dataclass(frozen=True)
class Damage:
    """One break.

    time       s
    stand      number of the stand in the scene, and which instance of it broke
    kind       "branch", "trunk" or "uprooted"
    height     of the break above the foot of the tree, m
    diameter   of the wood there, m
    """

    time: float
    stand: int
    instance: int
    kind: str
    height: float
    diameter: float


@dataclass(frozen=True, eq=False)
class _Parted:
    """A plant in parts, and the modes of what is left of it."""

    parts: Cut
    modes: Modes


class Breakage:
    """Breaks of a simulation.

    damage  what has broken, in order
    """

    def __init__(self, *, waits: bool) -> None:
        self.damage: list[Damage] = []
        self._pool = None if waits else ThreadPoolExecutor(1, "windflower-breaking")
        self._gauges: dict[SimulatedStand, BreakGauges] = {}
        self._origin: dict[SimulatedStand, tuple[SimulatedStand, int]] = {}  # of what came from a break
        self._rests: dict[SimulatedStand, float] = {}  # until when it breaks no further
        self._pending: dict[tuple[SimulatedStand, int], Future[_Parted | None]] = {}

    def steps(self, simulation: Simulated) -> int:
        """How many steps to take before the next reading."""
        if not any(one.stand.breaking for one in simulation.stands):
            return 10**9
        return max(1, round(EVERY / simulation.dt))

    def check(self, simulation: Simulated) -> None:
        """Read the gauges of all stands that may break, and part what gives way; nothing does before time 0."""
        if simulation.time < 0:
            return
        for moved in list(simulation.stands):
            breaks = moved.stand.breaking is not None and not moved.gone.all()
            state = moved.shape_state() if breaks else None
            if state is None:
                continue
            for instance, parted in self._prepared(moved):
                self._part(simulation, moved, state, instance, parted)
            if simulation.time < self._rests.get(moved, 0.0):
                continue
            waiting = moved.gone.copy()
            waiting[[instance for stand, instance in self._pending if stand is moved]] = True
            for failure in self._gauges_of(moved).failures(state.amount, waiting):
                self._give_way(simulation, moved, state, failure)

    def lasting(
        self, broken: Sequence[SimulatedStand], pairs: Sequence[tuple[SimulatedStand, SimulatedStand]]
    ) -> list[SimulatedStand]:
        """Of stands that came from breaks, those whose trees stand where they stood in a changed scene.

        pairs  stands of the scene before, and what became of each
        """
        stays = {old: new for old, new in pairs if _same_trees(old, new)}
        kept = []
        for one in broken:
            source, instance = self._tree(*self._origin[one])
            if source in stays:
                new = stays[source]
                new.gone[instance] = True
                kept.append(one)
                if one in self._rests:  # what is left of a tree breaks on if its stand does
                    one.stand = replace(one.stand, breaking=new.stand.breaking)
                if self._origin[one][0] is source:
                    self._origin[one] = new, instance
        alive = {*kept, *(new for _, new in pairs)}
        self._origin = {one: came for one, came in self._origin.items() if one in alive}
        self._gauges = {one: gauges for one, gauges in self._gauges.items() if one in alive}
        self._rests = {one: until for one, until in self._rests.items() if one in alive}
        self._pending = {key: future for key, future in self._pending.items() if key[0] in alive}
        return kept

    def _tree(self, moved: SimulatedStand, instance: int) -> tuple[SimulatedStand, int]:
        """The stand of the scene and the instance that a stand, which may come from a break, was once."""
        while moved in self._origin:
            moved, instance = self._origin[moved]
        return moved, instance

    def _gauges_of(self, moved: SimulatedStand) -> BreakGauges:
        known, modes = self._gauges.get(moved), _modes(moved)
        if known is None or known.modes is not modes:
            stand = moved.stand
            assert stand.breaking is not None
            limits = BreakGauges.of(stand.breaking, modes, stand.places, stand.numbers)
            if known is not None and known.limit.shape == limits.limit.shape and moved in self._origin:
                limits = BreakGauges(modes, stand.places, known.limit, known.holds)
            known = self._gauges[moved] = limits
        return known

    def _prepared(self, moved: SimulatedStand) -> list[tuple[int, _Parted]]:
        """Instances of a stand whose parts have been made in the background."""
        ready = []
        for (stand, instance), future in list(self._pending.items()):
            if stand is moved and future.done():
                del self._pending[stand, instance]
                if (parted := future.result()) is not None:
                    ready.append((instance, parted))
                else:
                    self._gauges_of(moved).limit[instance] = np.inf
        return ready

    def _give_way(self, simulation: Simulated, moved: SimulatedStand, state: ShapeState, failure: Failure) -> None:
        if failure.moment is not None:
            self._uproot(simulation, moved, state, failure)
        elif self._pool is not None:
            self._pending[moved, failure.instance] = self._pool.submit(_parted, _modes(moved), failure.nodes)
        elif (parted := _parted(_modes(moved), failure.nodes)) is not None:
            self._part(simulation, moved, state, failure.instance, parted)
        else:
            self._gauges_of(moved).limit[failure.instance] = np.inf

    def _part(
        self,
        simulation: Simulated,
        moved: SimulatedStand,
        state: ShapeState,
        instance: int,
        parted: _Parted,
    ) -> None:
        """Let what is left of an instance go on by itself, and its pieces fall."""
        stand, left = moved.stand, parted.parts.remnant
        assert stand.breaking is not None
        modes, amount, rate = shared_out(parted.modes, Sway.of(state, instance).on(left))
        motion, one = stand.breaking.remade(modes), _alone(stand, instance)
        remnant = self._added(
            simulation,
            moved,
            instance,
            replace(
                one,
                motion=motion,
                foliage=_foliage(stand, left.plant),
                quivers_above=None if stand.quivers_above is None else modes.static_frequency,
            ),
        )
        self._rests[remnant] = simulation.time + CASCADE
        own = remnant.shape_state()
        if own is not None:
            shapes = np.concatenate([modes.shape, modes.static.reshape(-1, left.plant.nodes, 6)])
            remnant.resume(ShapeState(left.plant, own.places, shapes, amount[None], rate[None]))
        self._gauges[remnant] = _handed_on(self._gauges_of(moved), instance, modes, one.places, left)
        points, velocity = _posed(stand, state, instance)
        for piece in parted.parts.pieces:
            self._drop(simulation, moved, instance, piece, points, velocity)
            node, plant = int(piece.node[1]), _modes(moved).plant
            kind = "trunk" if plant.is_stem[node] else "branch"
            self._note(simulation, moved, instance, kind, node, float(plant.position[plant.parent[node], 1]))
        moved.gone[instance] = True

    def _drop(
        self,
        simulation: Simulated,
        moved: SimulatedStand,
        instance: int,
        piece: Part,
        points: FloatArray,
        velocity: FloatArray,
    ) -> None:
        stand, body = moved.stand, body_of(_modes(moved), piece)
        one = _alone(stand, instance)
        arm = piece.plant.position - piece.plant.position[piece.base]  # splinters stand off as at rest
        start = released(body, one.aloft, piece.values(points) + arm, piece.values(velocity))
        motion = PieceMotion(body, start, ground=_ground(simulation, one.places))
        foliage = _foliage(stand, piece.plant)
        self._added(
            simulation, moved, instance, replace(one, motion=motion, foliage=foliage, quivers_above=None, breaking=None)
        )

    def _uproot(self, simulation: Simulated, moved: SimulatedStand, state: ShapeState, failure: Failure) -> None:
        stand, modes, instance = moved.stand, _modes(moved), failure.instance
        one = _alone(stand, instance)
        below, plate = stand.motion.below, with_root_plate(stand.plant)
        assert failure.moment is not None
        air = stand.feels(simulation.wind).velocity(below.probes(one.aloft), simulation.time)
        start = _state(below, below.begin(one.aloft, air, simulation.time), state, instance)
        ground = _ground(simulation, one.places)
        motion = TopplingMotion(below, plate, body_of(modes), failure.moment, start, ground=ground)
        self._added(
            simulation, moved, instance, replace(one, motion=motion, foliage=_foliage(stand, plate), breaking=None)
        )
        self._note(simulation, moved, instance, "uprooted", 1 + int(np.argmax(stand.plant.base_radius[1:])), 0.0)
        moved.gone[instance] = True

    def _added(self, simulation: Simulated, moved: SimulatedStand, instance: int, stand: Stand) -> SimulatedStand:
        new = simulation.on_backend(stand, simulation.scene)
        simulation.stands.append(new)
        self._origin[new] = moved, instance
        return new

    def _note(
        self, simulation: Simulated, moved: SimulatedStand, instance: int, kind: str, node: int, height: float
    ) -> None:
        stand = moved.stand
        scale, (tree, number) = float(stand.places.scale[instance]), self._tree(moved, instance)
        diameter = 2 * scale * float(stand.plant.base_radius[node])
        stands = simulation.stands
        self.damage.append(Damage(simulation.time, stands.index(tree), number, kind, scale * height, diameter))


def _parted(modes: Modes, nodes: IntArray) -> _Parted | None:
    """A plant parted at these nodes; None where no modes of what is left can be found: then its wood holds."""
    parts = cut(modes.plant, nodes)
    try:
        return _Parted(parts, remnant_modes(modes, parts.remnant))
    except MechanicsError:
        return None


def _modes(moved: SimulatedStand) -> Modes:
    modes = getattr(moved.stand.motion.below, "modes", None)
    if not isinstance(modes, Modes):
        raise MechanicsError(f"what breaks moves by its modes; {moved.stand.name} does not. Use modal motion.")
    return modes


def _same_trees(old: SimulatedStand, new: SimulatedStand) -> bool:
    one, other = old.stand, new.stand
    return one.plant is other.plant and one.places.same_as(other.places)


def _alone(stand: Stand, instance: int) -> Stand:
    """The stand with one of its instances alone."""
    return replace(stand, places=stand.places.some(np.array([instance])), counted_from=stand.counted_from + instance)


def _foliage(stand: Stand, plant: Plant) -> Foliage | None:
    """The leaves of a stand, on a part of its plant."""
    own = stand.foliage
    if own is None:
        return None
    return Foliage(LeafMotion.of(plant, flutter=own.leaves.flutter, seed=own.leaves.seed), own.season)


def _posed(stand: Stand, state: ShapeState, instance: int) -> tuple[FloatArray, FloatArray]:
    """(nodes, 3) positions of the nodes of an instance in its plant's frame, m, and their velocities, m/s."""
    motion, places = stand.motion.below, state.places.some(np.array([instance]))
    seen = []
    for ahead in (0.0, NUDGE):
        one = ShapeState(
            state.plant,
            places,
            state.shapes,
            (state.amount + ahead * state.rate)[[instance]],
            state.rate[[instance]],
        )
        seen.append(motion.pose(motion.resumed(motion.rest(places), one))[0])
    return seen[0], (seen[1] - seen[0]) / NUDGE


def _state(motion: Motion[Any], begun: Any, state: ShapeState, instance: int) -> Any:
    """A motion's state, begun at one place, with the amounts of an instance of a stand."""
    mine = np.array([instance])
    one = ShapeState(state.plant, state.places.some(mine), state.shapes, state.amount[mine], state.rate[mine])
    return motion.resumed(begun, one)


def _handed_on(gauges: BreakGauges, instance: int, modes: Modes, places: Places, part: Part) -> BreakGauges:
    """The gauges of what is left: each piece of wood keeps its strength; splinters have nothing to lose."""
    limit = np.where(part.node >= 0, gauges.limit[instance][part.node], np.inf)
    return BreakGauges(modes, places, limit[None], gauges.holds[[instance]])


def _ground(simulation: Simulated, places: Places) -> Ground:
    """The height of the ground below points in the frame of a plant."""
    land = simulation.scene.ground.terrain
    if land is None:
        return level
    foot, scale = float(places.position[0, 1]), float(places.scale[0])

    def height(points: FloatArray) -> FloatArray:
        return np.asarray((land.height(places.to_world(points)[0][:, [0, 2]]) - foot) / scale)

    return height
