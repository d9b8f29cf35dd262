"""Frames of a scene, one after another, without a window."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from windflower.core.device import Gpu, open_gpu
from windflower.geometry.canopy_shade import canopy_of
from windflower.geometry.lod import Choice
from windflower.render.daylight import sunlight
from windflower.render.memory import within_memory
from windflower.render.quality import quality_of
from windflower.render.renderer import Around, Renderer
from windflower.render.stage import Drawn, Stage
from windflower.scene import Scene, View
from windflower.simulation.figure import walker

__all__ = ["Costs", "Film", "surroundings"]

PRE_ROLL = 4.0  # s before the first frame, so that trees are in steady sway


@dataclass
class Costs:
    """What frames cost so far: how many, and the seconds that motion and drawing took."""

    frames: int = 0
    motion: float = 0.0
    drawing: float = 0.0
    latest: Drawn | None = field(default=None, repr=False)


class Film:
    """Renders a scene at any moment; moments in ascending order continue the same motion."""

    def __init__(
        self,
        scene: Scene,
        *,
        size: tuple[int, int] | None = None,
        quality: str | None = None,
        gpu: Gpu | None = None,
    ) -> None:
        self.scene, self.gpu = scene, gpu or open_gpu()
        self.quality = quality_of(quality or scene.settings.quality.level, software=self.gpu.software)
        planar = scene.settings.quality.shadows == "planar"
        self.renderer = Renderer(self.gpu, size or scene.size, self.quality, planar=planar)
        with within_memory(self.gpu, scene, self.quality, self.renderer.size):
            self.stage = Stage(self.gpu, self.renderer.layouts, scene, start=-PRE_ROLL)
        self.costs = Costs()

    def frame(self, t: float) -> NDArray[np.uint8]:
        """The picture at t seconds, (height, width, 3). Going back in time starts the motion anew."""
        begin = time.perf_counter()
        self.go_to(t)
        drawn = self.choose(t)
        moved = time.perf_counter()
        self.draw(drawn, t)
        picture = self.renderer.read()
        self.costs.frames += 1
        self.costs.motion += moved - begin
        self.costs.drawing += time.perf_counter() - moved
        self.costs.latest = drawn
        return picture

    def go_to(self, t: float) -> None:
        """Let the motion come to this time, s."""
        if t < self.stage.time - self.stage.dt:
            self.stage = Stage(self.gpu, self.renderer.layouts, self.scene, start=min(t, 0.0) - PRE_ROLL)
        eye = self.scene.camera.view(t).eye
        self.stage.advance(t, figure=walker(eye, self.scene.ground.terrain))

    def choose(self, t: float, *, alone: bool = True, levels: Choice | None = None) -> Drawn:
        """What is seen at this time; see `Stage.frame`."""
        view, renderer = self.scene.camera.view(t), self.renderer
        sun, budget = sunlight(self.scene.sun, t).sun, self.quality.for_plants
        return self.stage.frame(
            view.eye, renderer.projection(view), renderer.pixel(view), sun, budget, alone=alone, levels=levels
        )

    def draw(self, drawn: Drawn, t: float) -> None:
        """Draw it into the renderer's picture."""
        view = self.scene.camera.view(t)
        self.renderer.draw(
            view,
            sunlight(self.scene.sun, t),
            drawn.blocks,
            time=t,
            around=surroundings(self.scene, view, t),
            bounds=(drawn.middle, drawn.radius, drawn.height),
            surfaces=drawn.surfaces,
            impostors=drawn.impostors,
            loose=drawn.loose,
        )

    def frames(self, seconds: float, fps: float) -> Iterator[NDArray[np.uint8]]:
        """All pictures of a clip."""
        for number in range(max(1, round(seconds * fps))):
            yield self.frame(number / fps)


def surroundings(scene: Scene, view: View, t: float) -> Around:
    """What surrounds the plants of a scene at a moment, seen from an eye."""
    over_ground = np.array([view.eye[0], 1.0, view.eye[2]])
    loops = [stand.loop.period for stand in scene.stands if stand.loop]
    # If everything that stands repeats, so shall grass, leaves and water.
    period = max(loops) if loops and len(loops) == len(scene.stands) else 0.0
    wind = scene.wind
    over = wind.mean if period else wind.velocity(over_ground, t)
    return Around(scene.ground, over, period, canopy_of(scene.stands))
