"""Hands on a plant: forces on nodes, or nodes led to where a hand is."""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray, IntArray, freeze
from windflower.errors import MotionError
from windflower.motion.oscillator import advance
from windflower.plant.graph import Plant

__all__ = ["Grips", "Touch"]

FADED = 1e-9  # N and N/s: a pull below this that changes no faster is dropped


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Touch:
    """What hands do during one step. One hand, or several; all in world units and directions.

    instance  (hands,)    index of the instance in the stand
    node      (hands,)    index of the node of the plant
    force     (hands, 3)  N, constant over the step; 0 unless given
    target    (hands, 3)  where the hand leads the node to, m in the world; None if the hands only push
    grip      (hands,)    factor by which the hand is stiffer than the plant at that node: a steady hand brings the node
                          grip/(1 + grip) of the way
    lag       (hands,)    s, the time in which the node follows: the hand pulls with
                          stiffness · (target − position − lag · velocity), a damped spring. It is solved together
                          with the step, so that any grip is stable at any dt. At least half a step
    """

    instance: IntArray
    node: IntArray
    force: FloatArray
    target: FloatArray | None
    grip: FloatArray
    lag: FloatArray

    def __init__(
        self,
        *,
        instance: ArrayLike = 0,
        node: ArrayLike,
        force: ArrayLike | None = None,
        target: ArrayLike | None = None,
        grip: ArrayLike = 9.0,
        lag: ArrayLike = 0.05,
    ) -> None:
        hands = np.atleast_1d(np.asarray(node)).size
        freeze(self, "instance", _index("instance", instance, hands))
        freeze(self, "node", _index("node", node, hands))
        freeze(self, "force", _numbers("force", np.zeros(3) if force is None else force, (hands, 3)))
        if target is None:
            object.__setattr__(self, "target", None)
            grip = 0.0
        else:
            freeze(self, "target", _numbers("target", target, (hands, 3)))
        freeze(self, "grip", _numbers("grip", grip, (hands,)))
        freeze(self, "lag", _numbers("lag", lag, (hands,)))
        if (self.grip < 0).any() or (self.lag < 0).any():
            raise MotionError("a hand's grip and lag are numbers from 0 up; one is negative. By default 9 and 0.05 s.")
        if hands > 1 and len(np.unique(np.stack([self.instance, self.node]), axis=1).T) < hands:
            raise MotionError("a node takes one hand at a time; two hold the same one. Add their forces.")

    def __len__(self) -> int:
        return len(self.node)

    def __repr__(self) -> str:
        return f"<Touch of {len(self)} hands on nodes {self.node.tolist()}>"

    def with_others(self, other: "Touch") -> "Touch":
        """These hands, and those of another touch on nodes that none of these holds."""
        same = (other.instance[:, None] == self.instance) & (other.node[:, None] == self.node)
        new = ~same.any(axis=1)
        mine, theirs = ((np.zeros_like(one.force) if one.target is None else one.target) for one in (self, other))
        return Touch(
            instance=np.concatenate([self.instance, other.instance[new]]),
            node=np.concatenate([self.node, other.node[new]]),
            force=np.concatenate([self.force, other.force[new]]),
            target=np.concatenate([mine, theirs[new]]),
            grip=np.concatenate([self.grip, other.grip[new]]),
            lag=np.concatenate([self.lag, other.lag[new]]),
        )

    def lateness(self, dt: float) -> FloatArray:
        """(hands,) ½ + lag/dt, the share of a step's way that the hand holds against; see `Hands.force`."""
        lag = np.divide(self.lag, dt) if dt > 0 else np.zeros(len(self))
        return np.asarray(0.5 + np.maximum(lag, 0.5))

    def check(self, plant: Plant, count: int) -> None:
        """Raise an error for hands on missing instances or nodes, or on a root."""
        if ((self.instance < 0) | (self.instance >= count)).any():
            raise MotionError(
                f"a hand holds one of the {count} instances; {self.instance.tolist()} is not all among them."
            )
        outside = (self.node < 0) | (self.node >= plant.nodes)
        if outside.any() or (plant.parent[self.node] < 0).any():
            raise MotionError(
                f"a hand holds a node that can move, one of the {plant.nodes} nodes and no root; "
                f"it holds {self.node.tolist()}. Take the end node of a segment."
            )


@dataclass(frozen=True, eq=False, kw_only=True)
class Grips:
    """The share of hands that the modes do not carry, while they hold and until it has faded away.

    instance, node  (grips,)    whose it is
    pull, rate      (grips, 3)  the force, in the plant's frame and over what a stiffer or larger plant withstands,
                                as the quasi-static residual feels it, and its rate of change: N, N/s
    force           (grips, 3)  what the hand did in the last step, N in the world; 0 once it let go
    """

    instance: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    node: IntArray = field(default_factory=lambda: np.zeros(0, np.int64))
    pull: FloatArray = field(default_factory=lambda: np.zeros((0, 3)))
    rate: FloatArray = field(default_factory=lambda: np.zeros((0, 3)))
    force: FloatArray = field(default_factory=lambda: np.zeros((0, 3)))

    def __len__(self) -> int:
        return len(self.node)

    def held(self, touch: Touch, response: FloatArray, force: FloatArray, in_world: FloatArray) -> "Grips":
        """The grips after hands have pulled with a force (hands, 3) through a step, in the plant's frame and the world.

        `response` (hands, 2) is what a unit force all through the step adds to the pull and to its rate.
        """
        grips, mine = self._joined(touch)
        pull, rate, world = grips.pull.copy(), grips.rate.copy(), grips.force.copy()
        pull[mine] += response[:, :1] * force
        rate[mine] += response[:, 1:] * force
        world[mine] = in_world
        return replace(grips, pull=pull, rate=rate, force=world)

    def _joined(self, touch: Touch) -> tuple["Grips", IntArray]:
        """These grips and new ones for hands that have none yet; and the grip of each hand (hands,)."""
        same = (touch.instance[:, None] == self.instance) & (touch.node[:, None] == self.node)
        new = ~same.any(axis=1)
        mine = np.where(new, len(self) + np.cumsum(new) - 1, same.argmax(axis=1) if len(self) else 0)
        none = np.zeros((int(new.sum()), 3))
        joined = Grips(
            instance=np.concatenate([self.instance, touch.instance[new]]),
            node=np.concatenate([self.node, touch.node[new]]),
            pull=np.concatenate([self.pull, none]),
            rate=np.concatenate([self.rate, none]),
            force=np.concatenate([self.force, none]),
        )
        return joined, mine

    def eased(self, step: FloatArray) -> "Grips":
        """The grips after a step (count, 2, 4) without a hand; those that have faded away are dropped."""
        if not len(self):
            return self
        none = np.zeros(self.pull.shape)
        pull, rate = advance(step[self.instance][:, None], self.pull, self.rate, none, none)
        still = np.abs(np.hstack([pull, rate])).max(axis=1) > FADED
        return Grips(
            instance=self.instance[still], node=self.node[still], pull=pull[still], rate=rate[still], force=none[still]
        )


def _numbers(name: str, values: ArrayLike, shape: tuple[int, ...]) -> FloatArray:
    try:
        array = np.array(np.broadcast_to(np.asarray(values, np.float64), shape))
    except (TypeError, ValueError):
        raise MotionError(f"the {name} of a hand has the shape {shape}; it has {np.shape(values)}.") from None
    if not np.isfinite(array).all():
        raise MotionError(f"the {name} of a hand must be finite; it is {array.tolist()}.")
    return array


def _index(name: str, values: ArrayLike, hands: int) -> IntArray:
    numbers = _numbers(name, values, (hands,))
    if (numbers != np.round(numbers)).any():
        raise MotionError(f"the {name} of a hand is a whole number; it is {numbers.tolist()}.")
    return numbers.astype(np.int64)
