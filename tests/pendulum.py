"""A sixth motion in one file: the whole plant sways about its root as a stiff rod on a spring."""

from dataclasses import dataclass, replace
from math import pi
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from windflower.core.arrays import FloatArray
from windflower.core.table import Number
from windflower.motion.contract import Motion, checked_air, checked_dt
from windflower.motion.oscillator import advance, exact_step
from windflower.motion.places import Places
from windflower.motion.registry import MotionKind
from windflower.motion.settings import Circumstances, MotionSettings, Specimen
from windflower.motion.touch import Touch
from windflower.plant.graph import Plant

__all__ = ["KIND", "PendulumMotion", "PendulumSettings"]

GENTLE = 4e-4  # rad for each (m/s)² of wind


@dataclass(frozen=True, eq=False)
class PendulumState:
    """Lean and its rate (count, 3), rad: rotation vectors about the root; and the push of the last step."""

    places: Places
    lean: FloatArray
    rate: FloatArray
    push: FloatArray


class PendulumMotion(Motion[PendulumState]):
    """A plant that leans as a whole, at a frequency in Hz."""

    kind = "pendulum"
    refuses_hands = None

    def __init__(self, plant: Plant, frequency: float) -> None:
        self._plant, self.frequency = plant, frequency

    @property
    def plant(self) -> Plant:
        return self._plant

    def probes(self, places: Places) -> FloatArray:
        return places.to_world(np.array([[0.0, 0.6 * self.plant.height, 0.0]]))

    def rest(self, places: Places) -> PendulumState:
        return PendulumState(places, *np.zeros((3, len(places), 3)))

    def step(self, state: PendulumState, air: ArrayLike, dt: float, *, touch: Touch | None = None) -> PendulumState:
        wind = state.places.turned_to_plant(checked_air(air, (len(state.places), 1, 3)))[:, 0]
        push = GENTLE * np.cross([0.0, 1.0, 0.0], wind * np.linalg.norm(wind, axis=1, keepdims=True))
        omega = 2 * pi * self.frequency
        step = exact_step(np.array([omega]), np.array([0.2 * omega]), checked_dt(dt))[0]
        square = omega**2
        lean, rate = advance(step, state.lean, state.rate, square * state.push, square * push)
        moved = replace(state, lean=lean, rate=rate, push=push)
        return moved if touch is None else self._held(moved, touch)

    def _held(self, state: PendulumState, touch: Touch) -> PendulumState:
        """A held node points to where the hand is."""
        assert touch.target is not None
        lean, rate = state.lean.copy(), state.rate.copy()
        for instance, node, target in zip(touch.instance, touch.node, touch.target, strict=True):
            place = state.places.some(np.array([instance]))
            own = place.turned_to_plant((target - place.position)[None])[0, 0] / place.scale
            rest = self.plant.position[node]
            lean[instance] = np.cross(rest, own) / (np.linalg.norm(rest) * np.linalg.norm(own))
            rate[instance] = 0.0
        return replace(state, lean=lean, rate=rate)

    def pose(self, state: PendulumState) -> FloatArray:
        angle = np.linalg.norm(state.lean, axis=1)[:, None, None]
        axis = (state.lean / np.maximum(angle[:, :, 0], 1e-12))[:, None]
        rest = self.plant.position[None]
        along = np.sum(axis * rest, axis=-1, keepdims=True) * axis
        turned = rest * np.cos(angle) + np.cross(axis, rest) * np.sin(angle) + along * (1 - np.cos(angle))
        return np.asarray(np.where(angle > 1e-12, turned, rest))


class PendulumSettings(MotionSettings):
    """A plant that leans as a whole."""

    kind: Literal["pendulum"]
    frequency: Number = Field(0.5, gt=0, le=10, description="Hz")

    def motion(self, specimen: Specimen, around: Circumstances) -> Motion[Any]:  # noqa: ARG002 - one for all winds
        return PendulumMotion(specimen.plant, self.frequency)


KIND = MotionKind(PendulumSettings)
