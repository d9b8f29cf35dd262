"""Simulation of a scene over time, in NumPy or on the device."""

from collections.abc import Mapping
from typing import Protocol, TypeVar

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
from windflower.simulation.device_stand import DeviceStand
from windflower.simulation.numpy_stand import NumpyStand
from windflower.wind import Wind
from windflower.wind.slabs import WindSlabs, grid_around

__all__ = ["DeviceSimulation", "SimulatedStand", "Simulation"]

MANY = 200  # number of trees from which the wind is sampled on a grid
WIND_POINTS, WIND_INTERVAL = 6000, 0.2  # points of that grid, and time between samples, s


class SimulatedStand(Protocol):
    """Protocol of a stand on a backend."""

    stand: Stand

    def advance(self, wind: Wind, times: FloatArray, touch: Touch | None) -> None:
        """Take a step to each of these times, s."""
        ...

    def points(self, instances: IntArray) -> FloatArray:
        """Node positions (n, nodes, 3) of some instances in their plant's frame, m."""
        ...

    def strain(self, instances: IntArray) -> FloatArray:
        """Largest strain (n, nodes) of the wood at each segment's base."""
        ...

    @property
    def air(self) -> FloatArray:
        """Wind (count, 3) over each crown, m/s."""
        ...

    def fits(self, stand: Stand) -> bool:
        """Whether `retune` accepts this stand."""
        ...

    def retune(self, stand: Stand, dt: float) -> None:
        """Change stand or step, keeping the state."""
        ...


Backend = TypeVar("Backend", bound=SimulatedStand)


class Simulation:
    """All stands of a scene under one wind, stepped with a fixed time step, whatever the frame rate.

    scene  the scene
    start  time at the start, s
    step   time step, s

    `Simulation(scene)` runs in NumPy; `DeviceSimulation(scene, gpu)` is the same on a graphics device.
    """

    stands: list[SimulatedStand]

    def __init__(self, scene: Scene, *, start: float = 0.0, step: float = 1 / 60) -> None:
        self.scene, self.wind, self.time, self.dt = scene, scene.wind, float(start), float(step)
        self.hands: dict[int, Touch] = {}
        self._prepare()
        self.stands = [self._on_backend(stand) for stand in scene.stands]

    def _prepare(self) -> None:
        """Create what all stands share."""

    def _on_backend(self, stand: Stand) -> SimulatedStand:
        """Create a stand on the backend, at rest at the current time."""
        return NumpyStand(stand, self.wind, self.time, self.dt)

    def advance(self, until: float, touch: Mapping[int, Touch] | None = None, figure: Capsule | None = None) -> None:
        """Take whole steps until this time, s.

        touch   grabs by number of the stand; by default those of `grab`
        figure  capsule of a person, who pushes branches aside in motions that support it
        """
        hands = self.hands if touch is None else touch
        self._place_figure(figure)
        count = max(0, round((until - self.time) / self.dt))
        times: FloatArray = self.time + self.dt * np.arange(1.0, count + 1)
        self.time += count * self.dt
        self._update_wind()
        for number, stand in enumerate(self.stands):
            if count:
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
        """Grab a node and pull it to a target (3,), m in the world, until `release`. See `Touch`."""
        mine = self._stand(stand).stand
        if mine.motion.refuses_hands is not None:
            raise MotionError(
                f"a hand needs a motion that feels it; {mine.name} {mine.motion.refuses_hands}. Choose modal motion."
            )
        touch = Touch(instance=instance, node=node, target=target, grip=grip)
        touch.check(mine.tree(instance), len(mine))
        self.hands[stand] = touch

    def release(self, stand: int | None = None) -> None:
        """Release the grab of a stand, or all grabs."""
        if stand is None:
            self.hands.clear()
        else:
            self.hands.pop(stand, None)

    def change(self, scene: Scene) -> None:
        """Continue with a changed scene: plants take over the motion of those that they replace."""
        if scene is self.scene:
            return
        before, self.scene, self.wind = self.stands, scene, scene.wind
        if [one.stand for one in before] != list(scene.stands):
            left: list[SimulatedStand | None] = list(before)
            pairs = [(_predecessor(left, number, stand), stand) for number, stand in enumerate(scene.stands)]
            self.stands = [self._changed(one, other) for one, other in pairs]

    def set_step(self, step: float) -> None:
        """Change the time step, s."""
        if step != self.dt:
            self.dt = step
            for stand in self.stands:
                stand.retune(stand.stand, step)

    def _changed(self, before: SimulatedStand | None, stand: Stand) -> SimulatedStand:
        if before is not None and before.fits(stand):
            before.retune(stand, self.dt)
            return before
        after = self._on_backend(stand)
        if before is not None:
            self._take_over(before, after)
        return after

    def _take_over(self, before: SimulatedStand, after: SimulatedStand) -> None:
        """Let a stand take over the state of another; in NumPy it starts at rest."""

    def _place_figure(self, figure: Capsule | None) -> None:
        """Set the capsule of the person who walks through the stands, or None."""

    def _update_wind(self) -> None:
        """Sample the wind grid up to the current time."""

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
    """`Simulation` on a graphics device, for many plants and for drawing."""

    stands: list[DeviceStand]  # type: ignore[assignment]

    def __init__(self, scene: Scene, gpu: Gpu, *, start: float = 0.0, step: float = 1 / 60) -> None:
        self.gpu = gpu
        super().__init__(scene, start=start, step=step)

    def _prepare(self) -> None:
        self.slabs = _slabs(self.gpu, self.scene)

    def _on_backend(self, stand: Stand) -> DeviceStand:
        return DeviceStand(self.gpu, stand, self.wind, self.time, self.dt, self.slabs)

    def _take_over(self, before: SimulatedStand, after: SimulatedStand) -> None:
        if isinstance(before, DeviceStand) and isinstance(after, DeviceStand):
            after.take_over(before)

    def _place_figure(self, figure: Capsule | None) -> None:
        for stand in self.stands:
            stand.twin.walk_through(figure)

    def _update_wind(self) -> None:
        if self.slabs:
            self.slabs.blow(self.wind)


def _slabs(gpu: Gpu, scene: Scene) -> WindSlabs | None:
    """Gridded wind for large scenes, else None."""
    many = [stand for stand in scene.stands if not stand.all_different]
    if sum(map(len, many)) < MANY:
        return None
    probes = [stand.probes.reshape(-1, 3) for stand in many]
    box, shape = grid_around(np.concatenate(probes), most=WIND_POINTS)
    return WindSlabs(gpu, scene.wind, box, shape, interval=WIND_INTERVAL)


def _predecessor(left: list[SimulatedStand | None], number: int, stand: Stand) -> SimulatedStand | None:
    """The stand that a new one takes over from: of the same plant if there is one, else of the same number.

    It is removed from those that are left.
    """
    same = [i for i, one in enumerate(left) if one is not None and one.stand.plant is stand.plant]
    index = same[0] if same else number
    if index >= len(left):
        return None
    found, left[index] = left[index], None
    return found
