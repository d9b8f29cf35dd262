"""Any motion, with the limp axes of its plant hanging from what it poses."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray
from windflower.mechanics import Modes
from windflower.motion.contract import Motion, checked_air, checked_dt
from windflower.motion.limp.chains import Chains, chains_of
from windflower.motion.limp.drape import drape
from windflower.motion.limp.following import Followed, Following, FollowState, Hanging, settled
from windflower.motion.places import Places
from windflower.motion.poses.pose import ShapeState
from windflower.motion.strain import Strain
from windflower.motion.touch import Touch
from windflower.motion.wrapping import WrappingMotion

__all__ = ["LimpMotion", "LimpState", "hung"]

SAMPLES = 16.0  # of the wind of a loop, 1/s: chains do not follow what is faster


@dataclass(frozen=True, eq=False, kw_only=True)
class LimpState:
    """The state of the motion below, and what chains feel of the wind."""

    places: Places
    borne: Any
    follow: FollowState

    def __len__(self) -> int:
        return len(self.places)


class LimpMotion(WrappingMotion[LimpState]):
    """Another motion, over which limp axes hang as chains.

    of      the motion of all other wood
    modes   of the plant, which leave the bending of its limp axes out
    chains  those axes
    cell    (chains,) of the crown in which each hangs
    """

    kind = "limp"

    def __init__(self, of: Motion[Any], modes: Modes, chains: Chains) -> None:
        self.of, self.modes, self.chains = of, modes, chains
        self.following = Following(chains, seed=of.plant.seed or 0)
        self.gives_strain, self.refuses_hands = of.gives_strain, of.refuses_hands  # type: ignore[misc]
        self.cell = modes.cell[chains.bearer]
        self._chain = np.full(self.plant.nodes, -1)
        there = chains.node >= 0
        self._chain[chains.node[there]] = np.broadcast_to(np.arange(len(chains)), there.shape)[there]
        self.followed = lru_cache(maxsize=2)(self._followed)

    def __repr__(self) -> str:
        return f"<LimpMotion of {self.of!r}: {len(self.chains)} chains>"

    @property
    def below(self) -> Motion[Any]:
        """The motion of the wood that bears the chains."""
        return self.of.below

    def probes(self, places: Places) -> FloatArray:
        """(count, probes, 3) where the motion below feels the wind, m, in the world."""
        return self.of.probes(places)

    def rest(self, places: Places | None = None) -> LimpState:
        """Nothing moves, and no wind has blown yet."""
        places = Places() if places is None else places
        calm = settled(np.zeros((len(places), len(self.chains), 3)), 0.0)
        return LimpState(places=places, borne=self.of.rest(places), follow=calm)

    def begin(self, places: Places, air: FloatArray, time: float) -> LimpState:
        """As the motion below begins, with the chains in the wind of that moment."""
        borne = self.of.begin(places, air, time)
        return LimpState(places=places, borne=borne, follow=self.follow_at(places, air, time))

    def follow_at(self, places: Places, air: FloatArray, time: float) -> FollowState:
        """What chains feel when they begin at a time, s, in a wind at the probes; a loop has its own wind."""
        if self.period is not None:
            return self.followed(places).at(time)
        return settled(self.push(places, air), time)

    def step(self, state: LimpState, air: ArrayLike, dt: float, *, touch: Touch | None = None) -> LimpState:
        """Go on by dt seconds, at the end of which the wind at the probes is `air`."""
        borne = self.of.step(state.borne, air, dt, touch=touch)
        if self.period is not None:
            follow = self.followed(state.places).at(state.follow.time + dt)
        else:
            follow = self.follow_on(state.follow, state.places, np.asarray(air, np.float64), dt, touch)
        return LimpState(places=state.places, borne=borne, follow=follow)

    def follow_on(
        self, follow: FollowState, places: Places, air: FloatArray, dt: float, touch: Touch | None
    ) -> FollowState:
        """What chains feel after a step of dt s.

        air  (count, probes, 3) wind at the probes at the end of the step, m/s
        """
        air = checked_air(air, self.of.probes(places).shape)
        held = None if touch is None else self._held(touch, len(places))
        return self.following.step(follow, places, self.push(places, air), checked_dt(dt), held)

    def push(self, places: Places, air: FloatArray) -> FloatArray:
        """(count, chains, 3) the dynamic wind about each chain in the plant's frame, (m/s)²: that of its cell."""
        if air.shape[1] == self.modes.cells:
            return self.modes.dynamic_wind(places.turned_to_plant(air))[:, self.cell]
        mean = places.turned_to_plant(air.mean(axis=1, keepdims=True)) if air.shape[1] else np.zeros((len(air), 1, 3))
        return np.repeat(self._dynamic(mean), len(self.chains), axis=1)

    def pose(self, state: LimpState) -> FloatArray:
        """(count, nodes, 3) node positions in the plant's own frame, m."""
        return self.points(state)[:, : self.plant.nodes]

    def points(self, state: LimpState) -> FloatArray:
        """(count, points, 3) all that it poses, m."""
        wind = self.wind(state.follow)
        return drape(self.chains, self.of.points(state.borne), wind, state.follow.share, state.places.stiffness)

    def wind(self, follow: FollowState) -> FloatArray:
        """(count, chains, 2, 3) dynamic wind at tip and base of each chain, (m/s)²."""
        return self.following.shaken(follow, period=self.period)

    def air(self, state: LimpState, air: FloatArray) -> FloatArray:
        """(count, 3) the wind over each crown, m/s."""
        return self.of.air(state.borne, air)

    def strain(self, state: LimpState) -> Strain:
        """How strongly the wood that bears the chains is bent."""
        return self.of.strain(state.borne)

    def shape_state(self, state: LimpState) -> ShapeState | None:
        """That of the motion below, with what the chains feel."""
        return self.with_chains(self.of.shape_state(state.borne), state.follow)

    def with_chains(self, below: ShapeState | None, follow: FollowState) -> ShapeState | None:
        """The state of the motion below with what the chains feel."""
        return below and replace(below, hanging=Hanging(self.chains.node[0], follow))

    def resumed(self, state: LimpState, before: ShapeState) -> LimpState:
        """The state in which the motion below and the chains continue another."""
        borne = self.of.resumed(state.borne, before)
        return LimpState(places=state.places, borne=borne, follow=self.follow_from(state.follow, before))

    def follow_from(self, begun: FollowState, before: ShapeState) -> FollowState:
        """What chains that have just begun feel if they go on from another state; a loop has its own wind."""
        if before.hanging is None or self.period is not None:
            return begun
        return before.hanging.continued(begun, self.chains.node[0])

    def _followed(self, places: Places) -> Followed:
        """The response to the wind of a loop at these places."""
        period = self.period
        assert period is not None
        samples, none = max(8, int(period * SAMPLES)), np.zeros((len(places), 0, 3))
        states = (self.of.begin(places, none, period * one / samples) for one in range(samples))
        air = np.stack([places.turned_to_plant(self.of.air(state, none)[:, None])[:, 0] for state in states])
        return self.following.followed(self._dynamic(air), period)

    def _dynamic(self, wind: FloatArray) -> FloatArray:
        """(…, 3) the dynamic wind s |v| v of winds (…, 3), (m/s)²."""
        speed = np.linalg.norm(wind, axis=-1, keepdims=True)
        return np.asarray(self.modes.streamlined(speed) * speed * wind)

    def _held(self, touch: Touch, count: int) -> NDArray[np.bool_]:
        """(count, chains) which chains are in hands."""
        held = np.zeros((count, len(self.chains)), bool)
        chain = self._chain[touch.node]
        held[touch.instance[chain >= 0], chain[chain >= 0]] = True
        return held

    @property
    def period(self) -> float | None:
        """The time after which the motion below repeats exactly, s, and the chains with it."""
        return self.of.period

    @property
    def mode_count(self) -> int:
        """How many modes move the wood below."""
        return self.of.mode_count

    @property
    def instance_bytes(self) -> int:
        """Bytes of one instance on the device: the motion below, and two vectors for each chain."""
        return self.of.instance_bytes + 32 * len(self.chains)

    @property
    def wind_points(self) -> int:
        """As the motion below."""
        return self.of.wind_points

    @property
    def plant_bytes(self) -> int:
        """Bytes of the motion below, and of the chains."""
        return self.of.plant_bytes + 64 * self.chains.node.size


def hung(motion: Motion[Any], modes: Modes | None) -> Motion[Any]:
    """A motion with the limp axes of its plant hanging from it; the motion itself where modes show none.

    motion  the motion of the wood
    modes   those of the plant, which know its limp axes; None for none
    """
    chains = None if modes is None else chains_of(modes)
    return motion if modes is None or chains is None else LimpMotion(motion, modes, chains)
