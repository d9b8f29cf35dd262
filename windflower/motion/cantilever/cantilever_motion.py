"""Every segment a flat spring in the wind: the cheapest motion (Ota et al. 2003; Yildiz §3).

    P = F (1 + a sin(2πf t + b))        pressure with oscillation, eq. 1–2; F the drag in newtons
    δ = P/k,  sin Θ = δ/l               displacement and angle, eq. 3–7; see `springs`
    Θ ≤ 20°                             then summed from parent to child, fig. 5

As vectors: segments turn about d × F, so that standing and hanging ones bend with the wind alike (fig. 10 corrects the
sign by hand). The load is seen in the frame that the parent's turn carries: a branch that has turned into the wind is
turned no further, and a hanging one is drawn down by its weight. The oscillation grows with the bend, as √(Θ/Θmax) with
Θ the angle from where the segment stands at rest.

    Springs ──> Branches ──> Chains: turns summed from parent to child ──> nodes
    Crown ──> dynamic wind ──> lean of slow and fast axes ──┘
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from math import pi

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.quaternions import back, joined, of_turn, turned
from windflower.errors import MotionError
from windflower.mechanics.foliage import known_species
from windflower.mechanics.wood import Wood, wood_of
from windflower.motion.cantilever.branches import BANDS, DOWN, SOFTEST, Branches, axial, branches_of
from windflower.motion.cantilever.crown import Crown
from windflower.motion.cantilever.springs import Springs
from windflower.motion.contract import Motion, checked_air, checked_dt, one_of
from windflower.motion.grains import check_exponent, coloured_noise, lowest_octave, moment_of
from windflower.motion.oscillator import advance, following_step
from windflower.motion.places import Places
from windflower.motion.poses.pose import parts
from windflower.motion.rhythm import Whole, clock_of, keys, scrambled, wave
from windflower.motion.touch import Touch
from windflower.plant.graph import Plant

__all__ = ["QUICKER", "CantileverMotion", "CantileverState", "Chains"]

AT_ONCE = np.array([[0.0, 0, 0, 1], [0, 0, 0, 0]])  # a step to where the wind is
QUICKER = 256  # parts of the factor on an instance's rhythms, so that it is a whole number
LARGEST = 1e9  # rad of a turn before it is limited


class Chains:
    """The segments of a plant laid out by depth, so that a level is a slice. `rank` is the place of each node."""

    def __init__(self, branches: Branches) -> None:
        plant, self.branches = branches.plant, branches
        self.order = np.concatenate(plant.levels)
        self.rank = np.argsort(self.order)
        self._parent = self.rank[plant.parent[self.order]]
        self._bounds = np.cumsum([0, *(len(level) for level in plant.levels)])
        self._wind, self._weight = branches.wind[:, self.order], branches.weight[self.order]
        self._wind_axis, self._weight_axis = axial(self._wind), axial(self._weight)
        self._chord = plant.vector[self.order][:, :, None]
        self._roots = plant.position[self.order[: len(plant.roots)]][:, :, None]
        self._limit, self._band = branches.limit[self.order][:, None, None], branches.band[self.order]

    def walk(
        self, lean: FloatArray, stiffness: FloatArray, beat: FloatArray, swing: float
    ) -> tuple[FloatArray, FloatArray]:
        """Positions, m, and own turns (nodes, 3, instances), in the order of depth.

        lean       (bands, cells, 3, instances)  the dynamic wind as axes of each band follow it, over the stiffness
        stiffness  (instances,)                  factor on the wood's
        beat       (nodes, instances)            the oscillation, about -1 to 1
        swing                                    how much of the bend it is where that reaches the limit
        """
        nodes, count, beat = len(self.order), lean.shape[-1], beat[self.order][:, None]
        frame, turn = np.zeros((nodes, 4, count)), np.zeros((nodes, 3, count))
        points = np.empty((nodes, 3, count))
        points[: len(self._roots)], frame[: len(self._roots), 3] = self._roots, 1
        for first, end in pairwise(self._bounds[1:]):
            mine, parent = slice(first, end), self._parent[first:end]
            bend = self._bend(mine, frame[parent], lean, stiffness)
            turn[mine] = self._swinging(mine, frame[parent], bend, swing * beat[mine])
            frame[mine] = joined(frame[parent], of_turn(turn[mine]))
            points[mine] = points[parent] + turned(frame[mine], self._chord[mine])
        return points, turn

    def _bend(self, mine: slice, carried: FloatArray, lean: FloatArray, stiffness: FloatArray) -> FloatArray:
        """(segments, 3, instances) δ/l of eq. 3–6 as a vector about which segments turn, in the frame of the parent.

        A load that the turn itself changes is taken as it is after the turn, to first order: for a bend f m × F
        that is f m × F / (1 + f m · F).
        """
        down = back(carried, DOWN[:, None])
        bent = self._weight[mine] @ (down - DOWN[:, None]) / stiffness
        held = 1 + _dot(self._weight_axis[mine], down) / stiffness
        for cell in range(self.branches.cells):
            force = back(carried, lean[self._band[mine], cell])
            bent += self._wind[cell, mine] @ force
            held += _dot(self._wind_axis[cell, mine], force)
        free = np.clip(bent / np.maximum(held, SOFTEST), -LARGEST, LARGEST)
        return _limited(free, self._limit[mine])

    def _swinging(self, mine: slice, carried: FloatArray, bend: FloatArray, beat: FloatArray) -> FloatArray:
        """The bend with its oscillation, 1 + a sin(2πf t + b) of eq. 1, where a grows with the angle from rest."""
        from_rest = 2 * _size(carried[:, :3]) + _size(bend)
        a = np.sqrt(np.minimum(from_rest / self._limit[mine], 1))
        return _limited(bend * (1 + a * beat), self._limit[mine])


def _limited(turn: FloatArray, limit: FloatArray) -> FloatArray:
    """Turns (segments, 3, instances) that are no longer than the limit."""
    return np.asarray(turn * np.minimum(1, limit / np.maximum(_size(turn), 1e-30)))


def _size(vectors: FloatArray) -> FloatArray:
    """(segments, 1, instances) lengths of vectors (segments, 3, instances)."""
    return np.asarray(np.linalg.norm(vectors, axis=1, keepdims=True))


def _dot(vector: FloatArray, force: FloatArray) -> FloatArray:
    """(segments, 1, instances) scalar products of vectors (segments, 3) and forces (segments, 3, instances)."""
    return np.asarray(vector[:, None] @ force)


@dataclass(frozen=True, eq=False, kw_only=True)
class CantileverState:
    """How far the axes have followed the wind, at each place.

    time        s
    push        (count, cells, 3)         the dynamic wind at the end of the last step, in the plant's frame, (m/s)²
    lean, rate  (count, bands, cells, 3)  how far fast and slow axes have followed it, and the rate of change
    """

    places: Places
    time: float
    push: FloatArray
    lean: FloatArray
    rate: FloatArray

    def __len__(self) -> int:
        return len(self.push)


class CantileverMotion(Motion["CantileverState"]):
    """A plant of flat springs.

    plant      the plant
    wood       a name or a `Wood`; by default the species' own, or a generic hardwood
    leaves     whether the leaves weigh and catch the wind
    cells      in how many cells the crown feels the wind
    limit      degrees that a segment turns at most against its parent
    swing      factor a where the bend reaches the limit: how strongly branches oscillate about it; 0 not at all
    frequency  of the oscillation, Hz; None for that of each axis by its own stiffness and mass. The paper's sin(t + b)
               is 0.159
    noise      β of 1/f^β noise (Ota) about that frequency, in place of the paper's sine
    unison     share, 1: all segments of an axis oscillate together; 0: each has its own phase, as in the paper
    loads      "borne": a segment bends under the wind on all that it carries, exactly as a beam does;
               "own": under that on itself alone, as in the paper, and then without weight
    weight     whether weight draws down again what has been lifted
    inertia    whether thick axes follow the wind more slowly than thin ones; without, F is the wind of the moment
    seed       of the phases
    """

    kind = "cantilever"
    refuses_hands = "moves by springs without inertia of their own"

    def __init__(
        self,
        plant: Plant,
        *,
        wood: str | Wood | None = None,
        leaves: bool = True,
        cells: int = 1,
        limit: float = 20.0,
        swing: float = 0.5,
        frequency: float | None = None,
        noise: float | None = None,
        unison: float = 0.8,
        loads: str = "borne",
        weight: bool = True,
        inertia: bool = True,
        seed: int = 0,
    ) -> None:
        _check_numbers(limit, swing, frequency, noise, unison)
        borne = one_of("loads", loads, ("borne", "own")) == "borne"
        if not borne and cells != 1:
            raise MotionError(f"segments under their own wind feel one for all; cells is {cells}. Leave it 1.")
        species = known_species(plant)
        timber = wood if isinstance(wood, Wood) else wood_of(wood or (species.wood if species else "hardwood"))
        medium = "water" if species and species.habitat == "water" else "air"
        springs = Springs.of(plant, timber, leaves=leaves, medium=medium)
        self.swing, self.noise, self.unison, self.inertia = float(swing), noise, float(unison), inertia
        self.seed, self.wood, self.crown = seed, timber, Crown.of(springs, cells)
        self.branches = branches_of(
            springs,
            self.crown.cell,
            cells=cells,
            borne=borne,
            weight=weight and borne,
            frequency=frequency,
            limit=limit,
        )
        self._chains = Chains(self.branches)
        self._steps = lru_cache(maxsize=2)(self._new_steps)
        self._rhythms = lru_cache(maxsize=2)(self._new_rhythms)

    def __repr__(self) -> str:
        return f"<CantileverMotion of {self.plant!r}>"

    @property
    def plant(self) -> Plant:
        """The plant that moves."""
        return self.branches.plant

    def on_nodes(self, node: IntArray) -> "CantileverMotion":
        """The same motion shown on these nodes alone, ascending; states are the same."""
        fewer = object.__new__(CantileverMotion)
        vars(fewer).update(vars(self))
        fewer.branches = self.branches.on_nodes(node)
        fewer._chains = Chains(fewer.branches)
        fewer._rhythms = lru_cache(maxsize=2)(fewer._new_rhythms)
        return fewer

    @property
    def wind_points(self) -> int:
        """The cells of the crown."""
        return self.branches.cells

    def probes(self, places: Places) -> FloatArray:
        """(count, cells, 3) the centres of the crown's cells in the world, m."""
        return places.to_world(self.crown.centre)

    def rest(self, places: Places | None = None) -> CantileverState:
        """The state of rest. By default one instance at the origin."""
        places = Places() if places is None else places
        push = np.zeros((len(places), self.branches.cells, 3))
        lean = np.zeros((len(places), BANDS, self.branches.cells, 3))
        return CantileverState(places=places, time=0.0, push=push, lean=lean, rate=lean)

    def begin(self, places: Places, air: FloatArray, time: float) -> CantileverState:
        """The state in which the first moment's wind has blown for long."""
        return self.settled(places, air, time=time)

    def settled(self, places: Places, air: ArrayLike, *, time: float = 0.0) -> CantileverState:
        """The state in a wind `air` (count, cells, 3) that has blown for long; what oscillates goes on."""
        push = self.crown.dynamic_wind(places, checked_air(air, (len(places), self.branches.cells, 3)))
        lean = np.repeat(push[:, None], BANDS, axis=1)
        return replace(self.rest(places), time=float(time), push=push, lean=lean)

    def step(self, state: CantileverState, air: ArrayLike, dt: float, *, touch: Touch | None = None) -> CantileverState:
        """Go on by dt seconds, at the end of which the wind at the probes is `air` (count, cells, 3), m/s."""
        if touch is not None:
            raise MotionError("flat springs cannot be touched. Use ModalMotion for plants with hands on them.")
        push = self.crown.dynamic_wind(state.places, checked_air(air, state.push.shape))
        step = self.steps(state.places, dt := checked_dt(dt))[:, :, None, None]
        lean, rate = advance(step, state.lean, state.rate, state.push[:, None], push[:, None])
        return replace(state, time=state.time + dt, push=push, lean=lean, rate=rate)

    def pose(self, state: CantileverState, *, out: FloatArray | None = None) -> FloatArray:
        """(count, nodes, 3) node positions in the plant's own frame, m; written into `out` if given."""
        nodes = self.plant.nodes
        out = np.empty((len(state), nodes, 3)) if out is None else out
        for part in parts(len(state), nodes * 8):
            points, _ = self._walk(state, part)
            out[part] = np.moveaxis(points[self._chains.rank], 2, 0)
        return out

    def angles(self, state: CantileverState) -> FloatArray:
        """(count, nodes) by how much each segment is turned against its parent, rad: the Θ of the paper."""
        angle = np.empty((len(state), self.plant.nodes))
        for part in parts(len(state), self.plant.nodes * 8):
            _, turn = self._walk(state, part)
            angle[part] = np.arcsin(np.linalg.norm(turn[self._chains.rank], axis=1)).T
        return angle

    def steps(self, places: Places, dt: float) -> FloatArray:
        """(count, bands, 2, 4) what a step does to the lean of each band; found once for the same places and dt."""
        return self._steps(places, dt)

    def rhythms(self, places: Places) -> tuple[Whole, Whole, Whole]:
        """(nodes, count) turns of the oscillation of each segment, the key of its axis, and how far it is apart."""
        return self._rhythms(places)

    def quicker(self, places: Places) -> Whole:
        """(count,) factor on the rhythms of each instance, in parts of `QUICKER`."""
        return np.maximum(np.rint(QUICKER * np.sqrt(places.stiffness) / places.scale), 1).astype(np.uint32)

    def _walk(self, state: CantileverState, part: slice) -> tuple[FloatArray, FloatArray]:
        """Positions and own turns (nodes, 3, instances) of some instances, in the order of depth."""
        stiffness = state.places.stiffness[part]
        lean = np.moveaxis(state.lean[part], 0, -1) / stiffness
        return self._chains.walk(lean, stiffness, self._beat(state, part), self.swing)

    def _beat(self, state: CantileverState, part: slice) -> FloatArray:
        """(nodes, instances) sin(2πf t + b), or the noise in its place."""
        turns, own, apart = (array[:, part] for array in self.rhythms(state.places))
        if self.noise is None:
            return wave(turns, own + apart, clock_of(state.time))
        return coloured_noise(lowest_octave(turns), own, apart, moment_of(state.time), self.noise)

    def _new_steps(self, places: Places, dt: float) -> FloatArray:
        if not self.inertia:
            return np.tile(AT_ONCE, (len(places), BANDS, 1, 1))
        omega = 2 * pi * self.branches.band_frequency * (np.sqrt(places.stiffness) / places.scale)[:, None]
        return following_step(omega, dt)

    def _new_rhythms(self, places: Places) -> tuple[Whole, Whole, Whole]:
        instance, b = np.arange(len(places)), self.branches
        with np.errstate(over="ignore"):
            turns = b.turns[:, None] * self.quicker(places) // np.uint32(QUICKER)
            apart = np.uint32(round((1 - self.unison) * 65536))
            alone = scrambled(keys(self.seed, instance, b.node[:, None]) + np.uint32(1))
        own = keys(self.seed, instance, b.axis[:, None])
        return np.maximum(turns, np.uint32(1)), own, (alone >> np.uint32(16)) * apart


def _check_numbers(limit: float, swing: float, frequency: float | None, noise: float | None, unison: float) -> None:
    if not 0 < limit <= 60:
        raise MotionError(f"a segment turns by more than 0 and up to 60 degrees; the limit is {limit:g}. 20 is usual.")
    if not 0 <= swing <= 1:
        raise MotionError(f"the swing about a bend is between 0 and 1 of it; it is {swing:g}. 0.5 is usual.")
    if frequency is not None and not 0 < frequency <= 50:
        raise MotionError(
            f"branches swing at more than 0 and up to 50 Hz; frequency is {frequency:g}. Leave it out for each axis's."
        )
    if noise is not None:
        check_exponent(noise)
    if not 0 <= unison <= 1:
        raise MotionError(f"unison lies between 0, each segment alone, and 1, whole axes; it is {unison:g}.")
