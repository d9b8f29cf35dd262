"""The stage: a scene simulated and drawn on the native device while a tape runs.

    scene ──> simulation, renderer ──> two steps, two frames ──> Tape

What the first step and the first frame make lasts; the second ones are what a page plays again and again. Of these,
only the work is kept: whatever they write must be an input that the page writes itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.errors import SceneError
from windflower.geometry.sward import TILE, Sown, Tiles
from windflower.motion.stand import Stand
from windflower.render.daylight import sunlight
from windflower.render.drawn_scene import Detail, DrawnScene
from windflower.render.drawn_stand import STRAIN, Paint
from windflower.render.frame import Frame
from windflower.render.quality import Quality
from windflower.render.renderer import Renderer
from windflower.render.sward import POPULATIONS
from windflower.scene import Scene
from windflower.scene.terrain import Terrain
from windflower.simulation import DeviceSimulation
from windflower.simulation.device_stand import DeviceStand
from windflower.web.hands import Room, rooms_for_hands
from windflower.web.sizes import SIZES, with_sizes
from windflower.web.tape import Call, Named, Tape, recording
from windflower.wind.grid import Box, box_around

__all__ = ["INPUTS", "Staged", "stage"]

MOST_STEPS = 8  # that a page takes in one submission, where all plants can take them together
TRIANGLES = 400_000  # of all plants of a page, at most
LEVELS_SEEN = (1280, 720)  # pixels of the picture for which levels of detail are chosen
STRAINED = Paint(STRAIN, 0.0015)  # up to a quarter of what breaks green wood, as in the window
INPUTS = {
    "frame",
    "mirrored frame",
    "tone",
    "dome",
    "wind map",
    "wind map before",
    "field",
    "layers",
    "waves",
    "trains",
    "fronts",
    "stand",
    "stand of springs",
    "moment of a loop",
    "twigs of a loop",
    "twigs of a level",
    "follow",
    "tiles",
    "judge",
}
"""Buffers and textures that a page writes, by their labels."""


@dataclass(frozen=True, eq=False)
class Staged:
    """A scene as it was recorded.

    tape        its calls, with sections "start", "step" and "frame"; "strain", a frame in the colours of strain, "to
                strain" before the first of these, and "to natural" before the first of the others again
    frame       the latest frame
    simulation  as it began; renderer: of the first size
    box         around all places at which plants feel the wind
    most        steps that a page takes in one submission
    rooms       for hands
    tallest     height of the tallest plant, m
    """

    tape: Tape
    frame: Frame
    simulation: DeviceSimulation
    renderer: Renderer
    box: Box
    most: int
    rooms: list[Room]
    tallest: float

    @property
    def loop_clocks(self) -> list[tuple[Any, str, float]]:
        """Uniforms that say how much of a loop is over, each with the name of its struct and the period, s."""
        stands = self.simulation.stands
        loops = [(clock, "Loop", period) for moved in stands for clock, period in moved.twin.loop_clocks()]
        twigs = [(clock, "Level", moved.stand.motion.period) for moved in stands for clock in moved.twig_clocks]
        return loops + [(clock, name, period) for clock, name, period in twigs if period is not None]


class _Simulation(DeviceSimulation):
    """A simulation in which kernels find the wind, however few plants there are."""

    def on_backend(self, stand: Stand, scene: Scene) -> DeviceStand:
        """A stand of a scene as it begins at this moment."""
        return DeviceStand(self.gpu, stand, scene.wind, self.time, self.dt, many=True)


class _AllTiles(Tiles):
    """As many tiles as there can be; how many there are, the page says."""

    def __init__(self, name: str, sown: Sown) -> None:
        super().__init__(np.zeros(sown.most, TILE), np.zeros(sown.most))
        object.__setattr__(self, "_name", name)

    @property
    def count(self) -> int:
        """Number of tiles, named after the population."""
        return Named(len(self), self._name)  # type: ignore[attr-defined]

    def parts(self, until: Sequence[float]) -> list[tuple[int, int]]:
        """First tile and number of tiles of each mesh, named likewise."""
        name, most = self._name, len(self)  # type: ignore[attr-defined]
        return [(Named(1, f"{name} {at} first"), Named(most, f"{name} {at}")) for at in range(len(until))]


def stage(gpu: Gpu, scene: Scene, quality: Quality) -> Staged:
    """Record a scene for pictures of any size."""
    if scene.ground.terrain is not None or scene.groves:
        raise SceneError(
            "a page shows live plants on level ground; this scene has hills, or trees that grow where one looks. Use "
            "[ground] without a terrain."
        )
    if any(stand.breaking is not None for stand in scene.stands):
        raise SceneError("a page plays plants that hold; in this scene some may break. Leave out 'breaks'.")
    small, large = (_recorded(gpu, scene, quality, size) for size in SIZES)
    with_sizes(small.tape, large.tape)
    return small


def _recorded(gpu: Gpu, scene: Scene, quality: Quality, size: tuple[int, int]) -> Staged:
    with recording(gpu) as (card, tape):
        renderer = Renderer(
            card,
            size,
            quality,
            splats=False,
            find_tiles=_all_tiles,
        )
        simulation = _Simulation(scene, card)
        box = box_around(np.concatenate([_felt_at(stand.stand) for stand in simulation.stands]))
        for moved in simulation.stands:
            moved.twin.find_wind_about(box)
        most = 1 if any(stand.twin.one_by_one for stand in simulation.stands) else MOST_STEPS
        drawn = DrawnScene(renderer.layouts, simulation)
        view, detail = replace(scene.camera.view(0.0), aperture=0.0), Detail(LEVELS_SEEN, TRIANGLES, alone=True)
        choice = drawn.levels_everywhere(view, detail)  # a camera may turn anywhere
        detail, rooms = replace(detail, levels=choice), rooms_for_hands(simulation, choice)
        light = sunlight(scene.sun, 0.0)
        for time, sections in enumerate((("first step", "first frame"), ("step", "frame"))):
            tape.begin(sections[0])
            simulation.advance((time + 1) * most * simulation.dt)
            tape.begin(sections[1])
            frame = drawn.frame(view, light, time, detail)
            renderer.draw(frame)
        if rooms and all(room.strained for room in rooms):
            for section, paint in (("first strain", STRAINED), ("strain", STRAINED), ("first natural", Paint())):
                tape.begin(section)
                for shown in drawn.stands:
                    shown.paint = paint
                renderer.draw(drawn.frame(view, light, time, detail))
    _settle(tape)
    return Staged(tape, frame, simulation, renderer, box, most, rooms, drawn.tallest)


def _felt_at(stand: Stand) -> FloatArray:
    """(points, 3) where the plants of a stand feel the wind, m; where they stand, if they have a wind of their own."""
    probes = stand.probes.reshape(-1, 3)
    return probes if len(probes) else stand.aloft.position


def _all_tiles(
    sown: tuple[Sown, ...],
    camera: FloatArray,  # noqa: ARG001 - all, wherever it is
    projection: FloatArray,  # noqa: ARG001
    *,
    land: Terrain | None,  # noqa: ARG001
) -> list[Tiles]:
    known = {(one.layers, one.most): one.name for one in POPULATIONS}
    return [_AllTiles(known[one.layers, one.most], one) for one in sown]


def _settle(tape: Tape) -> None:
    """Keep the work of the second step and frame, and of the first ones only what is not done again."""
    for section in ("step", "frame"):
        tape.sections["start"] += _once(tape, f"first {section}", section)
    if "strain" in tape.sections:
        names = {number: label for label, some in tape.labels.items() for number in some}
        for kind, again in (("strain", "strain"), ("natural", "frame")):
            once = _once(tape, f"first {kind}", again)
            writes = [call for call in once if call[0] != "submit" and names.get(_written(call)) not in INPUTS]
            tape.sections[f"to {kind}"] = writes


def _once(tape: Tape, first: str, again: str) -> list[Call]:
    """What is done the first time only; of what is done again, only the work is kept."""
    names = {number: label for label, some in tape.labels.items() for number in some}
    before, calls = tape.sections.pop(first), tape.sections[again]
    for call in calls:
        if call[0] != "submit" and names.get(_written(call)) not in INPUTS and call not in before:
            what = names.get(_written(call), "a buffer")
            raise SceneError(
                f"a page plays what kernels move; in this scene the processor writes '{what}' in each frame, as for "
                "falling leaves, local and recorded winds, and motions such as hybrid and loop. Leave these out."
            )
    work = tape.sections[again] = [call for call in calls if call[0] == "submit"]
    return [call for call in before if call not in work]


def _written(call: Any) -> int:
    into = call[1]
    number = into["texture"]["$"] if "texture" in into else into["$"]
    assert isinstance(number, int)
    return number
