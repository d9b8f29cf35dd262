"""The demo: a gust that crosses a forest, as much of it as a device can draw within a minute.

The first still is the probe: it is on disk within seconds, the frames after it are timed, and from that it is chosen
how many trees the clip shows, how large, and for how long.
"""

import time
from collections.abc import Callable, Sequence
from math import inf
from pathlib import Path
from typing import TypeAlias

import numpy as np

from windflower.core.device import Gpu
from windflower.render.demo_budget import Choice, DemoSettings, Measured, choose, finer_still, reachable
from windflower.render.film import Film
from windflower.render.output import open_sink, save_picture
from windflower.scene import SceneSettings, build, read_scene
from windflower.scene.camera_table import FixedCamera
from windflower.scene.stands import PlantCache, Progress
from windflower.scene.thinning import with_trees

__all__ = ["Demo", "forest_of"]

Clock: TypeAlias = Callable[[], float]
Tell: TypeAlias = Callable[[int, int], None]
"""Told after each frame how many are done, and how many there will be."""

EYE, TARGET = (3.0, 2.4, 27.0), (-2.5, 7.4, -12.0)  # of a camera before fifty trees, m
PROBED, APART = 3, 1 / 15  # frames that are timed after the first, and s between them


def forest_of(settings: DemoSettings) -> SceneSettings:
    """The scene that a demo shows."""
    scene = with_trees(read_scene("forest"), settings.trees)
    stands = [
        stand.model_copy(update={"specimens": min(stand.specimens, settings.specimens)}) for stand in scene.stands
    ]
    camera = _nearer(scene.camera, settings.trees) if isinstance(scene.camera, FixedCamera) else scene.camera
    return scene.model_copy(update={"stands": tuple(stands), "size": settings.size, "camera": camera})


def _nearer(camera: FixedCamera, trees: int) -> FixedCamera:
    """A thousand trees are seen as the scene has it, from above their crowns; few ones from the grass before them."""
    share = float(np.clip((np.sqrt(trees / 1000) - 0.2) / 0.8, 0.0, 1.0))
    eye, target = (
        tuple((1 - share) * np.array(few) + share * np.array(many))
        for few, many in ((EYE, camera.eye), (TARGET, camera.target))
    )
    return camera.model_copy(update={"eye": eye, "target": target})


class Demo:
    """A still and a clip of the forest, within a time.

    gpu       the device
    ladder    settings to choose from, the largest first
    first     what the first still shows; its frames are timed
    until     time on the clock at which the clip ends, if need be before its length
    clock     time, s
    progress  told what is being prepared

        demo = Demo(gpu, LADDER, SMALL, until=time.perf_counter() + LIMIT)
        demo.draw_still(Path("demo.png"))
        demo.choose()
        demo.record(Path("demo.mp4"), still=Path("demo.png"))
        demo.draw_finer_still(Path("demo.png"))
    """

    def __init__(
        self,
        gpu: Gpu,
        ladder: Sequence[DemoSettings],
        first: DemoSettings,
        *,
        until: float = inf,
        clock: Clock = time.perf_counter,
        progress: Progress | None = None,
    ) -> None:
        self.gpu, self.ladder, self.settings, self.until = gpu, ladder, first, until
        self._clock, self._progress, self._plants = clock, progress, PlantCache()
        self._preparing = 0.0
        self.film = self._new_film(first)

    def _new_film(self, settings: DemoSettings) -> Film:
        begin = self._clock()
        scene = build(forest_of(settings), self._progress, plants=self._plants)
        film = Film(scene, quality=settings.quality, gpu=self.gpu, triangles=settings.triangles)
        self._preparing = self._clock() - begin
        return film

    def draw_still(self, path: Path) -> None:
        """Save a picture shortly before the clip begins."""
        begin = self._clock()
        save_picture(path, self.film.frame(self.settings.start - PROBED * APART))
        self._preparing += self._clock() - begin

    def choose(self) -> Choice:
        """Time a few frames, choose what the clip shows, and prepare it; time for a finer still is left."""
        frame = self._frame_seconds()
        self._device = Measured(self.settings, frame, self._preparing, self.gpu.software)
        choice = choose(self.ladder, self._device, left=self.until - self._clock() - self._still_seconds())
        if not choice.settings.draws_like(self.settings):
            self.film = self._new_film(choice.settings)
        self.settings = choice.settings
        return choice

    def _still_seconds(self) -> float:
        """Seconds that a finer still is expected to take; none if what is drawn is no draft."""
        return self._device.seconds(finer_still(self.settings)) if self.settings.quality == "draft" else 0.0

    def draw_finer_still(self, path: Path) -> None:
        """Save the middle of a clip that was drawn as a draft once more in good quality, if there is time."""
        if 0 < self._still_seconds() <= self.until - self._clock():
            settings = finer_still(self.settings)
            save_picture(path, self._new_film(settings).frame(settings.start))

    def _frame_seconds(self) -> float:
        """Mean time that a frame takes; the first still has compiled all shaders."""
        begin = self._clock()
        for number in range(PROBED):
            self.film.frame(self.settings.start - (PROBED - 1 - number) * APART)
        return (self._clock() - begin) / PROBED

    def record(self, path: Path, *, still: Path, tell: Tell | None = None) -> float:
        """Write the clip, and a still of its middle, where the gust is. Returns how long it has become, s."""
        count, done, drawn = self.settings.frames, 0, 0.0
        # A software driver has no time to gather samples over frames.
        draw = self.film.frame if self.gpu.software else self.film.next_frame
        with open_sink(path, self.film.renderer.size, self.settings.fps, frames=count) as sink:
            while done < reachable(count, done, frame=drawn, left=self.until - self._clock()):
                begin = self._clock()
                picture = draw(self.settings.start + done / self.settings.fps)
                sink.write(picture)
                if done == count // 2:
                    save_picture(still, picture)
                done, drawn = done + 1, self._clock() - begin
                if tell:
                    tell(done, reachable(count, done, frame=drawn, left=self.until - self._clock()))
        return done / self.settings.fps
