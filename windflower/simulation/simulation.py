"""Simulation of a scene over time, in NumPy or on the device."""

from collections.abc import Mapping, Sequence
from math import isfinite

import numpy as np
from numpy.typing import ArrayLike

from windflower.core.arrays import FloatArray, IntArray
from windflower.core.device import Gpu
from windflower.errors import MotionError, SceneError
from windflower.motion.hybrid.pushing import Capsule
from windflower.motion.poses.rotations import segment_rotations
from windflower.motion.stand import Stand
from windflower.motion.touch import Touch
from windflower.scene import Scene
from windflower.simulation.breakage import Breakage, Damage
from windflower.simulation.device_stand import DeviceStand
from windflower.simulation.ground_wind import GroundWind
from windflower.simulation.numpy_stand import NumpyStand
from windflower.simulation.simulated_stand import SimulatedStand
from windflower.simulation.stands_together import StandsTogether

__all__ = ["DeviceSimulation", "Simulation"]

MANY = 200  # number of plants from which kernels find the wind at each


class Simulation:
    """All stands of a scene under one wind, stepped with a fixed time step, whatever the frame rate.

    scene  the scene
    start  time at the start, s
    step   time step, s
    waits  whether it waits for the modes of what is left of a plant that breaks; else the plant holds until they are
           found in the background, which a window needs and which makes the moment of the break depend on the machine

    stands   those of the scene, and behind them what is left of plants that broke and the pieces that came off
    damage   what has broken, in order

    `Simulation(scene)` runs in NumPy; `DeviceSimulation(scene, gpu)` is the same on a graphics device.
    """

    stands: list[SimulatedStand]

    def __init__(self, scene: Scene, *, start: float = 0.0, step: float = 1 / 60, waits: bool = True) -> None:
        self.scene, self.wind, self.time, self.dt = scene, scene.wind, _checked_time(start), _checked_step(step)
        self.hands: dict[int, Touch] = {}
        self.ground_wind = GroundWind.of(scene)
        self.stands = [self.on_backend(stand, scene) for stand in scene.stands]
        self._breakage = Breakage(waits=waits)

    @property
    def damage(self) -> Sequence[Damage]:
        """What has broken so far, in order."""
        return self._breakage.damage

    def on_backend(self, stand: Stand, scene: Scene) -> SimulatedStand:
        """A stand of a scene as it begins at this moment."""
        return NumpyStand(stand, scene.wind, self.time, self.dt)

    def advance(self, until: float, touch: Mapping[int, Touch] | None = None, figure: Capsule | None = None) -> None:
        """Take whole steps until this time, s; an earlier time is gone to where everything repeats, and else ignored.

        until   time, s
        touch   grabs by number of the stand; by default those of `grab`
        figure  capsule of a person, who pushes branches aside in motions that support it
        """
        until, hands = _checked_time(until), self.hands if touch is None else touch
        self._place_figure(figure)
        if self.scene.period is not None and until < self.time - self.dt / 2:
            self.time = until - self.dt
        count = max(0, round((until - self.time) / self.dt))
        times: FloatArray = self.time + self.dt * np.arange(1.0, count + 1)
        together = self._breakage.steps(self)
        for some in np.split(times, range(together, count, together)) if count else ():
            self._advance_stands(some, hands)
            self.time = float(some[-1])
            self._breakage.check(self)

    def _advance_stands(self, times: FloatArray, hands: Mapping[int, Touch]) -> None:
        """Take a step to each of these times, s, in all stands of which something stands."""
        for number, stand in enumerate(self.stands):
            if not stand.gone.all():
                stand.advance(self.wind, times, hands.get(number))

    def pose(self, stand: int = 0, instance: int | None = None, *, world: bool = False) -> FloatArray:
        """Node positions now, m: (nodes, 3) of one instance of a stand, or (count, nodes, 3) of all.

        In the frame of each plant, unscaled and without yaw, or in the `world`.
        """
        mine = self._stand(stand)
        chosen = self._instances(mine, instance)
        points = mine.points(chosen)
        placed = mine.stand.places.some(chosen).to_world(points) if world else points
        return placed if instance is None else placed[0]

    def rotations(self, stand: int = 0, instance: int | None = None) -> FloatArray:
        """Rotation of each segment from rest now, in the frame of its plant; the identity at roots.

        Unit quaternions x, y, z, w: (nodes, 4) of one instance of a stand, or (count, nodes, 4) of all. The shortest
        arc from rest chord to posed chord, carried along the path from the root.
        """
        mine = self._stand(stand)
        chosen = self._instances(mine, instance)
        turned = segment_rotations(mine.stand.tree(int(chosen[0])), mine.points(chosen))
        return turned if instance is None else turned[0]

    def strain(self, stand: int = 0, instance: int | None = None) -> FloatArray:
        """Largest strain of the wood at the base of each segment now: (nodes,) of one instance, or (count, nodes)."""
        mine = self._stand(stand)
        if not mine.stand.motion.gives_strain:
            raise MotionError(
                f"strain needs a motion that computes it; {mine.stand.motion.kind} does not. Use modal motion."
            )
        bent = mine.strain(self._instances(mine, instance))
        return bent if instance is None else bent[0]

    def air(self, stand: int = 0) -> FloatArray:
        """Wind (count, 3) over the crown of each instance of a stand now, in the world, m/s."""
        return self._stand(stand).air

    def grab(self, target: ArrayLike, *, node: int, stand: int = 0, instance: int = 0, grip: float = 9.0) -> None:
        """Grab a node and pull it to a target (3,), m in the world, until `release`. See `Touch`.

        target    (3,) m in the world
        node      which node of the plant
        stand     index into `Scene.stands`
        instance  which plant of the stand
        grip      factor by which the hand is stiffer than the plant there
        """
        found = self._stand(stand)
        self._instances(found, instance)
        mine = found.stand
        if mine.motion.refuses_hands is not None:
            raise MotionError(
                f"a hand needs a motion that feels it; {mine.name} {mine.motion.refuses_hands}. Choose modal motion."
            )
        touch = Touch(instance=instance, node=node, target=target, grip=grip)
        touch.check(mine.tree(instance), len(mine))
        self.hands[stand] = touch

    def release(self, stand: int | None = None) -> None:
        """Release the grab of a stand, or all grabs.

        stand  index into `Scene.stands`; None for all
        """
        if stand is None:
            self.hands.clear()
        else:
            self.hands.pop(stand, None)

    def change(self, scene: Scene) -> None:
        """Go on with a changed scene: plants take over the motion of those that stood where they stand.

        Hands stay on plants that are still there and can be held. Where a stand cannot be made, nothing changes.
        """
        own = self.stands[: len(self.scene.stands)]
        pairs = list(zip(_predecessors(own, scene.stands), scene.stands, strict=True))
        new = [None if one is not None and one.fits(stand) else self.on_backend(stand, scene) for one, stand in pairs]
        self.hands = _kept_hands({n: hand for n, hand in self.hands.items() if n < len(own)}, own, pairs)
        self.ground_wind = self.ground_wind.changed(scene, self.time)
        self.scene, self.wind = scene, scene.wind
        stands = [self._continued(*pair, other) for pair, other in zip(pairs, new, strict=True)]
        lasting = [(before, after) for (before, _), after in zip(pairs, stands, strict=True) if before is not None]
        self.stands = [*stands, *self._breakage.lasting(self.stands[len(own) :], lasting)]

    def _continued(self, before: SimulatedStand | None, stand: Stand, after: SimulatedStand | None) -> SimulatedStand:
        """A stand that goes on as another, or a new one that takes over from it."""
        if after is None:
            assert before is not None  # which fits
            if before.stand is not stand:
                before.retune(stand, self.dt)
            return before
        if before is not None:
            after.take_over(before)
        return after

    def set_step(self, step: float) -> None:
        """Go on with another step, s.

        step  s
        """
        if _checked_step(step) != self.dt:
            self.dt = float(step)
            for stand in self.stands:
                stand.retune(stand.stand, self.dt)

    def _place_figure(self, figure: Capsule | None) -> None:
        """Set the capsule of the person who walks through the stands, or None."""

    def _stand(self, number: int) -> SimulatedStand:
        if not 0 <= number < len(self.stands):
            raise SceneError(f"the number of a stand must be 0 to {len(self.stands) - 1}; it is {number}.")
        return self.stands[number]

    @staticmethod
    def _instances(mine: SimulatedStand, instance: int | None) -> IntArray:
        count = len(mine.stand)
        if instance is None and mine.stand.all_different:
            raise SceneError(f"the trees of {mine.stand.name} are all different; give `instance`, 0 to {count - 1}.")
        if instance is not None and not 0 <= instance < count:
            raise SceneError(f"the number of an instance must be 0 to {count - 1}; it is {instance}.")
        return np.arange(count) if instance is None else np.array([instance])


class DeviceSimulation(Simulation):
    """`Simulation` on a graphics device, for many plants and for drawing.

    gpu  the device, from `open_gpu`
    """

    stands: list[DeviceStand]  # type: ignore[assignment]

    def __init__(self, scene: Scene, gpu: Gpu, *, start: float = 0.0, step: float = 1 / 60, waits: bool = True) -> None:
        self.gpu, self._together = gpu, StandsTogether()
        super().__init__(scene, start=start, step=step, waits=waits)

    def on_backend(self, stand: Stand, scene: Scene) -> DeviceStand:
        """A stand of a scene as it begins at this moment."""
        many = sum(map(len, scene.stands)) >= MANY
        return DeviceStand(self.gpu, stand, scene.wind, self.time, self.dt, many=many)

    def _advance_stands(self, times: FloatArray, hands: Mapping[int, Touch]) -> None:
        some = [(stand, hands.get(number)) for number, stand in enumerate(self.stands) if not stand.gone.all()]
        self._together.advance([stand for stand, _ in some], self.wind, times, [touch for _, touch in some])

    def _place_figure(self, figure: Capsule | None) -> None:
        for stand in self.stands:
            stand.twin.walk_through(figure)


def _checked_time(time: float) -> float:
    """A time that can be reached, s."""
    if not isfinite(time):
        raise MotionError(f"a time of a simulation must be finite; it is {time:g} s. Give seconds from the start.")
    return float(time)


def _checked_step(step: float) -> float:
    """A step that takes some time, s."""
    if not (isfinite(step) and step > 0):
        raise MotionError(f"a step of a simulation takes some time; it is {step:g} s. 1/60 s is usual.")
    return float(step)


def _predecessors(before: Sequence[SimulatedStand], stands: Sequence[Stand]) -> list[SimulatedStand | None]:
    """The stands that others take over from: those of the same plant, or else what had the same number."""
    left: list[SimulatedStand | None] = list(before)

    def taken(number: int | None) -> SimulatedStand | None:
        if number is None or number >= len(left):
            return None
        one, left[number] = left[number], None
        return one

    def same(stand: Stand) -> int | None:
        plants = (i for i, one in enumerate(left) if one is not None and one.stand.plant is stand.plant)
        return next(plants, None)

    found = [taken(same(stand)) for stand in stands]
    return [one or taken(number) for number, one in enumerate(found)]


def _kept_hands(
    hands: Mapping[int, Touch],
    before: Sequence[SimulatedStand],
    pairs: Sequence[tuple[SimulatedStand | None, Stand]],
) -> dict[int, Touch]:
    """Hands by the new number of what they hold, where that is still there: pairs are stands before and now."""
    held = {id(before[number]): touch for number, touch in hands.items()}
    numbered = ((number, held.get(id(one)), one, stand) for number, (one, stand) in enumerate(pairs))
    return {
        number: touch for number, touch, one, stand in numbered if one and touch and _holds(touch, one.stand, stand)
    }


def _holds(touch: Touch, before: Stand, stand: Stand) -> bool:
    """Whether hands on a stand find the same plants in the same places of another, and can hold them."""
    if stand.motion.refuses_hands is not None or touch.instance.max() >= len(stand):
        return False
    same = all(stand.tree(instance) is before.tree(instance) for instance in touch.instance.tolist())
    moved = stand.places.position[touch.instance] - before.places.position[touch.instance]
    return same and bool(np.abs(moved).max() < 1e-6)
