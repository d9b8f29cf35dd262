"""How chains follow the wind: tip and base of each as a damped oscillator of its own frequency.

    q̈ + γ q̇ + ω² (q - w) = 0,    w the dynamic wind about the chain

The base of a chain follows with its second swing and the tip with its first, so that a gust runs down it. A chain that
is laid over hangs in a stronger pull than its weight alone and swings faster: ω² = ω₀² + ω_weight² (√(1 + (D/W)²) - 1).
The air brakes it as it brakes modes (see `mechanics.projection.drag_damping`).
"""

from dataclasses import dataclass, replace
from math import pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.mechanics.assembly import GRAVITY
from windflower.motion.limp.chains import Chains
from windflower.motion.places import Places
from windflower.motion.rhythm import PERIOD, Whole, clock_of, coloured, keys, turns_of

__all__ = ["FollowState", "Followed", "Following", "Hanging", "settled"]

WOOD = 0.05  # damping ratio of the chain itself
BUFFET = 0.16  # share of the wind's strength by which the small eddies of its own leaves shake a chain (estimate)
VOICES = (0.35, 0.6, 1.0, 0.6, 0.3)  # of that shaking: about its own frequency, two octaves down and up
PER_CHAIN = ("felt", "rate", "push", "share")  # what each chain of each instance has of a state
LETS_GO, TAKES = 1.5, 8.0  # 1/s: how fast a chain hangs free again after a hand, and gives way to one


@dataclass(frozen=True, eq=False, kw_only=True)
class FollowState:
    """What chains feel of the wind, at each place.

    felt, rate  (count, chains, 2, 3)  the dynamic wind that tip and base feel, (m/s)², and how fast that changes
    push        (count, chains, 3)     the dynamic wind about each chain at the end of the last step
    share       (count, chains)        how much of its own turn a chain shows: 0 in hands
    number      (count,)               of each instance, and `key` (chains,) of each chain, for its random numbers
    time        s
    """

    felt: FloatArray
    rate: FloatArray
    push: FloatArray
    share: FloatArray
    number: IntArray
    key: IntArray
    time: float

    def some(self, chosen: IntArray) -> "FollowState":
        """The state of some instances."""
        return replace(
            self,
            felt=self.felt[chosen],
            rate=self.rate[chosen],
            push=self.push[chosen],
            share=self.share[chosen],
            number=self.number[chosen],
        )


@dataclass(frozen=True, eq=False)
class Hanging:
    """What chains feel of the wind, by which those of another motion of their plant, or of a part of it, go on.

    node  (chains,) at the tip of the first link of each
    """

    node: IntArray
    follow: FollowState

    def on(self, node: IntArray, instance: int) -> "Hanging":
        """The chains of one instance on a part of its plant, of which `node` says which node of the whole each is."""
        place = np.full(max(int(node.max(initial=0)), int(self.node.max(initial=0))) + 1, -1)
        place[node[node >= 0]] = np.flatnonzero(node >= 0)
        mine = np.flatnonzero(place[self.node] >= 0)
        one = self.follow.some(np.array([instance]))
        return Hanging(place[self.node[mine]], _of_chains(one, mine))

    def continued(self, begun: FollowState, node: IntArray) -> FollowState:
        """A state that has just begun, of chains whose first links end at `node` (chains,), gone on with these."""
        own = {int(one): number for number, one in enumerate(self.node)}
        mine = np.array([number for number, one in enumerate(node.tolist()) if one in own], np.int64)
        if not len(mine) or len(begun.felt) != len(self.follow.felt):
            return begun
        before = _of_chains(self.follow, np.array([own[int(node[number])] for number in mine]))
        changes: dict[str, Any] = {}
        for name in PER_CHAIN:
            changes[name] = getattr(begun, name).copy()
            changes[name][:, mine] = getattr(before, name)
        key = begun.key.copy()
        key[mine] = before.key
        return replace(begun, **changes, key=key, number=before.number)


def _of_chains(state: FollowState, chosen: IntArray) -> FollowState:
    """The state of some chains."""
    return replace(state, **{name: getattr(state, name)[:, chosen] for name in PER_CHAIN}, key=state.key[chosen])


def settled(push: FloatArray, time: float) -> FollowState:
    """The state in a dynamic wind (count, chains, 3) that does not change."""
    felt = np.repeat(push[:, :, None], 2, axis=2)
    count, chains = push.shape[:2]
    return FollowState(
        felt=felt,
        rate=np.zeros(felt.shape),
        push=push,
        share=np.ones((count, chains)),
        number=np.arange(count),
        key=np.arange(chains),
        time=float(time),
    )


class Following:
    """What chains need to follow the wind.

    square, by_weight  (chains, 2)  ω² of the first two swings in calm air, and what weight gives of it, 1/s²
    lay, brake         (chains,)    drag over weight, per (m/s)²; how the air brakes, 1/s per m/s
    turns              (chains, 2)  of their rhythms
    """

    def __init__(self, chains: Chains, *, seed: int = 0) -> None:
        self.seed, self.count = seed, len(chains)
        square, by_weight = chains.frequencies()
        self.square, self.by_weight = square.T, by_weight.T  # (chains, 2)
        weight, drag = chains.weight.sum(axis=0), chains.drag.sum(axis=0)
        self.lay, self.brake = drag / weight, 4 / 3 * GRAVITY * drag / weight  # per (m/s)², and 1/s per m/s
        self.turns: Whole = turns_of(np.sqrt(self.square) / (2 * pi))

    @property
    def frequency(self) -> FloatArray:
        """(chains, 2) of the first two swings in calm air, Hz."""
        return np.asarray(np.sqrt(self.square) / (2 * pi))

    def step(
        self, state: FollowState, places: Places, push: FloatArray, dt: float, held: NDArray[np.bool_] | None = None
    ) -> FollowState:
        """Go on by dt s, at the end of which the dynamic wind is `push` (count, chains, 3).

        held  (count, chains) which chains are in hands
        """
        square, gamma = self._coefficients(np.linalg.norm(push, axis=-1))
        square = square * (places.stiffness / places.scale**2)[:, None, None]
        gamma = gamma / places.scale[:, None, None]
        felt, rate = _followed_on(state, push[:, :, None], square[..., None], gamma[..., None], dt)
        free = np.ones(state.share.shape) if held is None else np.where(held, 0.0, 1.0)
        pace = np.where(free > 0, LETS_GO, TAKES)
        share = free + (state.share - free) * np.exp(-pace * dt)
        return replace(state, felt=felt, rate=rate, push=push, share=share, time=state.time + dt)

    def shaken(self, state: FollowState, *, period: float | None = None) -> FloatArray:
        """(count, chains, 2, 3) what tip and base feel now, with the small eddies of each chain; all in a period, s."""
        pace = PERIOD / (period or PERIOD)
        turns = np.maximum(np.rint(self.turns / pace), 1).astype(np.uint32)
        clock, felt = clock_of(state.time * pace), state.felt
        instance = state.number[:, None, None]
        number = 2 * state.key[:, None] + np.arange(2)
        beat = [coloured(turns, keys(self.seed + one, instance, number), clock, VOICES) for one in range(2)]
        across = np.stack([-felt[..., 2], np.zeros(felt.shape[:-1]), felt[..., 0]], axis=-1)
        upward = np.linalg.norm(felt, axis=-1)[..., None] * (0.0, 0.5, 0.0)
        return np.asarray(felt + BUFFET * (beat[0][..., None] * across + beat[1][..., None] * (upward + felt / 2)))

    def followed(self, wind: FloatArray, period: float) -> "Followed":
        """The periodic response to a dynamic wind (samples, count, 3) of one period, s, the same about all chains."""
        wave = np.fft.rfft(wind, axis=0) / len(wind)
        wave[1:] *= 2
        if len(wind) % 2 == 0:
            wave[-1] = 0  # half a wave, whose phase is not known
        strength = np.linalg.norm(wind.mean(axis=(0, 1)))
        square, gamma = self._coefficients(np.full((1, self.count), strength))
        omega = 2j * pi * np.arange(len(wave))[:, None, None] / period
        response: NDArray[np.complex128] = (square / (square + omega * (omega + gamma))).astype(np.complex128)
        return Followed(period, wave, response)

    def _coefficients(self, strength: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(count, chains, 2) ω², 1/s², and γ, 1/s, in dynamic winds (count, chains) of this strength, (m/s)²."""
        laid = np.sqrt(1 + (self.lay * strength) ** 2) - 1
        square = self.square + self.by_weight * laid[..., None]
        gamma = 2 * WOOD * np.sqrt(self.square) + (self.brake * np.sqrt(strength))[..., None]
        return square, gamma


def _followed_on(
    state: FollowState, push: FloatArray, square: FloatArray, gamma: FloatArray, dt: float
) -> tuple[FloatArray, FloatArray]:
    """What is felt after a step of dt s, and its rate, by the θ rule: stable for any step.

    θ is ½ where a step is a small part of a swing, and then the error is of second order; 1 where it is a large one, so
    that what is faster than steps settles. Its coefficients change with the wind, and cost a few products.
    """
    after = np.clip(np.sqrt(square) * dt / 2, 0.5, 1.0)
    before = 1 - after
    target = before * state.push[:, :, None] + after * push - state.felt
    free = 1 - dt * before * (gamma + dt * after * square)
    rate = (free * state.rate + dt * square * target) / (1 + dt * after * (gamma + dt * after * square))
    return state.felt + dt * (before * state.rate + after * rate), rate


@dataclass(frozen=True, eq=False)
class Followed:
    """A periodic response.

    wave      (waves, count, 3)   the dynamic wind, (m/s)²
    response  (waves, chains, 2)  of tips and bases to each wave
    """

    period: float
    wave: NDArray[np.complex128]
    response: NDArray[np.complex128]

    def at(self, time: float) -> FollowState:
        """What chains feel at a time, s."""
        turn = np.exp(2j * pi * np.arange(len(self.wave)) * (time / self.period % 1.0))
        flat = self.response.reshape(len(self.wave), -1).T  # (chains 2, waves)
        now = (flat @ (turn[:, None] * self.wave.reshape(len(self.wave), -1))).real
        count, chains = self.wave.shape[1], self.response.shape[1]
        felt = np.moveaxis(now.reshape(chains, 2, count, 3), 2, 0)
        return replace(settled(np.zeros((count, chains, 3)), time), felt=felt)
