"""A scene on the device as a window shows it: played, changed while it moves, touched, and drawn."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.motion import Touch
from windflower.motion.hybrid.branch_kinds import Statistics as Kinds
from windflower.motion.hybrid.pushing import Capsule
from windflower.render.daylight import sunlight
from windflower.render.film import surroundings
from windflower.render.memory import within_memory
from windflower.render.quality import quality_of
from windflower.render.renderer import Light, Renderer
from windflower.render.stage import Drawn, Stage
from windflower.render.stand_on_stage import StandOnStage
from windflower.render.timing import PassTimer
from windflower.scene import Scene, Stand
from windflower.viewer.cameras import Eye
from windflower.viewer.carry import take_over
from windflower.viewer.circles import circles
from windflower.viewer.grasp import marks, pick
from windflower.viewer.picking import Hand
from windflower.viewer.show import Show
from windflower.viewer.strokes import Overlays
from windflower.viewer.weathervanes import weathervanes

__all__ = ["STEP", "Theatre"]

STEP = 1 / 60  # s of a step at full pace


class Theatre:
    """Renderer and stage of a window. `drawn` is what the latest frame drew, `passes` what its passes took, in s."""

    def __init__(self, gpu: Gpu, scene: Scene, size: tuple[int, int], show: Show) -> None:
        self.gpu, self.scene, self.show = gpu, scene, show
        self.renderer = self._new_renderer(size)
        with within_memory(gpu, scene, self.renderer.quality, size):
            self.stage = Stage(gpu, self.renderer.layouts, scene)
        self.drawn: Drawn | None = None
        self.passes: dict[str, float] = {}

    def fit(self, size: tuple[int, int]) -> None:
        """Draw pictures of this size, and as finely as is wished."""
        quality = quality_of(self.show.quality, software=self.gpu.software)
        if self.renderer.size != size or self.renderer.quality != quality:
            self.renderer = self._new_renderer(size)

    def _new_renderer(self, size: tuple[int, int]) -> Renderer:
        quality = quality_of(self.show.quality, software=self.gpu.software)
        renderer = Renderer(self.gpu, size, quality)
        renderer.timer = PassTimer(self.gpu)
        self.overlays = Overlays(self.gpu, renderer.layouts, quality.samples)
        return renderer

    def restart(self, scene: Scene) -> None:
        """Begin a scene from its beginning."""
        self.scene, self.stage = scene, Stage(self.gpu, self.renderer.layouts, scene)

    def change(self, scene: Scene) -> None:
        """Go on with a changed scene: plants take over the motion of those that stood where they stand."""
        if scene is self.scene:
            return
        before, self.scene, self.stage.wind = self.stage.stands, scene, scene.wind
        if [stand.stand for stand in before] != list(scene.stands):
            left: list[StandOnStage | None] = list(before)
            pairs = [(_predecessor(left, number, stand), stand) for number, stand in enumerate(scene.stands)]
            self.stage.stands = [self._changed(one, other) for one, other in pairs]

    def _changed(self, before: StandOnStage | None, stand: Stand) -> StandOnStage:
        if before is not None and before.mover.fits(stand):
            before.retune(stand, self.stage.dt)
            return before
        after = self.stage.on_stage(stand)
        if before is not None:
            take_over(before, after, self.stage.time)
            after.keep_leaves(before)
        return after

    def advance(self, until: float, pace: float, hand: Hand | None, figure: Capsule | None = None) -> None:
        """Let the motion come to this time, s; slow motion takes shorter steps. A figure pushes branches aside."""
        dt = STEP * min(pace, 1.0)
        if until < self.stage.time and self.repeats:
            self.stage.time = until - dt
        if dt != self.stage.dt:
            self.stage.dt = dt
            for stand in self.stage.stands:
                stand.retune(stand.stand, dt)
        self.stage.advance(until, self._touch(hand), figure)

    def branches(self) -> list[Kinds]:
        """How the branches of each block of different trees move."""
        return [mover.statistics() for mover in self.stage.hybrids]

    @property
    def repeats(self) -> bool:
        """Whether all that stands plays loops, so that time may go back."""
        return bool(self.stage.stands) and all(stand.stand.loop for stand in self.stage.stands)

    def touchable(self, hand: Hand) -> bool:
        """Whether what a hand would hold can feel it; a loop cannot."""
        return self.stage.stands[hand.stand].mover.touchable

    def _touch(self, hand: Hand | None) -> Mapping[int, Touch]:
        for stand in self.stage.stands:
            stand.finest = np.zeros(0, np.int64)
        if hand is None:
            return {}
        self.stage.stands[hand.stand].finest = np.array([hand.instance])
        return {hand.stand: Touch(instance=hand.instance, node=hand.node, target=hand.target)}

    def pick(self, eye: Eye, ray: FloatArray) -> Hand | None:
        """A hand on the branch that a ray meets, if it meets one."""
        return pick(self.stage, eye, ray, self.renderer.pixel(eye.view))

    def draw(self, eye: Eye, time: float, hand: Hand | None, *, timed: bool = False) -> None:
        """Draw a frame into the renderer's picture; `timed` reads what its passes took, for which it has to wait."""
        view, renderer, light = eye.view, self.renderer, self._light(time)
        for stand in self.stage.stands:
            stand.paint = self.show.painting
        extras = self._before(eye, time, hand)
        self.drawn = drawn = self.stage.frame(
            view.eye, renderer.projection(view), renderer.pixel(view), light.sun, renderer.quality.for_plants
        )
        if self.show.skeleton:
            extras.append(self.overlays.skeletons(drawn.blocks))
        renderer.planar = self.show.shadows == "planar" and self.scene.ground.terrain is None
        renderer.draw(
            view,
            light,
            drawn.blocks,
            time=time,
            around=surroundings(self.scene, view, time),
            bounds=(drawn.middle, drawn.radius, drawn.height),
            surfaces=drawn.surfaces,
            impostors=drawn.impostors,
            loose=drawn.loose,
            extras=extras,
        )
        if renderer.timer:
            self.passes = renderer.timer.read() if timed else self.passes
            renderer.timer.names.clear()

    def _light(self, time: float) -> Light:
        light = sunlight(self.scene.sun, time)
        return replace(light, shadow=0.0) if self.show.shadows == "off" else light

    def _before(self, eye: Eye, time: float, hand: Hand | None) -> list[Callable[[Any], None]]:
        """Arrows of the wind, and the mark of a hand; before plants are posed for the frame, which it disturbs."""
        extras = []
        if self.show.arrows:
            tallest = max((float(stand.height.max()) for stand in self.stage.stands), default=4.0)
            radius = min(max(0.6 * eye.distance, 3.0), 200.0)
            vanes = weathervanes(self.scene.wind, time, eye.target, radius, 0.5 * tallest, eye.place)
            if len(vanes):
                extras.append(self.overlays.strokes(vanes))
        disks = self.scene.wind.disks if self.show.disks else ()
        if disks:
            pixel, land = self.renderer.pixel(eye.view), self.scene.ground.terrain
            extras.append(self.overlays.strokes(circles(disks, time, eye.place, pixel, land)))
        if hand is not None:
            held = marks(self.stage, eye, hand, self.renderer.pixel(eye.view))
            extras.append(self.overlays.strokes(held, in_front=True))
        return extras


def _predecessor(left: list[StandOnStage | None], number: int, stand: Stand) -> StandOnStage | None:
    """The stand that another takes over from: the same plant where there is one, or what stood at its place.

    It is taken out of those that are left.
    """
    same = [i for i, one in enumerate(left) if one is not None and one.stand.plant is stand.plant]
    index = same[0] if same else number
    if index >= len(left):
        return None
    found, left[index] = left[index], None
    return found
