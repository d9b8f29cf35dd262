"""A leaf that has come off: it flutters or tumbles down the wind, lands, and slides in gusts.

A leaf of the terminal speed w takes τ = w/g to fall in with the air about it, so that a step has an exact solution for
an air that stays the same during it. Its blade is kept by two angles: a heading, and a roll about its length. One half
of the leaves flutter: they rock and glide from side to side, fastest where they are level; the others roll on and on
and drift.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.quaternions import about, joined
from windflower.motion.rhythm import Whole, clock_of, scrambled, uniform, wave

__all__ = ["Drop", "Flight", "blade", "fall", "flights", "slide"]

GRAVITY = 9.80665
SINK, SINK_MORE = 0.9, 0.9  # terminal speeds, m/s
GLIDE, DRIFT = 0.9, 0.45  # m/s aside: at most where a leaf flutters, all the time where it tumbles
ROCK = 0.9  # rad that a fluttering leaf rocks to either side
PACE, PACE_MORE = 900, 900  # turns of a flutter in `rhythm.PERIOD`: 0.9 to 1.8 Hz
SPIN, TUMBLE = 1.2, 9.0  # rad/s of the heading, at most; of the roll of what tumbles
GRIP, GRIP_MORE = 2.5, 3.5  # m/s of wind at the ground that moves a lying leaf
SLIDE, SLIP_TIME, SETTLE_TIME = 0.35, 0.25, 0.12  # share of the wind beyond that; s to follow it, and to lie flat
LIES, LIES_MORE = 0.004, 0.016  # m above the ground
QUARTER = np.uint32(1 << 30)


@dataclass(frozen=True, eq=False)
class Flight:
    """What distinguishes each leaf in the air, from its key."""

    sink: FloatArray
    tumbles: FloatArray
    turns: Whole
    start: Whole
    spin: FloatArray
    grip: FloatArray
    lies: FloatArray

    def some(self, which: NDArray[np.bool_]) -> "Flight":
        """The flights of some leaves."""
        return Flight(**{name: array[which] for name, array in vars(self).items()})


@dataclass(frozen=True, eq=False)
class Drop:
    """Where leaves are: position and velocity (…, 3), m and m/s in the world; heading and roll (…,), rad."""

    position: FloatArray
    velocity: FloatArray
    heading: FloatArray
    roll: FloatArray

    def some(self, which: NDArray[np.bool_]) -> "Drop":
        """Some of the leaves, as one flat array."""
        return Drop(**{name: array[which] for name, array in vars(self).items()})

    def with_some(self, which: NDArray[np.bool_], others: "Drop") -> "Drop":
        """All leaves, with some replaced by others."""
        arrays = {name: array.copy() for name, array in vars(self).items()}
        for name, array in arrays.items():
            array[which] = getattr(others, name)
        return Drop(**arrays)


def flights(key: Whole) -> Flight:
    """The flights of leaves with these keys."""
    draws = [scrambled(key + np.uint32(31 + what)) for what in range(7)]
    chance = [uniform(one) for one in draws]
    return Flight(
        sink=SINK + SINK_MORE * chance[0],
        tumbles=np.where(chance[1] < 0.5, 1.0, 0.0),
        turns=np.uint32(PACE) + (draws[2] >> np.uint32(16)) * np.uint32(PACE_MORE) // np.uint32(65536),
        start=draws[3],
        spin=SPIN * (2 * chance[4] - 1),
        grip=GRIP + GRIP_MORE * chance[5],
        lies=LIES + LIES_MORE * chance[6],
    )


def fall(drop: Drop, flight: Flight, air: FloatArray, t: float, dt: float) -> Drop:
    """Go on by dt seconds, until time t, in the air (…, 3), m/s."""
    clock = clock_of(t)
    with np.errstate(over="ignore"):
        rock, glide = (wave(flight.turns, flight.start + ahead, clock) for ahead in (np.uint32(0), QUARTER))
    heading = drop.heading + flight.spin * dt
    roll = np.where(flight.tumbles > 0, drop.roll + TUMBLE * dt, ROCK * rock)
    aside = np.where(flight.tumbles > 0, DRIFT, GLIDE * glide)
    sink = flight.sink * np.where(flight.tumbles > 0, 1.0, 0.7 + 0.6 * glide * glide)
    wanted = air + np.stack([aside * np.cos(heading), -sink, -aside * np.sin(heading)], axis=-1)
    position, velocity = _relaxed(drop, wanted, flight.sink / GRAVITY, dt)
    return Drop(position, velocity, heading, roll)


def slide(drop: Drop, flight: Flight, air: FloatArray, dt: float) -> Drop:
    """Go on by dt seconds on the ground, under the wind just above it; the height is for the ground to give."""
    level = air * [1.0, 0.0, 1.0]
    speed = np.linalg.norm(level, axis=-1)
    share = SLIDE * np.maximum(speed - flight.grip, 0) / np.maximum(speed, 1e-20)
    along = Drop(drop.position, drop.velocity * [1.0, 0.0, 1.0], drop.heading, drop.roll)
    position, velocity = _relaxed(along, level * share[..., None], np.full(speed.shape, SLIP_TIME), dt)
    flat = np.pi * np.rint(drop.roll / np.pi)
    roll = flat + (drop.roll - flat) * np.exp(-dt / SETTLE_TIME)
    return Drop(position, velocity, drop.heading + 2 * np.linalg.norm(velocity, axis=-1) * dt * flight.spin, roll)


def blade(heading: FloatArray, roll: FloatArray) -> FloatArray:
    """(…, 4) orientation of a leaf that lies level, its upper side to the sky, at a heading and then rolled."""
    lying = joined(about(heading, 1)[..., None], about(-np.pi / 2, 0)[:, None])
    return joined(lying, about(roll, 1)[..., None])[..., 0]


def _relaxed(drop: Drop, wanted: FloatArray, time: FloatArray, dt: float) -> tuple[FloatArray, FloatArray]:
    """Position and velocity after dt of v̇ = (wanted − v)/time, exactly."""
    left = np.exp(-dt / time)[..., None]
    excess = drop.velocity - wanted
    return drop.position + wanted * dt + excess * time[..., None] * (1 - left), wanted + excess * left
