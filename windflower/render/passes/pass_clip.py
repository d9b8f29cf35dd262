"""Data passes of a clip: frame after frame, each with where everything is a frame earlier and a frame later."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.device import holding_device
from windflower.render.daylight import sunlight
from windflower.render.drawn_scene import Detail
from windflower.render.film import Film
from windflower.render.frame import Frame
from windflower.render.memory import within_memory
from windflower.render.passes.data_pipelines import SOURCES
from windflower.render.passes.data_view import DataView, data_bytes
from windflower.render.passes.frame_data import FrameData, camera_facts
from windflower.render.passes.labels import Labels
from windflower.render.passes.occlusion import Hidden
from windflower.render.passes.pass_files import PassFormat
from windflower.render.passes.pass_folder import check_room, clip_about, open_pass_folder
from windflower.render.passes.pixel_wind import wind_at
from windflower.render.passes.registry import PARTS, DataPass, layers_of
from windflower.simulation.figure import walker

__all__ = ["PassClip"]

LOW = [PARTS.index(name) for name in ("ground", "water")]
BACK, FORTH = 0, 1  # memories of the drawn scene: of the frame before the coming one, and of the one that was drawn


@dataclass(frozen=True, eq=False)
class _Shot:
    """A frame that was drawn, what was found out about its pixels, and the wind over each plant at its time."""

    frame: Frame
    found: dict[str, NDArray[Any]]
    wind: FloatArray


class PassClip:
    """Draws data passes of a film's scene.

    film    renders the scene
    passes  what is asked for; see `checked_passes`
    labels  ids of its plants and species
    """

    def __init__(self, film: Film, passes: Sequence[DataPass]) -> None:
        self.film, self.layers, self.labels = film, layers_of(passes), Labels(film.scene)
        self._wanted = {layer.source for layer in self.layers}
        self._strained = any(one.name == "strain" for one in passes)
        self._sources = [one for one in SOURCES if one in self._wanted or one == "labels"]
        size = film.renderer.size
        beside = data_bytes(self._sources, size, film.quality.grass)
        with within_memory(film.gpu, film.scene, film.quality, size, beside=beside):
            self._view = DataView(film.renderer, self._sources)

    def frames(self, seconds: float, fps: float, start: float = 0.0) -> Iterator[FrameData]:
        """Frames of a clip of this length, s, from a start time, s; at least one."""
        moments = [start + number / fps for number in range(max(1, round(seconds * fps)))]
        self.film.check_wind(start + len(moments) / fps)
        shots = self._moving(moments, fps) if "motion" in self._wanted else map(self._shot, moments)
        for number, shot in enumerate(shots):
            yield self._data(number, shot)

    def save(
        self,
        path: Path,
        form: PassFormat,
        *,
        seconds: float,
        fps: float,
        at: float = 0.0,
        each: Callable[[int, int], None] | None = None,
    ) -> None:
        """Write the files of a clip and a sidecar to a folder; `each` is told the number of each frame and of all."""
        size, count = self.film.renderer.size, max(1, round(seconds * fps))
        check_room(path, form, self.layers, size, count)
        about = clip_about(self.labels, self.layers, form, size, fps)
        with open_pass_folder(path, form, self.layers, about) as folder:
            for frame in self.frames(seconds, fps, at):
                folder.write(frame)
                if each:
                    each(frame.number, count)

    def _moving(self, moments: Sequence[float], fps: float) -> Iterator[_Shot]:
        """Shots of a clip with flow, for which the frame before the first and the one after the last are drawn too."""
        _, earlier, shot = self._after(self._shot(moments[0] - 1 / fps), moments[0])
        for t in [*moments[1:], moments[-1] + 1 / fps]:
            forward, hidden, coming = self._after(shot, t)
            more = {"forward": forward, "hidden_after": hidden.after, "hidden_before": earlier.before}
            yield replace(shot, found={**shot.found, **more})
            earlier, shot = hidden, coming

    def _shot(self, t: float) -> _Shot:
        """The frame at a time, s, without motion."""
        with holding_device():
            self.film.go_to(t)
            self._mark()
            frame = self.film.choose(t)
            return self._drawn(frame, frame)

    def _after(self, shot: _Shot, t: float) -> tuple[FloatArray, Hidden, _Shot]:
        """Motion from a frame to this time, s; what it and the frame then hide of one another; that frame."""
        film, scene, old = self.film, self.film.scene, shot.frame
        view, light, drawn = scene.camera.view(t), sunlight(scene.sun, t), film.drawn
        detail = Detail(film.renderer.size, film.quality.for_plants, alone=True)
        with holding_device():
            film.look(view, old.view)
            self._mark()
            drawn.remember(old.view, old.light, detail, memory=FORTH)
            drawn.remember(view, light, detail, memory=BACK)
            film.simulation.advance(t, figure=walker(view.eye, scene.ground.terrain))
            self._mark()
            was = drawn.frame(old.view, old.light, old.time, detail, memory=FORTH)
            new = replace(was, view=view, light=light, time=t, around=film.around(view, t))
            forward = self._view.draw_departing(was, new, was.drawables.swapped())
            arrived = self._drawn(drawn.frame(view, light, t, detail, memory=BACK), old)
            return forward, self._view.hidden(), arrived

    def _mark(self) -> None:
        """Have the stands that are there drawn with their labels."""
        self.film.drawn.refresh_broken()
        for stand in self.film.drawn.stands:
            stand.mark(self.labels.of(stand.stand), strained=self._strained)

    def _drawn(self, frame: Frame, before: Frame) -> _Shot:
        """Draw what is asked for of a frame; `before` is the one before it."""
        found: dict[str, NDArray[Any]] = {**self._view.draw(frame, before, frame.drawables)}
        label, part, _, away = np.moveaxis(found["labels"], -1, 0)
        found["depth"] = np.where(away > 0, away, np.inf)
        found["species"] = self.labels.species[label.astype(int)]
        if "wind" in self._wanted:
            found["wind"] = wind_at(
                self.film.gpu, self.film.scene, frame.view, found["depth"], np.isin(part, LOW), frame.time
            )
        if "rgb" in self._wanted:
            self.film.renderer.draw(frame)
            found["rgb"] = self.film.renderer.read()
        if "rgba" in self._wanted:
            self.film.transparent_renderer.draw(frame)
            found["rgba"] = self.film.transparent_renderer.read_with_alpha()
        return _Shot(frame, found, self._wind())

    def _wind(self) -> FloatArray:
        """(labels + 1, 3) wind over each plant now, m/s."""
        found = np.full((self.labels.count + 1, 3), np.nan)
        for number, moved in enumerate(self.film.simulation.stands):
            there = ~moved.gone
            found[self.labels.of(moved.stand)[there]] = self.film.simulation.air(number)[there]
        return found

    def _data(self, number: int, shot: _Shot) -> FrameData:
        frame = shot.frame
        return FrameData(
            number,
            frame.time,
            {layer.name: layer.read(shot.found) for layer in self.layers},
            camera=camera_facts(frame.view, self.film.renderer.size),
            sun={"direction": frame.light.sun.tolist(), "colour": frame.light.sun_colour.tolist()},
            wind=shot.wind,
        )
