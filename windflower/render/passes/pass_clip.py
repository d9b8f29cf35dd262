"""Data passes of a clip: frame after frame, each with where everything is a frame earlier and a frame later."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.device import holding_device
from windflower.render.daylight import sunlight
from windflower.render.drawn_scene import Detail
from windflower.render.film import PRE_ROLL, Film
from windflower.render.frame import Frame
from windflower.render.passes.data_pipelines import SOURCES
from windflower.render.passes.data_view import DataView
from windflower.render.passes.frame_data import FrameData
from windflower.render.passes.labels import Labels
from windflower.render.passes.occlusion import hidden_in
from windflower.render.passes.pixel_wind import wind_at
from windflower.render.passes.registry import DataPass, Facts, layers_of, sources_of
from windflower.scene import View
from windflower.scene.camera import NEAR, look_at, perspective
from windflower.simulation.figure import walker

__all__ = ["PassClip"]

BACK, FORTH = 0, 1  # memories of the drawn scene: of the frame before the coming one, and of the one that was drawn


@dataclass(frozen=True, eq=False)
class _Shot:
    """A frame that was drawn, and the wind over each plant at its time."""

    frame: Frame
    facts: Facts
    wind: FloatArray


class PassClip:
    """Draws data passes of a film's scene.

    film    renders the scene
    passes  what is asked for; see `checked_passes`
    labels  ids of its plants and species
    """

    def __init__(self, film: Film, passes: Sequence[DataPass]) -> None:
        self.film, self.passes, self.layers = film, tuple(passes), layers_of(passes)
        self._wanted = sources_of(passes) | {"labels"}
        self.labels = Labels(film.scene)
        self._view = DataView(film.renderer)
        self._moves = "motion" in self._wanted

    def frames(self, seconds: float, fps: float, start: float = 0.0) -> Iterator[FrameData]:
        """Frames of a clip of this length, s, from a start time, s; at least one."""
        moments = [start + number / fps for number in range(max(1, round(seconds * fps)))]
        self.film.check_wind(moments[-1] + (1 / fps if self._moves else 0.0))
        if not self._moves:
            for number, t in enumerate(moments):
                yield self._yielded(number, self._shot(t))
            return
        before = self._shot(start - 1 / fps)
        shot = self._after(before, moments[0])[1]
        for number, t in enumerate([*moments[1:], moments[-1] + 1 / fps]):
            forward, coming = self._after(shot, t)
            hidden = hidden_in(forward, coming.facts.depth), hidden_in(shot.facts.views["motion"], before.facts.depth)
            facts = replace(shot.facts, forward=forward, hidden_after=hidden[0], hidden_before=hidden[1])
            yield self._yielded(number, replace(shot, facts=facts))
            before, shot = shot, coming

    def _shot(self, t: float) -> _Shot:
        """The frame at a time, s, without motion."""
        with holding_device():
            self.film.go_to(t)
            self._mark()
            frame = self.film.choose(t)
            return self._drawn(frame, frame)

    def _after(self, shot: _Shot, t: float) -> tuple[FloatArray, _Shot]:
        """Motion from a frame to this time, s, and the frame then, with its motion from the one before."""
        film, scene, old = self.film, self.film.scene, shot.frame
        view, light = scene.camera.view(t), sunlight(scene.sun, t)
        detail = Detail(film.renderer.size, film.quality.for_plants, alone=True)
        with holding_device():
            film.look(view, old.view)
            self._mark()
            film.drawn.remember(old.view, old.light, detail, memory=FORTH)
            film.drawn.remember(view, light, detail, memory=BACK)
            film.simulation.advance(t, figure=walker(view.eye, scene.ground.terrain))
            self._mark()
            was = film.drawn.frame(old.view, old.light, old.time, detail, memory=FORTH)
            new = replace(was, view=view, light=light, time=t, around=film.around(view, t))
            forward = self._view.draw(was, new, was.drawables.swapped(), ["motion"])["motion"]
            frame = film.drawn.frame(view, light, t, detail, memory=BACK)
            return forward, self._drawn(frame, old)

    def _mark(self) -> None:
        """Have the stands that are there drawn with their labels."""
        film = self.film
        film.drawn.refresh_broken()
        for stand in film.drawn.stands:
            stand.mark(self.labels.of(stand.stand), strained=any(one.name == "strain" for one in self.passes))

    def _drawn(self, frame: Frame, before: Frame) -> _Shot:
        """Draw what is asked for of a frame; `before` is the one before it."""
        views = self._view.draw(frame, before, frame.drawables, [one for one in SOURCES if one in self._wanted])
        rgb = self._picture(frame) if "picture" in self._wanted else None
        facts = Facts(views=views, species=self.labels.species, rgb=rgb)
        if any(one.name == "wind" for one in self.passes):
            facts = replace(facts, wind=wind_at(self.film.scene, frame.view, facts.depth, frame.time))
        return _Shot(frame, facts, self._wind())

    def _picture(self, frame: Frame) -> NDArray[np.uint8]:
        self.film.renderer.draw(frame)
        return self.film.renderer.read().copy()

    def _wind(self) -> FloatArray:
        """(labels + 1, 3) wind over each plant now, m/s."""
        found = np.full((self.labels.count + 1, 3), np.nan)
        for number, moved in enumerate(self.film.simulation.stands):
            there = ~moved.gone
            found[self.labels.of(moved.stand)[there]] = self.film.simulation.air(number)[there]
        return found

    def _yielded(self, number: int, shot: _Shot) -> FrameData:
        arrays = {layer.name: np.asarray(layer.read(shot.facts)).astype(layer.dtype) for layer in self.layers}
        view, frame = shot.frame.view, shot.frame
        sun = {"direction": frame.light.sun.tolist(), "colour": frame.light.sun_colour.tolist()}
        return FrameData(number, frame.time, arrays, _camera(view, self.film.renderer.size), sun, shot.wind)


def _camera(view: View, size: tuple[int, int]) -> dict[str, Any]:
    """What a reader needs to place pixels: matrices multiply columns; y is up in camera space, and z backward."""
    width, height = size
    focal = height / 2 / np.tan(np.radians(view.field_of_view) / 2)
    return {
        "eye": view.eye.tolist(),
        "target": view.target.tolist(),
        "field_of_view": view.field_of_view,
        "near": NEAR,
        "view": look_at(view.eye, view.target).tolist(),
        "projection": perspective(view.field_of_view, width / height).tolist(),
        "intrinsics": {"fx": focal, "fy": focal, "cx": width / 2, "cy": height / 2},
    }
