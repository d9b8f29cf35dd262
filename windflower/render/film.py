"""Offscreen rendering of a scene: frames at given times, clips, and files."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from windflower.core.device import Gpu, holding_device, open_gpu
from windflower.errors import SceneError
from windflower.geometry.lod import Choice
from windflower.render.daylight import sunlight
from windflower.render.drawn_scene import Detail, DrawnScene
from windflower.render.frame import Frame
from windflower.render.memory import within_memory
from windflower.render.output import is_picture, open_sink
from windflower.render.quality import quality_of
from windflower.render.renderer import Renderer
from windflower.scene import Scene, View
from windflower.scene.groves import seen_from
from windflower.simulation import DeviceSimulation
from windflower.simulation.figure import walker

__all__ = ["Costs", "EachFrame", "Film", "Picture"]

Picture: TypeAlias = NDArray[np.uint8]
"""Picture (height, width, 3), uint8, sRGB."""
EachFrame: TypeAlias = Callable[[int, int, Picture], None]
"""Called for every frame of a clip with its number, the number of frames, and the frame."""

HAIR = 1e-6  # s, by which rounding may pass the end of a recording
PRE_ROLL = 4.0  # simulated time before the first frame, s, so that trees are in steady sway


@dataclass
class Costs:
    """Cost of the frames so far: their number, the seconds of motion and of drawing, and the latest frame."""

    frames: int = 0
    motion: float = 0.0
    drawing: float = 0.0
    latest: Frame | None = field(default=None, repr=False)


class Film:
    """Renders a scene at any moment; moments in ascending order continue the same motion.

    scene    the scene, as `build_scene` makes it
    size     width and height of the picture, pixels; by default the scene's
    quality  draft, good or best; by default the scene's
    gpu      the device; by default the best there is

        film = Film(build_scene(read_scene("forest")), size=(960, 540), quality="draft")
        film.frame(2.0)  # (540, 960, 3) uint8, sRGB
    """

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
        size = size or scene.size
        with within_memory(self.gpu, scene, self.quality, size), holding_device():
            self.renderer = Renderer(self.gpu, size, self.quality, planar=planar)
            self._start(-PRE_ROLL)
        self.costs = Costs()

    def _start(self, time: float) -> None:
        self.simulation = DeviceSimulation(self.scene, self.gpu, start=time)
        self.drawn = DrawnScene(self.renderer.layouts, self.simulation)

    def frame(self, t: float) -> NDArray[np.uint8]:
        """The picture at t seconds, (height, width, 3). Going back in time starts the motion anew."""
        return self._drawn(self.renderer, t)

    def _drawn(self, renderer: Renderer, t: float) -> NDArray[np.uint8]:
        begin = time.perf_counter()
        with holding_device():
            self.go_to(t, remember=renderer.temporal is not None)
            frame = self.choose(t)
            moved = time.perf_counter()
            renderer.draw(frame)
            picture = renderer.read()
        self.costs.frames += 1
        self.costs.motion += moved - begin
        self.costs.drawing += time.perf_counter() - moved
        self.costs.latest = frame
        return picture

    def go_to(self, t: float, *, remember: bool = False) -> None:
        """Advance the simulation to this time, s; with `remember`, the frame then knows what moved since now."""
        if t < self.simulation.time - self.simulation.dt:
            self._start(min(t, 0.0) - PRE_ROLL)
        view = self.scene.camera.view(t)
        self._look(view)
        if remember:
            self.drawn.remember(view, sunlight(self.scene.sun, t), self._detail())
        self.simulation.advance(t, figure=walker(view.eye, self.scene.ground.terrain))

    def _look(self, view: View) -> None:
        """Grow the trees that come into view, and forget those that have left it."""
        width, height = self.renderer.size
        seen = seen_from(self.simulation.scene, view, width / height)
        if seen is not self.simulation.scene:
            self.simulation.change(seen)
            self.drawn.refresh()

    def approach(self, t: float) -> Iterator[float]:
        """Advance to a later time second by second, and yield the time that is still to be simulated, s."""
        while (left := t - self.simulation.time) > 1:
            with holding_device():
                self.go_to(self.simulation.time + 1)
            yield left - 1

    def choose(self, t: float, *, alone: bool = True, levels: Choice | None = None) -> Frame:
        """The frame at this time, s, ready to draw; see `Detail`."""
        detail = self._detail(alone=alone, levels=levels)
        return self.drawn.frame(self.scene.camera.view(t), sunlight(self.scene.sun, t), t, detail)

    def _detail(self, *, alone: bool = True, levels: Choice | None = None) -> Detail:
        return Detail(self.renderer.size, self.quality.for_plants, alone, levels)

    def frames(self, seconds: float, fps: float, start: float = 0.0) -> Iterator[NDArray[np.uint8]]:
        """Pictures of a clip of this length, s, from a start time, s; at least one."""
        self._check_wind(start + seconds)
        for t in _moments(seconds, fps, start):
            yield self.frame(t)

    def save(self, path: Path, *, seconds: float, fps: float, at: float = 0.0, each: EachFrame | None = None) -> None:
        """Write a picture at a time, s, or a clip that begins then, depending on the path's suffix."""
        self._check_wind(at if is_picture(path) else at + seconds)
        times = [at] if is_picture(path) else _moments(seconds, fps, at)
        with open_sink(path, self.renderer.size, fps, frames=len(times)) as sink:
            for number, t in enumerate(times):
                frame = self.frame(t)
                sink.write(frame)
                if each:
                    each(number, len(times), frame)

    def _check_wind(self, end: float) -> None:
        """Refuse to film on after a recorded wind has ended."""
        lasts = self.scene.wind.lasts
        if end > lasts + HAIR:
            raise SceneError(
                f"wind: a clip ends before its recorded wind, which lasts {lasts:.6g} s; this one ends at {end:.6g} s. "
                "Film less, or set repeat = true."
            )


def _moments(seconds: float, fps: float, start: float) -> list[float]:
    """Frame times of a clip, s; at least one."""
    return [start + number / fps for number in range(max(1, round(seconds * fps)))]
