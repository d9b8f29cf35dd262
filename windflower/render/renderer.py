"""The renderer: deform, shadow, reflection, view, anti-aliasing, focus, blur and tone-mapping passes of a frame."""

from collections.abc import Callable, Sequence
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.buffers import Bindings, bind_group
from windflower.core.compute_pass import ComputeBundle, ComputeBundles
from windflower.core.device import Gpu
from windflower.geometry.sward import tiles_in_view
from windflower.render.draw_lists import DrawLists
from windflower.render.drawn_sky import DrawnSky
from windflower.render.frame import Around, Drawables, Frame
from windflower.render.frame_uniforms import SUN_RADIUS, FrameUniforms
from windflower.render.ground import DrawnGround
from windflower.render.ground_pipelines import make_ground_pipelines
from windflower.render.marked import Marked
from windflower.render.motion_blur import MotionBlur
from windflower.render.picture_size import check_picture
from windflower.render.pipelines import COLOUR, DEPTH, LIGHT, MASK, make_pipelines, view_targets
from windflower.render.quality import Quality
from windflower.render.seen import SEEN_KINDS, Seen
from windflower.render.shadow_map import ShadowMap
from windflower.render.sward import FindTiles
from windflower.render.temporal import Temporal
from windflower.render.timing import PassTimer
from windflower.render.wind_map import DrawnWindMap, FoundWindMap
from windflower.scene import View

__all__ = ["Renderer"]

ATTACHMENT, STORAGE, TEXTURE, COPY_DST, COPY_SRC = 0x10, 0x08, 0x04, 0x02, 0x01


class Renderer:
    """Draws frames of one size; holds the render targets.

    planar  planar projected shadows on level ground (Yildiz §4.5) instead of a shadow map: quicker, but plants receive
            none
    shutter motion blur of frames that follow one another: the angle for which the shutter is open, degrees; 0 for none
    splats  whether kernels draw what is small, shadows and, where pixels have one sample, leaves, twigs, grass and
            cards, and find the light of ground and sky, and the wind over the grass: by default on every graphics card.
            A software driver draws triangles faster
    find_tiles  finds the tiles on which grass is drawn
    transparent  the sky is transparent, and nothing out of focus: for stills that are laid over something else
    """

    def __init__(
        self,
        gpu: Gpu,
        size: tuple[int, int],
        quality: Quality,
        *,
        planar: bool = False,
        shutter: float = 0.0,
        splats: bool | None = None,
        find_tiles: FindTiles = tiles_in_view,
        transparent: bool = False,
    ) -> None:
        check_picture(gpu, size)
        self._find_tiles = find_tiles
        self.gpu, self.size, self.quality, self.planar = gpu, size, quality, planar
        self.transparent, kind = transparent, {"over_time": quality.over_time, "transparent": transparent}
        self.pipelines = make_pipelines(gpu, quality.samples, **kind)
        self._ground_pipelines = make_ground_pipelines(gpu, quality.samples, **kind)
        self.timer: PassTimer | None = None  # set one to have passes timed
        self.layouts = self.pipelines.layouts
        own = self._uniforms = FrameUniforms(gpu, size, quality, planar=planar, transparent=transparent)
        self._frame, self._mirror_frame, self._frame_before = own.frame, own.mirrored, own.before
        self._ground: DrawnGround | None = None
        splats = not gpu.software if splats is None else splats
        self.wind_map = FoundWindMap(gpu) if splats else DrawnWindMap(gpu)
        self._sky = DrawnSky(gpu)
        self._lists, self._bundles = DrawLists(gpu), ComputeBundles()
        self._drawables: Drawables | None = None
        self._views: dict[int, Any] = {}
        self.picture = self._target(COLOUR, 1, STORAGE | COPY_SRC | TEXTURE)
        self._light = self._target(LIGHT, 1, ATTACHMENT | TEXTURE | COPY_DST)
        self._focused = self._target(LIGHT, 1, ATTACHMENT | TEXTURE)
        self._mirror = self._target(LIGHT, 1, ATTACHMENT | TEXTURE, scale=2)
        self._mirror_depth = self._target(DEPTH, 1, ATTACHMENT, scale=2)
        self._clouds = self._target(LIGHT, 1, STORAGE | TEXTURE, scale=2 if gpu.software else 1)
        self._mirrored_clouds = self._target(LIGHT, 1, STORAGE | TEXTURE, scale=4)
        self._many = self._target(LIGHT, quality.samples, ATTACHMENT) if quality.samples > 1 else None
        self._depth = self._target(DEPTH, quality.samples, ATTACHMENT | TEXTURE | COPY_SRC * (quality.samples == 1))
        self._mask = self._target(MASK, 1, ATTACHMENT | TEXTURE)
        seen = splats and quality.samples == 1 and not transparent
        self.seen = Seen(gpu, self.pipelines, size, over_time=quality.over_time) if seen else None
        self.shadow_map = ShadowMap(gpu, self.pipelines, self._frame, quality.shadow, splats=splats)
        shared = gpu, size, self.pipelines
        marks = splats and quality.samples == 1 and not transparent
        self._marked = Marked(*shared, self._light, self._depth) if marks else None
        light = self._marked.picture if self._marked else self._light
        self.temporal = Temporal(*shared, light, self._depth) if quality.over_time else None
        blurs = quality.over_time and shutter > 0
        self._blur = MotionBlur(gpu, size, self.pipelines, shutter) if blurs else None
        self._make_bindings()

    def draw(self, frame: Frame) -> None:
        """Draw one frame into `picture`."""
        self._upload(frame)
        ground = self._ground_of(frame.around)
        encoder = self.gpu.device.create_command_encoder()
        self._deform(encoder, frame.drawables)
        self.wind_map.record(encoder)
        ground.sow(encoder, frame.view.eye, self.projection(frame.view), moves=self.quality.over_time)
        self._draw_shadows(encoder, frame)
        self._cloud_pass(encoder, self._sky_bindings, self._clouds_drawn, self._clouds.size)
        if ground.ground.pond:
            mirrored = self._mirrored_sky_bindings, self._mirrored_clouds_drawn
            self._cloud_pass(encoder, *mirrored, self._mirrored_clouds.size)
            self._mirror_pass(encoder)
        if self.seen:
            self.seen.draw(encoder, frame.drawables, ground, self._timed)
        light = self._draw_view(encoder, frame, ground)
        self._tone_pass(encoder, self._view_of(self._through_lens(encoder, light, frame.view)))
        if self.timer:
            self.timer.resolve(encoder)
        self.gpu.queue.submit([encoder.finish()])

    def _draw_view(self, encoder: Any, frame: Frame, ground: DrawnGround) -> Any:
        """The view pass and what follows it; returns the texture of its light."""
        # Extras over the sky are drawn after its light.
        marked = self._marked if self.temporal or not frame.extras else None
        self._view_pass(encoder, ground, () if self.temporal else frame.extras, marks=marked is not None)
        if marked:
            bound = self._frame_bindings, self._clouds_seen
            marked.draw(encoder, *bound, ground, self._timed("ground and sky"))
        if self.temporal:
            return self._over_time(encoder, frame.extras)
        return marked.picture if marked else self._light

    def _deform(self, encoder: Any, drawables: Drawables) -> None:
        """Segments and leaves of all plants, and the draw lists of all passes that read them."""
        self._deform_pass(encoder, drawables, self._sky_bindings)
        if self.temporal:
            self._deform_pass(encoder, drawables, self._sky_bindings_before, before=True)
        if drawables is not self._drawables:  # else buffers and counts are those of the frame before
            self._drawables = drawables
            self._lists.begin(drawables.parts())
        self._lists.fetch(encoder)
        if self.shadow_map.splats:
            drawables.count_cards(encoder)

    def _draw_shadows(self, encoder: Any, frame: Frame) -> None:
        if self.planar:
            self._planar_pass(encoder)
            return
        empty, kinds = frame.light.shadow == 0, self.pipelines.by_kind("shadows")
        self.shadow_map.draw(encoder, frame.drawables, self._lists, kinds, self._timed, empty=empty)

    def _through_lens(self, encoder: Any, light: Any, view: View) -> Any:
        """Texture of light, out of focus and blurred where the lens and the shutter make it so."""
        if view.aperture and not self.transparent:
            self._uniforms.write_lens(view)
            self._focus_pass(encoder, self._view_of(light))
            light = self._focused
        if self._blur and self.temporal:
            light, velocity, depth = map(self._view_of, (light, self.temporal.velocity, self._depth))
            self._blur.blur(encoder, light, velocity, depth, self._timed("motion blur"))
            light = self._blur.picture
        return light

    def _ground_of(self, around: Around) -> DrawnGround:
        """The ground on the device, cached from the frame before."""
        known = self._ground
        if known is None or known.ground is not around.ground or known.canopy is not around.canopy:
            known = DrawnGround(
                self.gpu,
                self._ground_pipelines,
                around.ground,
                around.canopy,
                around.trunks,
                mask=self._mask,
                wind_map=self.wind_map.view,
                wind_map_before=self.wind_map.before,
                frame=self._frame,
                frame_before=self._frame_before,
                blades=self.quality.grass,
                find_tiles=self._find_tiles,
            )
            self._ground, self._water_bindings = known, self._water(known)
        return known

    def _water(self, ground: DrawnGround) -> Any:
        smooth = self.gpu.device.create_sampler(mag_filter="linear", min_filter="linear")
        return bind_group(self.gpu, self.layouts.water, ground.style, self._mirror.create_view(), smooth)

    def projection(self, view: View) -> FloatArray:
        """View-projection matrix (4, 4)."""
        return view.projection(self.size)

    def pixel(self, view: View) -> float:
        """Height of a pixel at a distance of 1 m, m."""
        return view.pixel(self.size)

    def read(self) -> NDArray[np.uint8]:
        """Read the latest picture, (height, width, 3), uint8, sRGB."""
        return self.read_with_alpha()[:, :, :3]

    def read_with_alpha(self) -> NDArray[np.uint8]:
        """The same with its alpha, (height, width, 4), which is straight."""
        width, height = self.size
        data = self.gpu.queue.read_texture(
            {"texture": self.picture}, {"bytes_per_row": 4 * width, "rows_per_image": height}, (width, height, 1)
        )
        return np.frombuffer(data, np.uint8).reshape(height, width, 4)

    def _target(self, form: str, samples: int, usage: int, *, scale: int = 1) -> Any:
        width, height = self.size
        size = (max(width // scale, 1), max(height // scale, 1), 1)
        return self.gpu.device.create_texture(size=size, format=form, usage=usage, sample_count=samples)

    def _make_bindings(self) -> None:
        gpu, layouts, shadow = self.gpu, self.layouts, self.shadow_map.view
        nearest = gpu.device.create_sampler()
        sky = self._sky.bindings
        resources = self._frame, *sky, shadow, nearest
        self._frame_bindings = bind_group(gpu, layouts.frame, *resources)
        if self.seen:
            self.seen.bind(resources)
        self._shadow_bindings = bind_group(gpu, layouts.frame_without_shadow, self._frame)
        self._sky_bindings = bind_group(gpu, layouts.frame_and_sky, self._frame, *sky)
        self._sky_bindings_before = bind_group(gpu, layouts.frame_and_sky, self._frame_before, *sky)
        self._steady_bindings = bind_group(gpu, layouts.frame, self._uniforms.steady, *sky, shadow, nearest)
        self._mirrored_sky_bindings = bind_group(gpu, layouts.frame_and_sky, self._mirror_frame, *sky)
        self._mirror_bindings = bind_group(gpu, layouts.frame, self._mirror_frame, *sky, shadow, nearest)
        self._focus_bindings, self._tone_bindings = Bindings(gpu, layouts.focus), Bindings(gpu, layouts.tone)
        self._clouds_drawn, self._clouds_seen = self._cloud_bindings(self._clouds)
        self._mirrored_clouds_drawn, self._mirrored_clouds_seen = self._cloud_bindings(self._mirrored_clouds)

    def _upload(self, frame: Frame) -> None:
        """Upload what changes from frame to frame."""
        if self._sky.hills.write(frame.around.ground.terrain, frame.light.sun, SUN_RADIUS):
            self._make_bindings()
        self._uniforms.write(frame, self._sky.hills.scale, self.temporal)
        self._sky.write(frame.light.dome)
        if frame.around.wind_map:
            self.wind_map.write(frame.around.wind_map)

    def frame_record(self, frame: Frame) -> NDArray[np.void]:
        """Record `Frame` of frame.wgsl, without the fields that a mirror changes."""
        return self._uniforms.record(frame, self._sky.hills.scale)

    def _deform_pass(self, encoder: Any, drawables: Drawables, frame: Any, *, before: bool = False) -> None:
        """Segments and leaves of all plants, for every pass that follows; or those of the frame before."""

        def record(bundle: ComputeBundle) -> None:
            bundle.set_bind_group(0, frame)
            drawables.deform(bundle, self.pipelines, before=before)

        name = "deform before" if before else "deform"
        self._bundles.play(name, encoder, self._timed(name), (drawables, frame), record)

    def _cloud_bindings(self, texture: Any) -> tuple[Any, Any]:
        """Bind groups of a texture of clouds, as it is drawn and as it is seen."""
        view = texture.create_view()
        drawn, seen = (bind_group(self.gpu, one, view) for one in (self.layouts.clouds_written, self.layouts.clouds))
        return drawn, seen

    def _cloud_pass(self, encoder: Any, sky: Any, target: Any, size: tuple[int, ...]) -> None:
        """Clouds into a texture, before the pass that shows them."""
        cloud_pass = encoder.begin_compute_pass(timestamp_writes=self._timed("clouds"))
        cloud_pass.set_pipeline(self.pipelines.clouds)
        cloud_pass.set_bind_group(0, sky)
        cloud_pass.set_bind_group(1, target)
        cloud_pass.dispatch_workgroups(*(ceil(side / 8) for side in size[:2]))
        cloud_pass.end()

    def _mirror_pass(self, encoder: Any) -> None:
        """Reflection pass of the water, at half resolution."""
        mirror_pass = encoder.begin_render_pass(
            color_attachments=[_colour(self._view_of(self._mirror))],
            depth_stencil_attachment=_depth(self._view_of(self._mirror_depth), clear=0.0, store=False),
            timestamp_writes=self._timed("mirror"),
        )
        self._lists.draw(
            mirror_pass, "mirror", self.pipelines.by_kind("mirrored"), self._mirror_bindings, _targets(1, LIGHT)
        )
        mirror_pass.set_bind_group(0, self._mirror_bindings)
        mirror_pass.set_pipeline(self.pipelines.mirrored_sky)
        mirror_pass.set_bind_group(1, self._mirrored_clouds_seen)
        mirror_pass.draw(3)
        mirror_pass.end()

    def _planar_pass(self, encoder: Any) -> None:
        """Planar-shadow pass: plants projected along the sun into a mask, so that overlaps darken the ground once."""
        planar_pass = encoder.begin_render_pass(
            color_attachments=[_colour(self._mask.create_view())], timestamp_writes=self._timed("planar shadow")
        )
        self._lists.draw(
            planar_pass,
            "planar",
            self.pipelines.by_kind("planar"),
            self._shadow_bindings,
            _targets(1, MASK, depth=None),
        )
        planar_pass.end()

    def _view_pass(
        self, encoder: Any, ground: DrawnGround, extras: Sequence[Callable[[Any], None]], *, marks: bool
    ) -> None:
        light = self._view_of(self._light)
        target = self._view_of(self._many) if self._many else light
        velocity = [_colour(self._view_of(self.temporal.velocity))] if self.temporal else []
        view_pass = encoder.begin_render_pass(
            color_attachments=[_colour(target, resolve=light if self._many else None), *velocity],
            depth_stencil_attachment=_depth(self._view_of(self._depth), clear=0.0, store=True),
            timestamp_writes=self._timed("view"),
        )
        targets = _targets(self.quality.samples, *view_targets(over_time=self.quality.over_time))
        kinds = self.pipelines.by_kind("view")
        if self.seen:
            self.seen.show(view_pass)
            kinds = {kind: pipeline for kind, pipeline in kinds.items() if kind not in SEEN_KINDS}
        self._lists.draw(view_pass, "view", kinds, self._frame_bindings, targets)
        view_pass.set_bind_group(0, self._frame_bindings)
        ground.draw(view_pass, marks=marks, seen=self.seen is not None)
        if ground.ground.pond:
            view_pass.set_pipeline(self.pipelines.water)
            view_pass.set_bind_group(1, self._water_bindings)
            view_pass.draw(4)
        # The sky last, only where nothing was drawn.
        view_pass.set_pipeline(self.pipelines.sky_marks if marks else self.pipelines.sky)
        view_pass.set_bind_group(1, self._clouds_seen)
        view_pass.draw(3)
        for extra in extras:
            extra(view_pass)
        view_pass.end()

    def _over_time(self, encoder: Any, extras: Sequence[Callable[[Any], None]]) -> Any:
        """Mix the frame with those before; returns the texture of its light, with the extras, which have no history."""
        assert self.temporal is not None
        self.temporal.resolve(encoder, self._timed("temporal"))
        if not extras:
            return self.temporal.picture
        encoder.copy_texture_to_texture({"texture": self.temporal.picture}, {"texture": self._light}, (*self.size, 1))
        overlay_pass = encoder.begin_render_pass(
            color_attachments=[{**_colour(self._view_of(self._light)), "load_op": "load"}],
            depth_stencil_attachment={
                **_depth(self._view_of(self._depth), clear=0.0, store=True),
                "depth_load_op": "load",
            },
        )
        overlay_pass.set_bind_group(0, self._steady_bindings)
        for extra in extras:
            extra(overlay_pass)
        overlay_pass.end()
        return self._light

    def _timed(self, name: str) -> dict[str, Any] | None:
        return self.timer.writes(name) if self.timer else None

    def _view_of(self, texture: Any) -> Any:
        """View of a texture, always the same one: bind groups are cached by what they contain."""
        view = self._views.get(id(texture))
        if view is None:
            view = self._views[id(texture)] = texture.create_view()
        return view

    def _focus_pass(self, encoder: Any, light: Any) -> None:
        """Blur what is out of focus; `light` is a view of a texture."""
        full_pass = encoder.begin_render_pass(
            color_attachments=[_colour(self._focused.create_view())], timestamp_writes=self._timed("focus")
        )
        full_pass.set_pipeline(self.pipelines.focus)
        full_pass.set_bind_group(0, self._focus_bindings.group(light, self._view_of(self._depth), self._uniforms.lens))
        full_pass.draw(3)
        full_pass.end()

    def _tone_pass(self, encoder: Any, light: Any) -> None:
        """From light, a view of a texture, to the picture."""
        tone_pass = encoder.begin_compute_pass(timestamp_writes=self._timed("tone"))
        tone_pass.set_pipeline(self.pipelines.tone)
        tone_pass.set_bind_group(0, self._tone_bindings.group(light, self._uniforms.tone, self._view_of(self.picture)))
        tone_pass.dispatch_workgroups(*(ceil(side / 8) for side in self.size))
        tone_pass.end()


def _colour(view: Any, resolve: Any = None) -> dict[str, Any]:
    return {
        "view": view,
        "resolve_target": resolve,
        "clear_value": (0, 0, 0, 1),
        "load_op": "clear",
        "store_op": "discard" if resolve else "store",
    }


def _depth(view: Any, *, clear: float, store: bool) -> dict[str, Any]:
    return {
        "view": view,
        "depth_clear_value": clear,
        "depth_load_op": "clear",
        "depth_store_op": "store" if store else "discard",
    }


def _targets(samples: int, *colours: str, depth: str | None = DEPTH) -> dict[str, Any]:
    """Formats of a pass' targets, for its render bundle."""
    return {
        "color_formats": list(colours),
        "depth_stencil_format": depth,
        "sample_count": samples,
    }
