"""Critical winds of one tree, by direction: for stem breakage and for overturning."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import MechanicsError
from windflower.mechanics.analysis import analyse
from windflower.mechanics.foliage import known_species
from windflower.mechanics.modes import Conditions, Modes
from windflower.mechanics.roots import ANCHORAGE, FAILING_TURN, SLOPE
from windflower.mechanics.scans import timber_of
from windflower.mechanics.strength import breaking_moment, green_strength, overturning_moment
from windflower.mechanics.wood import Wood
from windflower.plant.graph import Plant
from windflower.wind.direction import wind_axes
from windflower.windthrow.exposure import HOUR, Exposure, mean_force, resonance
from windflower.windthrow.response import Response, response_of, softened

__all__ = ["Among", "Tree", "TreeRisk", "risk"]

FASTEST = 150.0  # m/s: what stands this stands every wind
ROUNDS = 40  # of bisection
DIRECTIONS = 8


@dataclass(frozen=True, eq=False, kw_only=True)
class TreeRisk:
    """Critical winds of a tree: mean of an hour at 10 m over open country, and at the top of the tree or stand.

    plant, exposure  what was asked about
    direction        (n,) where the wind blows from, degrees: 0 north, 90 east
    breaks           (n,) mean wind at 10 m in open country at which the stem breaks, m/s; infinite for none
    overturns        (n,) mean wind at which the roots give way, m/s
    breaks_at_top, overturns_at_top   (n,) mean wind at the top then, m/s, inside the stand also for a tree at its edge
    over_stand       mean wind 10 m above the zero plane of the stand, over that at 10 m in open country
    node             (n,) index of the segment at whose base the stem breaks
    node_height      (n,) its height above the foot, m
    node_diameter    (n,) its diameter, m
    breaking_moment  (n,) moment at the foot when it breaks, N·m
    overturning_moment   that the roots bear, N·m
    gust             (n,) largest over mean moment of the hour, at the lower of the two winds
    strength         bending strength of the wood, knots included, Pa
    """

    plant: Plant
    exposure: Exposure
    direction: FloatArray
    breaks: FloatArray
    overturns: FloatArray
    breaks_at_top: FloatArray
    overturns_at_top: FloatArray
    over_stand: float
    node: IntArray
    node_height: FloatArray
    node_diameter: FloatArray
    breaking_moment: FloatArray
    overturning_moment: float
    gust: FloatArray
    strength: float

    @property
    def critical(self) -> float:
        """The lowest critical wind of any direction, m/s at 10 m in open country."""
        return float(min(self.breaks.min(), self.overturns.min()))

    @property
    def worst(self) -> int:
        """Which direction has the lowest critical wind."""
        return int(np.argmin(np.minimum(self.breaks, self.overturns)))

    @property
    def fails_by(self) -> str:
        """How it fails first."""
        return "breakage" if self.breaks.min() <= self.overturns.min() else "overturning"

    @property
    def terms(self) -> str:
        """What the speeds are: height, averaging time, edge or inside."""
        return (
            f"mean wind of {HOUR / 60:.0f} minutes at 10 m over open country, for a tree {self.exposure.words}; gusts "
            "are counted in"
        )


def risk(
    plant: Plant,
    *,
    exposure: Exposure | None = None,
    directions: ArrayLike | int = DIRECTIONS,
    strength: float | None = None,
    anchorage: float | None = None,
    wood: str | Wood | None = None,
    leaves: float = True,
    gravity: bool = True,
) -> TreeRisk:
    """Find the winds at which a tree's stem breaks and at which it is overturned.

    plant       the tree, with a stem
    exposure    where it stands; by default alone in open country
    directions  from which the wind blows, degrees, or how many
    strength    bending strength of the green wood, knots included, Pa; by default that of the wood or species
    anchorage   C_reg, the moment that the roots bear for each kg of stem, N·m/kg; by default the species' own
    wood, leaves, gravity   as in `analyse`: a name, a share, whether weight acts
    """
    tree = Tree(plant, wood=wood, leaves=leaves, gravity=gravity, strength=strength, anchorage=anchorage)
    count = directions if isinstance(directions, int) else 0
    where: FloatArray = np.linspace(0, 360, count, endpoint=False) if count else np.array(directions, float, ndmin=1)
    if not len(where) or not np.isfinite(where).all():
        raise MechanicsError("winds blow from directions in degrees, or from a number of them; give 8, or [0, 90].")
    return tree.risk(exposure or Exposure(), where)


class Among(NamedTuple):
    """The forest about some trees; winds are over that at 10 m in open country.

    adaptation  (n,)         how far its air has adapted to the forest
    friction    (n,)         u* over it
    ground      that a tree of scale 1 has for itself, m²
    gust        (n, layers)  speed of the largest gust in each layer of `Tree.breaking`, where the air has adapted
    at_top      (n,)         mean wind at the top of the tree there
    """

    adaptation: FloatArray
    friction: FloatArray
    ground: float
    gust: FloatArray
    at_top: FloatArray


class Tree:
    """A tree with what its stem and roots bear, and how winds load it."""

    def __init__(
        self,
        plant: Plant,
        *,
        wood: str | Wood | None = None,
        leaves: float = True,
        gravity: bool = True,
        strength: float | None = None,
        anchorage: float | None = None,
    ) -> None:
        if len(plant.roots) != 1:
            raise MechanicsError(f"a risk is that of one tree; this plant is {len(plant.roots)}. Take one of them.")
        self.plant, self.wood = plant, timber_of(plant, wood)
        self.strength = green_strength(plant, self.wood, strength)
        self.limit = float(overturning_moment(plant, self.wood)[0])
        if not np.isfinite(self.limit):
            raise MechanicsError("a risk is that of a tree with a stem; this plant has none.")
        if anchorage is not None:
            if not 1 <= anchorage <= 10_000:
                raise MechanicsError(
                    f"anchorage is 1 to 10,000 N·m for each kg of stem; it is {anchorage:g}. Give 140."
                )
            self.limit = anchorage * _anchored_mass(plant, self.wood)
        none = np.zeros(plant.nodes)
        self.conditions = Conditions(
            leaves=float(leaves), gravity=gravity, roots="spring", medium="air", point_mass=none, point_lift=none
        )
        self.top = float(plant.height)
        self.modes: Modes = analyse(plant, count=2, wood=self.wood, leaves=leaves, gravity=gravity, chosen="lowest")
        first = response_of(plant, self.wood, self.conditions, SLOPE * self.limit)
        self.bears = breaking_moment(2 * plant.base_radius[first.segment], self.strength)
        foot = self._foot_moment_at_break(first)
        stiffness = softened(SLOPE * self.limit, foot, self.limit, FAILING_TURN)
        self.breaking = response_of(plant, self.wood, self.conditions, stiffness)
        self.overturning = response_of(plant, self.wood, self.conditions, SLOPE / 2 * self.limit)

    def _foot_moment_at_break(self, response: Response) -> float:
        """Moment at the foot by a wind along x that breaks the stem, in the proportions of open country."""
        push = Exposure().speeds(response.height, self.top) ** 2
        stem = np.linalg.norm(np.tensordot(push, response.stem[:, 0], 1), axis=-1)
        root = float(np.linalg.norm(push @ response.root[:, 0]))
        return root / max(float((stem / self.bears).max()), 1e-300)

    def risk(self, exposure: Exposure, direction: FloatArray) -> TreeRisk:
        """Critical winds from these directions, degrees."""
        top = exposure.height or self.top
        at_top = float(exposure.speeds(np.array([top]), top)[0])
        way = np.array([wind_axes(float(one))[0][[0, 2]] for one in direction])
        gust = np.full(len(direction), exposure.moment_factor(top))

        def broken(speed: FloatArray) -> tuple[FloatArray, FloatArray]:
            moment = self._moments(self.breaking.stem, self.breaking, exposure, speed, way, gust)
            share = np.linalg.norm(moment + self.breaking.stem_rest, axis=-1) / self.bears
            return share.max(axis=1), share.argmax(axis=1)

        def turned(speed: FloatArray) -> FloatArray:
            moment = self._moments(self.overturning.root[:, :, None], self.overturning, exposure, speed, way, gust)
            return np.linalg.norm(moment[:, 0] + self.overturning.root_rest, axis=-1) / self.limit

        breaks, overturns = (_critical(share, len(direction)) for share in (lambda u: broken(u)[0], turned))
        finite = np.where(np.isfinite(breaks), breaks, FASTEST)
        weakest = broken(finite)[1]
        node = self.breaking.segment[weakest]
        foot = self._moments(self.breaking.root[:, :, None], self.breaking, exposure, finite, way, gust)[:, 0]
        base = self.plant.position[node] - self.plant.vector[node]
        lower = np.minimum(finite, np.where(np.isfinite(overturns), overturns, FASTEST))
        return TreeRisk(
            plant=self.plant,
            exposure=exposure,
            direction=direction,
            breaks=breaks,
            overturns=overturns,
            breaks_at_top=breaks * at_top,
            overturns_at_top=overturns * at_top,
            over_stand=exposure.above_zero_plane(self.top),
            node=node,
            node_height=base[:, 1] - self.plant.position[self.plant.roots[0], 1],
            node_diameter=2 * self.plant.base_radius[node],
            breaking_moment=np.linalg.norm(foot + self.breaking.root_rest, axis=-1),
            overturning_moment=self.limit,
            gust=self._gust(exposure, lower, gust),
            strength=self.strength,
        )

    def winds(
        self, felt: FloatArray, direction: FloatArray, among: Among | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Winds (n,) at which the stem breaks and at which the roots give way, m/s at 10 m in open country.

        felt       (n, layers) speed of the largest gust in each layer of `breaking.height`, over that wind
        direction  (n,) where it blows from, degrees
        among      the forest about each; None in the open
        """
        way = np.array([wind_axes(float(one))[0][[0, 2]] for one in direction])

        def share(by_layer: FloatArray, rest: FloatArray, bears: FloatArray) -> FloatArray:
            along = np.einsum("nk,lkpj->nlpj", way, by_layer, optimize=True)

            def of(speed: FloatArray) -> FloatArray:
                gust, load = speed[:, None] * felt, 1.0 if among is None else self._load(among, speed)[:, None]
                moment = np.einsum("nl,nlpj->npj", load * self.modes.streamlined(gust) * gust**2, along) + rest
                return np.asarray((np.linalg.norm(moment, axis=-1) / bears).max(axis=1))

            return _critical(of, len(felt))

        stem = share(self.breaking.stem, self.breaking.stem_rest, self.bears)
        root = self.overturning.root[:, :, None]
        return stem, share(root, self.overturning.root_rest, np.array([self.limit]))

    def _load(self, among: Among, speed: FloatArray) -> FloatArray:
        """(n,) largest force on trees among others over the drag of the largest gust there; 1 in open country."""
        drag, gust, at_top = self.breaking.drag, speed[:, None] * among.gust, speed * among.at_top
        own = self.modes.streamlined(gust) * gust**2 @ drag
        crown = self.modes.streamlined(at_top) * at_top**2 * drag.sum()
        mean = mean_force(speed * among.friction, among.ground, crown)
        spacing = min(max(float(np.sqrt(among.ground)), 0.2), 100.0)
        inside = Exposure(kind="inside", spacing=spacing).moment_factor(self.top)
        return np.asarray(1 + among.adaptation * (inside * mean / np.maximum(own, 1e-300) - 1))

    def mean_force(self, exposure: Exposure, speed: FloatArray) -> FloatArray:
        """(n,) mean force on the tree in a stand, N, at winds (n,) at 10 m in open country."""
        return np.asarray(self._dynamic(self.breaking, exposure, speed, np.ones(len(speed))) @ self.breaking.drag)

    def _dynamic(self, response: Response, exposure: Exposure, speed: FloatArray, gust: FloatArray) -> FloatArray:
        """(n, layers) dynamic wind of a gust, (m/s)², at mean winds (n,) at 10 m in open country."""
        mean = speed[:, None] * exposure.speeds(response.height, self.top)
        if exposure.kind == "open":
            felt = mean * self._gust_speed(exposure, speed)[:, None]
            return np.asarray(self.modes.streamlined(felt) * felt**2)
        return np.asarray((gust * self._share(response, exposure, speed))[:, None] * mean**2)

    def _share(self, response: Response, exposure: Exposure, speed: FloatArray) -> FloatArray:
        """(n,) mean force on a tree of a stand over its drag, unstreamlined, in the stand's mean wind.

        A tree of another height than the stand's has the share of one that is as high as that.
        """
        top = exposure.height or self.top
        alike = speed[:, None] * exposure.speeds(response.height * top / self.top, self.top)
        at_top = speed * float(exposure.speeds(np.array([top]), top)[0])
        crown = self.modes.streamlined(at_top) * response.drag.sum()
        return np.asarray(exposure.mean_force(at_top, crown) / np.maximum(alike**2 @ response.drag, 1e-300))

    def _gust_speed(self, exposure: Exposure, speed: FloatArray) -> FloatArray:
        """(n,) speed of the largest gust over the mean, in the open."""
        at_top = speed * float(exposure.speeds(np.array([self.top]), self.top)[0])
        damping = np.array([float(self.modes.damping[0] + self.modes.air_damping(float(one))[0]) for one in at_top])
        return resonance(float(self.modes.frequency[0]), damping, at_top, self.top)

    def _gust(self, exposure: Exposure, speed: FloatArray, gust: FloatArray) -> FloatArray:
        """(n,) largest over mean moment of the hour."""
        if exposure.kind != "open":
            return gust
        mean = speed[:, None] * exposure.speeds(self.breaking.height, self.top)
        steady = (self.modes.streamlined(mean) * mean**2).sum(axis=1)
        return np.asarray(self._dynamic(self.breaking, exposure, speed, gust).sum(axis=1) / steady)

    def _moments(
        self,
        by_layer: FloatArray,
        response: Response,
        exposure: Exposure,
        speed: FloatArray,
        way: FloatArray,
        gust: FloatArray,
    ) -> FloatArray:
        """(n, places, 3) moments at winds (n,) toward `way` (n, 2), from those by layer (layers, 2, places, 3)."""
        push = self._dynamic(response, exposure, speed, gust)
        return np.einsum("nl,nk,lkpj->npj", push, way, by_layer, optimize=True)


def _critical(share: Callable[[FloatArray], FloatArray], count: int) -> FloatArray:
    """(n,) the wind at which a share of what is borne reaches 1, by bisection; 0 where it does in a calm."""
    low, high = np.zeros(count), np.full(count, FASTEST)
    safe = share(high) < 1
    for _ in range(ROUNDS):
        middle = (low + high) / 2
        over = share(middle) >= 1
        low, high = np.where(over, low, middle), np.where(over, middle, high)
    return np.where(safe, np.inf, high)


def _anchored_mass(plant: Plant, wood: Wood) -> float:
    """Mass of stem that counts for the anchorage, kg."""
    species = known_species(plant)
    return float(overturning_moment(plant, wood)[0]) / (species.anchorage if species else ANCHORAGE)
