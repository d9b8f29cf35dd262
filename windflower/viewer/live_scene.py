"""The live scene of a window: simulated, changed while it moves, grabbed, and drawn."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.core.garbage import keep_what_is_there
from windflower.motion import Touch
from windflower.motion.hybrid.pushing import Capsule
from windflower.render.daylight import sunlight
from windflower.render.drawn_scene import Detail, DrawnScene
from windflower.render.frame import Frame, Light
from windflower.render.memory import within_memory
from windflower.render.quality import Quality, quality_of, window_quality
from windflower.render.renderer import Renderer
from windflower.render.timing import PassTimer
from windflower.scene import Scene, View
from windflower.scene.framing import outline
from windflower.scene.groves import tiles_in_view, with_tiles
from windflower.simulation import DeviceSimulation
from windflower.viewer.garden import Garden
from windflower.viewer.grasp import marks, pick
from windflower.viewer.overlays import Overlays, disk_outlines, wind_arrows
from windflower.viewer.picking import Hand
from windflower.viewer.view_camera import ViewCamera
from windflower.viewer.view_state import DisplayOptions

__all__ = ["STEP", "LiveScene"]

STEP = 1 / 60  # time step at full speed, s


class LiveScene:
    """Simulation and renderer of a window.

    frame   the latest frame
    passes  GPU time of its passes by name, s
    """

    def __init__(self, gpu: Gpu, scene: Scene, size: tuple[int, int], display: DisplayOptions) -> None:
        self.gpu, self.display = gpu, display
        with within_memory(gpu, scene, self._quality, size):
            self.renderer = self._new_renderer(size, self._quality)
            self.restart(scene)
        self._garden = Garden()
        self.frame: Frame | None = None
        self.passes: dict[str, float] = {}

    def restart(self, scene: Scene) -> None:
        """Start a scene from time 0."""
        self.simulation = DeviceSimulation(scene, self.gpu, waits=False)
        self.drawn = DrawnScene(self.renderer.layouts, self.simulation)
        if self.renderer.temporal:
            self.renderer.temporal.forget()
        keep_what_is_there()

    @property
    def _quality(self) -> Quality:
        return window_quality(self.display.quality, software=self.gpu.software)

    def fit(self, size: tuple[int, int], share: float = 1.0) -> None:
        """Adapt the renderer to a picture size, pixels, to this share of the usual resolution, and to the display."""
        quality = self._quality.at(share)
        if self.renderer.size != size or self.renderer.quality != quality:
            self.renderer = self._new_renderer(size, quality)

    def _new_renderer(self, size: tuple[int, int], quality: Quality) -> Renderer:
        renderer = Renderer(self.gpu, size, quality)
        renderer.timer = PassTimer(self.gpu)
        self.overlays = Overlays(self.gpu, renderer.layouts, quality.samples)
        return renderer

    @property
    def scene(self) -> Scene:
        """The scene that is shown."""
        return self.simulation.scene

    def change(self, scene: Scene) -> None:
        """Continue with a changed scene: plants take over the motion of those that they replace."""
        if scene is not self.scene:
            self.simulation.change(scene)
            self.drawn.refresh()

    def follow(self, scene: Scene, view: View, hand: Hand | None) -> tuple[Scene, Hand | None]:
        """The scene with the trees that a view may show: grown one tile after the other while it is drawn.

        What a hand holds stays; the hand finds it at its new number.
        """
        if not scene.groves:
            return scene, hand
        width, height = self.renderer.size
        wanted = tiles_in_view(scene, view, width / height)
        self._garden.want([(scene.groves[number], tile) for number, tile in wanted])
        held = None if hand is None else scene.stands[hand.stand]
        ready = [one for one in wanted if scene.groves[one[0]].is_alive(one[1])]
        if held is not None and held.tile is not None:
            ready += [(n, held.tile) for n, grove in enumerate(scene.groves) if grove.seeds.table == held.table]
        seen = with_tiles(scene, set(ready))
        if hand is None or held is None or seen is scene:
            return seen, hand
        return seen, replace(hand, stand=seen.stands.index(held))

    def remember(self, camera: ViewCamera, time: float) -> None:
        """Before it moves on: keep what velocities need to know of the frame before, if frames have a history."""
        if self.renderer.temporal:
            self.drawn.remember(camera.view, self._light(time), self._detail())

    def _detail(self, *, alone: bool = False) -> Detail:
        return Detail(self.renderer.size, self.renderer.quality.for_plants, alone=alone)

    def advance(self, until: float, speed: float, hand: Hand | None, figure: Capsule | None = None) -> None:
        """Advance the simulation to this time, s; slow motion takes shorter steps. A figure pushes branches aside."""
        simulation, dt = self.simulation, STEP * min(speed, 1.0)
        simulation.set_step(dt)
        simulation.advance(until, self._touch(hand), figure)

    def counts(self) -> dict[str, float]:
        """Total counts over all stands by name: how many branches move by which method."""
        total: dict[str, float] = {}
        for stand in self.simulation.stands:
            for name, count in stand.twin.counts.items():
                total[name] = total.get(name, 0) + count
        return total

    def touchable(self, hand: Hand) -> bool:
        """Whether the motion of what a hand would hold supports grabs; a loop does not."""
        return self.simulation.stands[hand.stand].stand.motion.refuses_hands is None

    def _touch(self, hand: Hand | None) -> Mapping[int, Touch]:
        for stand in self.drawn.stands:
            stand.finest = np.zeros(0, np.int64)
        if hand is None or self._is_gone(hand):
            return {}
        self.drawn.stands[hand.stand].finest = np.array([hand.instance])
        return {hand.stand: Touch(instance=hand.instance, node=hand.node, target=hand.target)}

    def _is_gone(self, hand: Hand) -> bool:
        """Whether what a hand holds has broken since."""
        stands = self.simulation.stands
        return hand.stand >= len(stands) or bool(stands[hand.stand].gone[hand.instance])

    def pick(self, camera: ViewCamera, ray: FloatArray) -> Hand | None:
        """Grab the branch that a ray hits; None if it hits none."""
        return pick(self.drawn, camera, ray, self.renderer.pixel(camera.view))

    def outline(self, hand: Hand) -> FloatArray:
        """Nodes and leaf tips (n, 3) of the plant that a hand would hold, where they are now, m."""
        stand, one = self.drawn.stands[hand.stand], slice(hand.instance, hand.instance + 1)
        points = outline(stand.stand.tree(hand.instance), self.simulation.pose(hand.stand, hand.instance))
        return stand.places.some(one).to_world(points)[0]

    def picture(
        self, camera: ViewCamera, time: float, hand: Hand | None, size: tuple[int, int], level: str
    ) -> NDArray[np.uint8]:
        """Draw the view once at another size, pixels, and level of quality; (height, width, 3), sRGB."""
        usual = self.renderer, self.overlays, self.frame, self.passes
        try:
            quality = quality_of(level, software=self.gpu.software)
            with within_memory(self.gpu, self.scene, quality, size):
                self.renderer = self._new_renderer(size, quality)
            self.draw(camera, time, hand, alone=True)
            return self.renderer.read()
        finally:
            self.renderer, self.overlays, self.frame, self.passes = usual

    def draw(
        self, camera: ViewCamera, time: float, hand: Hand | None, *, timed: bool = False, alone: bool = False
    ) -> None:
        """Draw a frame into the renderer's picture.

        timed  read the GPU time of its passes, which waits for them
        alone  choose its levels of detail without regard to the frames before and after
        """
        renderer = self.renderer
        for stand in self.drawn.stands:
            stand.paint = self.display.painting
        overlays = self._overlays(camera, time, hand)
        frame = self.drawn.frame(camera.view, self._light(time), time, self._detail(alone=alone), overlays)
        if self.display.skeleton:
            frame = replace(frame, extras=[*overlays, self.overlays.skeletons(frame.drawables.plants)])
        renderer.planar = self.display.shadows == "planar" and self.scene.ground.terrain is None
        renderer.draw(frame)
        self.frame = frame
        if renderer.timer:
            self.passes = renderer.timer.read() if timed else self.passes
            renderer.timer.names.clear()

    def _light(self, time: float) -> Light:
        light = sunlight(self.scene.sun, time)
        return replace(light, shadow=0.0) if self.display.shadows == "off" else light

    def _overlays(self, camera: ViewCamera, time: float, hand: Hand | None) -> list[Callable[[Any], None]]:
        """Draw calls of wind arrows, outlines of wind disks, and the mark of a grab.

        The mark reads posed nodes back, so it is made before the frame poses its own.
        """
        extras, pixel, land = [], self.renderer.pixel(camera.view), self.scene.ground.terrain
        if self.display.arrows:
            tallest = self.drawn.tallest if self.drawn.stands else 4.0
            radius = min(max(0.6 * camera.distance, 3.0), 200.0)
            arrows = wind_arrows(self.scene.wind, time, camera.target, radius, 0.5 * tallest, camera.place)
            if len(arrows):
                extras.append(self.overlays.strokes(arrows))
        disks = self.scene.wind.disks if self.display.disks else ()
        if disks:
            extras.append(self.overlays.strokes(disk_outlines(disks, time, camera.place, pixel, land)))
        if hand is not None and not self._is_gone(hand):
            extras.append(self.overlays.strokes(marks(self.drawn, camera, hand, pixel), in_front=True))
        return extras
