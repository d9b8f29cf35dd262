"""The data view: draws facts about surfaces for a frame, on their way to where they are at another time."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.buffers import bind_group, uniform
from windflower.render.draw_lists import DrawLists, Part
from windflower.render.frame import Drawables, Frame
from windflower.render.ground import DrawnGround
from windflower.render.ground_pipelines import make_ground_pipelines
from windflower.render.memory import GROUND_BYTES
from windflower.render.passes.data_pipelines import DataPipelines, data_pipelines
from windflower.render.passes.data_targets import DataTargets, target_bytes
from windflower.render.passes.far_wood import far_group
from windflower.render.passes.frame_group import frame_group, sky_group
from windflower.render.passes.occlusion import Hidden, Occlusion
from windflower.render.pipelines import FRAME, LIGHT, MASK
from windflower.render.renderer import Renderer
from windflower.render.sward import sown_bytes
from windflower.render.wind_map import DrawnWindMap

__all__ = ["MOVING", "DataView", "data_bytes"]

CLEAR = 1e12  # m at which haze takes half: never
SAMPLES = {"albedo": 4}  # along a side of a pixel; one where it is not named
MOVING = ("labels", "motion")  # sources that are compared to find what is hidden
ATTACHMENT, TEXTURE = 0x10, 0x04


def data_bytes(sources: Sequence[str], size: tuple[int, int], grass: int) -> int:
    """Bytes on the device of a data view that draws these sources: its targets, and a ground of so many blades."""
    moving = target_bytes(size, len(MOVING)) + 4 * size[0] * size[1] if "motion" in sources else 0
    targets = sum(target_bytes(size, len(some), side=side) for some, side in _views(sources))
    return moving + targets + GROUND_BYTES + sown_bytes(grass)


class DataView:
    """Draws data of frames of one size, in the geometry and with the levels of detail of a renderer's pictures.

    Pixels have one sample in their middle, or, where data may be averaged, several.

    sources  what is drawn of each frame
    """

    def __init__(self, renderer: Renderer, sources: Sequence[str]) -> None:
        self.gpu, self.size, self._renderer = renderer.gpu, renderer.size, renderer
        gpu, layouts = self.gpu, renderer.layouts
        self._frame, self._other = (uniform(gpu, FRAME.itemsize) for _ in range(2))
        self._group = frame_group(gpu, layouts, self._frame)
        self._sky, self._sky_other = (sky_group(gpu, layouts, one) for one in (self._frame, self._other))
        self._maps = DrawnWindMap(gpu), DrawnWindMap(gpu)
        self._ground: DrawnGround | None = None
        self._views = [
            (some, side, DataTargets(gpu, self.size, len(some), side=side)) for some, side in _views(sources)
        ]
        self._departing = DataTargets(gpu, self.size, len(MOVING)) if "motion" in sources else None
        self._occlusion = Occlusion(gpu, self.size) if "motion" in sources else None
        self._far: dict[int, tuple[Any, Any]] = {}
        mirror = gpu.device.create_texture(size=(1, 1, 1), format=LIGHT, usage=TEXTURE).create_view()
        self._mirror = mirror, gpu.device.create_sampler(mag_filter="linear", min_filter="linear")
        self._mask = gpu.device.create_texture(size=(*self.size, 1), format=MASK, usage=TEXTURE | ATTACHMENT)

    def draw(self, frame: Frame, other: Frame, drawables: Drawables) -> dict[str, FloatArray]:
        """Data (height, width, 4) of all sources, by name.

        frame, other  the frame that is shown, and the one at the other time, for motion; may be the same
        drawables     plants of the frame, with where they are at the other time as that "before"
        """
        found: dict[str, FloatArray] = {}
        for number, (some, side, targets) in enumerate(self._views):
            self._draw(frame, other, drawables, targets, data_pipelines(self.gpu, some, side), first=number == 0)
            found |= {name: targets.read(kind) for kind, name in enumerate(some)}
        return found

    def draw_departing(self, frame: Frame, other: Frame, drawables: Drawables) -> FloatArray:
        """Motion (height, width, 4) of a frame to a later one, which `draw` draws next; as there."""
        assert self._departing is not None
        self._draw(frame, other, drawables, self._departing, data_pipelines(self.gpu, MOVING), first=True)
        return self._departing.read(MOVING.index("motion"))

    def hidden(self) -> Hidden:
        """What the departing frame and the one drawn after it hide of one another."""
        assert self._departing is not None
        assert self._occlusion is not None
        arrived = next(targets for some, _, targets in self._views if some == MOVING)
        return self._occlusion.between(self._departing.textures, arrived.textures)

    def _draw(
        self,
        frame: Frame,
        other: Frame,
        drawables: Drawables,
        targets: DataTargets,
        pipelines: DataPipelines,
        *,
        first: bool,
    ) -> None:
        """Draw into targets; the first time in a frame, all is posed."""
        ground = self._ground_of(frame)
        if first:
            self._write_wind(frame, other)
        self._write(frame, other, targets.side)
        encoder = self.gpu.device.create_command_encoder()
        if first:
            self._prepare(encoder, ground, frame, drawables)
        self._record(encoder, targets, pipelines, ground, drawables)
        self.gpu.queue.submit([encoder.finish()])

    def _write(self, frame: Frame, other: Frame, side: int) -> None:
        """Upload `Frame` of frame.wgsl for both times; pixels are as small as their samples lie apart."""
        shown, then = (self._record_of(one) for one in (frame, other))
        width, height = self.size
        shown["viewport"][:2] = width * side, height * side
        shown["before_proj"], shown["before_eye"] = then["view_proj"], then["eye"]
        self.gpu.queue.write_buffer(self._frame, 0, shown)
        self.gpu.queue.write_buffer(self._other, 0, then)

    def _record_of(self, frame: Frame) -> NDArray[np.void]:
        """The record of a frame in clear air."""
        fields, projection = self._renderer.frame_record(frame), frame.view.projection(self.size)
        fields["view_proj"], fields["inverse_view_proj"] = projection.T, np.linalg.inv(projection).T
        fields["eye"] = (*frame.view.eye, frame.time)
        fields["viewport"][3], fields["wind"][3] = CLEAR, 0.0
        return fields

    def _prepare(self, encoder: Any, ground: DrawnGround, frame: Frame, drawables: Drawables) -> None:
        """Deform plants and sow grass, at both times."""
        pipelines = self._renderer.pipelines
        for group, before in ((self._sky, False), (self._sky_other, True)):
            deform_pass = encoder.begin_compute_pass()
            deform_pass.set_bind_group(0, group)
            drawables.deform(deform_pass, pipelines, before=before)
            deform_pass.end()
        ground.sow(encoder, frame.view.eye, frame.view.projection(self.size), moves=True)

    def _record(
        self, encoder: Any, targets: DataTargets, pipelines: DataPipelines, ground: DrawnGround, drawables: Drawables
    ) -> None:
        lists = DrawLists(self.gpu)
        lists.begin(self._parts(drawables))
        lists.fetch(encoder)

        def record(render_pass: Any) -> None:
            lists.draw(render_pass, "data", pipelines.plants, self._group, targets.form)
            render_pass.set_bind_group(0, self._group)
            ground.draw(render_pass, pipelines.ground)
            if ground.ground.pond:
                render_pass.set_pipeline(pipelines.water)
                render_pass.set_bind_group(1, self._water)
                render_pass.draw(4)
            render_pass.set_pipeline(pipelines.sky)
            render_pass.draw(3)

        targets.draw(encoder, record)

    def _parts(self, drawables: Drawables) -> list[Part]:
        """Draw calls of plants; those of cards with which parts of them are wood."""
        parts = [part for part in drawables.parts() if part.kind != "far"]
        for cards, block in drawables.impostors:
            part = cards.part(block)
            parts.append(part._replace(groups=(part.groups[0], self._far_group(cards), part.groups[2])))
        return parts

    def _far_group(self, cards: Any) -> Any:
        known = self._far.get(id(cards))
        if known is None:
            known = self._far[id(cards)] = cards, far_group(self.gpu, self._renderer.pipelines, cards)
        return known[1]

    def _ground_of(self, frame: Frame) -> DrawnGround:
        """The ground on the device, cached from the frame before."""
        known, around = self._ground, frame.around
        if known is None or known.ground is not around.ground or known.canopy is not around.canopy:
            known = DrawnGround(
                self.gpu,
                make_ground_pipelines(self.gpu, 1),
                around.ground,
                around.canopy,
                around.trunks,
                mask=self._mask,
                wind_map=self._maps[0].view,
                wind_map_before=self._maps[1].view,
                frame=self._frame,
                frame_before=self._other,
                blades=self._renderer.quality.grass,
            )
            self._ground = known
            self._water = bind_group(self.gpu, self._renderer.layouts.water, known.style, *self._mirror)
        return known

    def _write_wind(self, frame: Frame, other: Frame) -> None:
        """Upload the wind over the grass at both times."""
        for drawn, one in zip(self._maps, (frame, other), strict=True):
            if one.around.wind_map:
                drawn.write(one.around.wind_map)


def _views(sources: Sequence[str]) -> list[tuple[tuple[str, ...], int]]:
    """Sources that are drawn together, at most two, and the samples along a side of their pixels."""
    found: list[tuple[tuple[str, ...], int]] = []
    for side in sorted({SAMPLES.get(one, 1) for one in sources}):
        own = [one for one in sources if SAMPLES.get(one, 1) == side]
        found += [(tuple(own[at : at + 2]), side) for at in range(0, len(own), 2)]
    return found
