"""Offscreen rendering of a scene: frames at given times, clips, and files."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from windflower.core.device import Gpu, holding_device, open_gpu
from windflower.errors import SceneError
from windflower.geometry.lod import Choice
from windflower.render.daylight import sunlight
from windflower.render.drawn_scene import Detail, DrawnScene
from windflower.render.frame import Around, Frame, surroundings
from windflower.render.memory import within_memory
from windflower.render.output import is_picture, open_sink
from windflower.render.quality import quality_of, with_triangles
from windflower.render.renderer import Renderer
from windflower.scene import View
from windflower.scene.camera import Camera
from windflower.scene.groves import seen_from
from windflower.scene.subjects import Subject, scene_of
from windflower.simulation import DeviceSimulation
from windflower.simulation.figure import walker

__all__ = ["LEAD_IN", "Costs", "EachFrame", "Film", "Picture"]

Picture: TypeAlias = NDArray[np.uint8]
"""Picture (height, width, 3), uint8, sRGB."""
EachFrame: TypeAlias = Callable[[int, int, Picture], None]
"""Called for every frame of a clip with its number, the number of frames, and the frame."""

HAIR = 1e-6  # s, by which rounding may pass the end of a recording
PRE_ROLL = 4.0  # simulated time before the first frame, s, so that trees are in steady sway
LEAD_IN = 6  # frames that are drawn before the first of a clip, which has then as many samples as those that follow
SHUTTER = 180.0  # degrees


@dataclass
class Costs:
    """Cost of the frames so far: their number, the seconds of motion and of drawing, and the latest frame."""

    frames: int = 0
    motion: float = 0.0
    drawing: float = 0.0
    latest: Frame | None = field(default=None, repr=False)


class Film:
    """Renders a scene at any moment; moments in ascending order continue the same motion.

    scene    a scene, its settings, its name or its file; or a plant, a species or a plant's file, shown in a breeze
    size     width and height of the picture, pixels; by default the scene's
    quality  draft, good or best; by default the scene's
    gpu      the device; by default the best there is
    shutter  motion blur of clips: the angle for which the shutter is open, degrees, 0 for none
    triangles  of a frame, where the quality has fewer

    Each `frame` is a still, drawn without regard to others. The `frames` of a clip follow one another: they are
    anti-aliased over time, and blurred where they move.

        from windflower import Film

        film = Film("forest", size=(960, 540), quality="draft")
        film.frame(2.0)  # (540, 960, 3) uint8, sRGB
        film.save("forest.png", at=2.0)
        film.save("forest.mp4", seconds=4.0, fps=24.0)
    """

    def __init__(
        self,
        scene: Subject,
        *,
        size: tuple[int, int] | None = None,
        quality: str | None = None,
        gpu: Gpu | None = None,
        shutter: float = SHUTTER,
        triangles: int = 0,
    ) -> None:
        self.shutter = _checked_shutter(shutter)
        self.scene = scene = scene_of(scene, size=size)
        self.gpu = gpu or open_gpu()
        level = quality or scene.settings.quality.level
        self.quality = with_triangles(quality_of(level, software=self.gpu.software), triangles)
        self._planar = scene.settings.quality.shadows == "planar"
        self._seen: tuple[Camera, float, View] | None = None
        size = size or scene.size
        with within_memory(self.gpu, scene, self.quality, size), holding_device():
            self.renderer = Renderer(self.gpu, size, self.quality, planar=self._planar)
            self._start(-PRE_ROLL)
        self.costs = Costs()

    def _start(self, time: float) -> None:
        self.simulation = DeviceSimulation(self.scene, self.gpu, start=time)
        self.drawn = DrawnScene(self.renderer.layouts, self.simulation)

    def frame(self, t: float) -> NDArray[np.uint8]:
        """The picture at t seconds, (height, width, 3). Going back in time starts the motion anew."""
        begin = time.perf_counter()
        with holding_device():
            self.go_to(t)
            return self._drawn(self.renderer, t, begin)

    @cached_property
    def moving_renderer(self) -> Renderer:
        """The renderer of frames that follow one another."""
        size, quality = self.renderer.size, self.quality.moving
        with within_memory(self.gpu, self.scene, quality, size):
            return Renderer(self.gpu, size, quality, planar=self._planar, shutter=self.shutter)

    @cached_property
    def transparent_renderer(self) -> Renderer:
        """The renderer of stills without a sky."""
        size, quality = self.renderer.size, self.quality
        with within_memory(self.gpu, self.scene, quality, size):
            return Renderer(self.gpu, size, quality, planar=self._planar, transparent=True)

    def _drawn(self, renderer: Renderer, t: float, begin: float) -> NDArray[np.uint8]:
        """The picture at the time that was gone to, s; `begin` is when that began."""
        frame = self.choose(t)
        moved = time.perf_counter()
        renderer.draw(frame)
        picture = renderer.read()
        self.costs.frames += 1
        self.costs.motion += moved - begin
        self.costs.drawing += time.perf_counter() - moved
        self.costs.latest = frame
        return picture

    def go_to(self, t: float, *, remember: bool = False, alone: bool = True) -> None:
        """Advance the simulation to this time, s; with `remember`, the frame then knows what moved since now.

        alone  as in the `Detail` of the frame to come
        """
        if t < self.simulation.time - self.simulation.dt:
            self._start(min(t, 0.0) - PRE_ROLL)
        view = self._view(t)
        self.look(view)
        if remember:
            self.drawn.remember(view, sunlight(self.scene.sun, t), self._detail(alone=alone))
        self.simulation.advance(t, figure=walker(view.eye, self.scene.ground.terrain))

    def look(self, view: View, *others: View) -> None:
        """Grow the trees that come into view, and forget those that have left it."""
        width, height = self.renderer.size
        seen = seen_from(self.simulation.scene, view, width / height, *others)
        if seen is not self.simulation.scene:
            self.simulation.change(seen)
            self.drawn.refresh()

    def around(self, view: View, t: float) -> Around:
        """What surrounds the plants at this time, s, seen from a camera."""
        return surroundings(self.simulation, view, t)

    def approach(self, t: float) -> Iterator[float]:
        """Advance to a later time second by second, and yield the time that is still to be simulated, s."""
        while (left := t - self.simulation.time) > 1:
            with holding_device():
                self.go_to(self.simulation.time + 1)
            yield left - 1

    def choose(self, t: float, *, alone: bool = True, levels: Choice | None = None) -> Frame:
        """The frame at this time, s, ready to draw; see `Detail`."""
        detail = self._detail(alone=alone, levels=levels)
        return self.drawn.frame(self._view(t), sunlight(self.scene.sun, t), t, detail)

    def _view(self, t: float) -> View:
        """The camera at this time, s; the same one again for the same moment, whose matrices are then known."""
        camera, known = self.scene.camera, self._seen
        if known is None or known[0] is not camera or known[1] != t:
            known = self._seen = camera, t, camera.view(t)
        return known[2]

    def _detail(self, *, alone: bool = True, levels: Choice | None = None) -> Detail:
        return Detail(self.renderer.size, self.quality.for_plants, alone, levels)

    def frames(self, seconds: float, fps: float, start: float = 0.0) -> Iterator[NDArray[np.uint8]]:
        """Pictures of a clip of this length, (height, width, 3) sRGB; at least one.

        seconds  length of the clip, s
        fps      frames per second, a number
        start    time of its first frame, s
        """
        self.check_wind(start + seconds)
        self._lead_in(fps, start)
        for t in _moments(seconds, fps, start):
            yield self.next_frame(t)

    def next_frame(self, t: float) -> NDArray[np.uint8]:
        """The picture at t seconds, which follows the one before in a clip, (height, width, 3)."""
        begin = time.perf_counter()
        with holding_device():
            self.go_to(t, remember=True)
            return self._drawn(self.moving_renderer, t, begin)

    def _lead_in(self, fps: float, start: float) -> None:
        """Draw the frames before a clip, so that its first has a history; those that are past, at its start."""
        renderer = self.moving_renderer
        if renderer.temporal:
            renderer.temporal.forget()
        with holding_device():
            if start < self.simulation.time - self.simulation.dt:
                self._start(min(start, 0.0) - PRE_ROLL)
            for number in range(LEAD_IN, 0, -1):
                t = start - number / fps
                t = t if t > self.simulation.time else max(start, self.simulation.time)
                self.go_to(t, remember=True)
                renderer.draw(self.choose(t))

    def save(self, path: Path, *, seconds: float, fps: float, at: float = 0.0, each: EachFrame | None = None) -> None:
        """Write a picture at a time, s, or a clip that begins then, depending on the path's suffix.

        path     the file, or for single frames the folder, to write
        seconds  length of a clip, s
        fps      frames per second, a number
        at       time of the picture or of the first frame, s
        each     called with every frame
        """
        self.check_wind(at if is_picture(path) else at + seconds)
        count = 1 if is_picture(path) else len(_moments(seconds, fps, at))
        with open_sink(path, self.renderer.size, fps, frames=count) as sink:
            for number, frame in enumerate([self.frame(at)] if is_picture(path) else self.frames(seconds, fps, at)):
                sink.write(frame)
                if each:
                    each(number, count, frame)

    def check_wind(self, end: float) -> None:
        """Refuse to film on after a recorded wind has ended."""
        lasts = self.scene.wind.lasts
        if end > lasts + HAIR:
            raise SceneError(
                f"wind: a clip ends before its recorded wind, which lasts {lasts:.6g} s; this one ends at {end:.6g} s. "
                "Film less, or set repeat = true."
            )


def _checked_shutter(angle: float) -> float:
    if not 0 <= angle <= 360:
        raise SceneError(f"a shutter angle is 0 to 360 degrees; it is {angle:g}. 180 is usual, 0 is no motion blur.")
    return float(angle)


def _moments(seconds: float, fps: float, start: float) -> list[float]:
    """Frame times of a clip, s; at least one."""
    return [start + number / fps for number in range(max(1, round(seconds * fps)))]
