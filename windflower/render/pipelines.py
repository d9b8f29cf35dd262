"""Bind-group layouts and pipelines of all passes, made once for a device and a way of sampling."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from windflower.core.device import Gpu
from windflower.core.layouts import layout
from windflower.core.shaders import shader_module

__all__ = [
    "CAST",
    "COLOUR",
    "DEPTH",
    "FRAME",
    "LIGHT",
    "MASK",
    "VELOCITY",
    "Layouts",
    "Pipelines",
    "compute_pipeline",
    "make_pipelines",
    "view_pipeline",
    "view_states",
    "view_targets",
]

LIGHT, COLOUR, DEPTH, MASK, VELOCITY = "rgba16float", "rgba8unorm", "depth32float", "r8unorm", "rg16float"
CAST = "r32float"
FRAME = layout("render/wgsl/frame.wgsl", "Frame")
VERTEX, FRAGMENT, COMPUTE = 1, 2, 4


KINDS = ("wood", "twigs", "many twigs", "leaves", "sheets", "far")  # of draw calls


@dataclass(frozen=True, eq=False)
class Layouts:
    """Bind-group layouts: a frame with and without its shadow map, posed instances, a mesh, and so on.

    elements, deformed  segments or leaves of a block: as render passes read them, with those of the frame before; and
                        as the deform pass writes them
    posed_before        points of the frame before, in the order of a block's own
    cast, splatted, nothing  a frame with its shadow map, and what kernels put into that: see splat.wgsl
    splatted_cards, splatted_leaves  the same of impostor cards, and of the leaves of many blocks
    queues              large triangles that wait
    leaf_cards          how the leaves of some meshes are drawn
    placed              records of posed instances alone
    seen, shown         a frame with the view that kernels write, and that the view pass reads
    marked              a view with marks for kernels, its depths, and the view with the light that those find
    """

    frame: Any
    frame_and_sky: Any
    frame_without_shadow: Any
    instances: Any
    mesh: Any
    elements: Any
    deformed: Any
    cast: Any
    splatted: Any
    splatted_cards: Any
    splatted_leaves: Any
    queues: Any
    leaf_cards: Any
    placed: Any
    seen: Any
    shown: Any
    nothing: Any
    posed_before: Any
    surface: Any
    impostor: Any
    water: Any
    temporal: Any
    clouds: Any
    clouds_written: Any
    marked: Any
    focus: Any
    blur_tiles: Any
    blur: Any
    tone: Any


@dataclass(frozen=True, eq=False)
class Pipelines:
    """Render pipelines, one for each kind of geometry in each pass, and those of the deform pass."""

    layouts: Layouts
    deform_wood: Any
    deform_leaves: Any
    deform_cards: Any
    clouds: Any
    sky: Any
    sky_marks: Any
    sky_pass: Any
    tubes: Any
    twigs: Any
    leaves: Any
    surfaces: Any
    impostors: Any
    water: Any
    mirrored_sky: Any
    mirrored_tubes: Any
    mirrored_twigs: Any
    mirrored_leaves: Any
    mirrored_surfaces: Any
    mirrored_impostors: Any
    tube_shadows: Any
    leaf_shadows: Any
    surface_shadows: Any
    impostor_shadows: Any
    seen: Any
    planar_tubes: Any
    planar_leaves: Any
    planar_surfaces: Any
    planar_impostors: Any
    temporal: Any
    focus: Any
    blur_tiles: Any
    blur: Any
    tone: Any

    def by_kind(self, name: str) -> dict[str, Any]:
        """Pipelines of a pass, view, mirrored, shadows or planar, by kind of draw call."""
        p = self
        passes = {
            "view": (p.tubes, p.twigs, p.twigs, p.leaves, p.surfaces, p.impostors),
            "mirrored": (
                p.mirrored_tubes,
                p.mirrored_twigs,
                p.mirrored_twigs,
                p.mirrored_leaves,
                p.mirrored_surfaces,
                p.mirrored_impostors,
            ),
            "shadows": (*3 * (p.tube_shadows,), p.leaf_shadows, p.surface_shadows, p.impostor_shadows),
            "planar": (*3 * (p.planar_tubes,), p.planar_leaves, p.planar_surfaces, p.planar_impostors),
        }
        return dict(zip(KINDS, passes[name], strict=True))


def make_pipelines(gpu: Gpu, samples: int, *, over_time: bool = False, transparent: bool = False) -> Pipelines:
    """Compile all pipelines, cached for a device: a window makes a renderer for each of its sizes.

    over_time    frames follow one another: the view pass writes velocities, too
    transparent  the sky is black and transparent, all else is opaque
    """
    return _made(gpu, samples, over_time, transparent)


@lru_cache(maxsize=4)
def _made(gpu: Gpu, samples: int, over_time: bool, transparent: bool) -> Pipelines:
    layouts = _layouts(gpu, samples)
    make = _Maker(gpu, samples, over_time=over_time, transparent=transparent)
    mirror = _Maker(gpu, 1, mirrored=True)
    frame, posed = [layouts.frame], [layouts.instances, layouts.mesh]
    plant = [*posed, layouts.elements]
    sheet, bare = [layouts.instances, layouts.surface, layouts.posed_before], [layouts.frame_without_shadow]
    card = [layouts.instances, layouts.impostor, layouts.posed_before]
    return Pipelines(
        layouts=layouts,
        deform_wood=make.compute("deform_wood.wgsl", [layouts.frame_and_sky, *posed, layouts.deformed]),
        deform_leaves=make.compute("deform_leaves.wgsl", [layouts.frame_and_sky, *posed, layouts.deformed]),
        deform_cards=make.compute("deform_cards.wgsl", [layouts.frame_and_sky, *posed, layouts.deformed]),
        clouds=make.compute("cloud_pass.wgsl", [layouts.frame_and_sky, layouts.clouds_written]),
        sky=make.view("sky.wgsl", [*frame, layouts.clouds], depth="greater-equal", write=False, sky=True),
        sky_marks=make.view(
            "sky.wgsl", [*frame, layouts.clouds], depth="greater-equal", write=False, fragment="fs_mark"
        )
        if samples == 1
        else None,
        sky_pass=make.compute("sky_pass.wgsl", [*frame, layouts.clouds, layouts.marked]) if samples == 1 else None,
        tubes=make.view("tubes.wgsl", [*frame, *plant], coverage=True, cull="back"),
        twigs=make.view("tubes.wgsl", [*frame, *plant], coverage=True, cull="back", entry="twig"),
        leaves=make.view("leaves.wgsl", [*frame, *plant]),
        surfaces=make.view("surface.wgsl", [*frame, *sheet]),
        impostors=make.view("impostor.wgsl", [*frame, *card], coverage=True),
        water=make.view("water.wgsl", [*frame, layouts.water], topology="triangle-strip", coverage=True),
        mirrored_sky=mirror.view("sky.wgsl", [*frame, layouts.clouds], depth="greater-equal", write=False),
        mirrored_tubes=mirror.view("tubes.wgsl", [*frame, *plant], cull="back"),
        mirrored_twigs=mirror.view("tubes.wgsl", [*frame, *plant], cull="back", entry="twig"),
        mirrored_leaves=mirror.view("leaves.wgsl", [*frame, *plant]),
        mirrored_surfaces=mirror.view("surface.wgsl", [*frame, *sheet]),
        mirrored_impostors=mirror.view("impostor.wgsl", [*frame, *card]),
        tube_shadows=make.shadow("tubes.wgsl", [*bare, *plant]),
        leaf_shadows=make.shadow("leaves.wgsl", [*bare, *plant]),
        surface_shadows=make.shadow("surface.wgsl", [*bare, *sheet]),
        impostor_shadows=make.shadow("impostor.wgsl", [*bare, *card]),
        seen=make.view("seen.wgsl", [layouts.shown]) if samples == 1 else None,
        planar_impostors=make.flat("impostor.wgsl", "planar", [*bare, *card], MASK),
        planar_surfaces=make.flat("surface.wgsl", "planar", [*bare, *sheet], MASK),
        planar_tubes=make.flat("tubes.wgsl", "planar", [*bare, *plant], MASK),
        planar_leaves=make.flat("leaves.wgsl", "planar", [*bare, *plant], MASK),
        temporal=make.compute("temporal.wgsl", [layouts.temporal]) if over_time else None,
        focus=make.flat(f"focus_{'many' if samples > 1 else 'one'}.wgsl", "view", [layouts.focus], LIGHT),
        blur_tiles=make.compute("blur_tiles.wgsl", [layouts.blur_tiles]) if over_time else None,
        blur=make.compute("blur.wgsl", [layouts.blur]) if over_time else None,
        tone=make.compute("tone.wgsl", [layouts.tone]),
    )


def view_targets(*, over_time: bool) -> list[str]:
    """Formats of the targets of the view pass."""
    return [LIGHT, VELOCITY] if over_time else [LIGHT]


def view_states(*, over_time: bool = False, transparent: bool = False, sky: bool = False) -> list[dict[str, Any]]:
    """Targets of a pipeline of the view pass. Where the sky is `transparent`, all else leaves alpha at 1."""
    states: list[dict[str, Any]] = [{"format": form} for form in view_targets(over_time=over_time)]
    if transparent:
        states[0]["blend"] = {
            "color": _factors("zero" if sky else "one", "zero"),
            "alpha": _factors("zero", "zero" if sky else "one"),
        }
    return states


def _factors(source: str, target: str) -> dict[str, str]:
    return {"src_factor": source, "dst_factor": target, "operation": "add"}


def _layouts(gpu: Gpu, samples: int) -> Layouts:
    def group(*entries: tuple[int, dict[str, Any]]) -> Any:
        return numbered(dict(enumerate(entries)))

    def numbered(entries: dict[int, tuple[int, dict[str, Any]]]) -> Any:
        listed = [{"binding": i, "visibility": seen, **what} for i, (seen, what) in entries.items()]
        return gpu.device.create_bind_group_layout(entries=listed)

    uniform = (VERTEX | FRAGMENT | COMPUTE, {"buffer": {"type": "uniform"}})
    storage = (VERTEX | COMPUTE, {"buffer": {"type": "read-only-storage"}})
    elements = (VERTEX | FRAGMENT, {"buffer": {"type": "read-only-storage"}})
    written = (COMPUTE, {"buffer": {"type": "storage"}})
    read = (COMPUTE, {"buffer": {"type": "read-only-storage"}})
    shadow_map = (FRAGMENT | COMPUTE, {"texture": {"sample_type": "unfilterable-float"}})
    nearest = (FRAGMENT | COMPUTE, {"sampler": {"type": "non-filtering"}})
    pictures = (FRAGMENT | COMPUTE, {"texture": {"sample_type": "float", "view_dimension": "2d-array"}})
    bark = (VERTEX | FRAGMENT | COMPUTE, {"texture": {"sample_type": "float", "view_dimension": "2d-array"}})
    bark_sampler = (VERTEX | FRAGMENT | COMPUTE, {"sampler": {"type": "filtering"}})
    light = (FRAGMENT | COMPUTE, {"texture": {"sample_type": "unfilterable-float"}})
    light_written = (COMPUTE, {"storage_texture": {"access": "write-only", "format": LIGHT}})
    picture = (FRAGMENT | COMPUTE, {"texture": {"sample_type": "float"}})
    depth = (FRAGMENT | COMPUTE, {"texture": {"sample_type": "depth", "multisampled": samples > 1}})
    smooth = (FRAGMENT | COMPUTE, {"sampler": {"type": "filtering"}})
    sky = (VERTEX | FRAGMENT | COMPUTE, {"texture": {"sample_type": "float"}})
    volume = (VERTEX | FRAGMENT | COMPUTE, {"texture": {"sample_type": "float", "view_dimension": "3d"}})
    sky_sampler = (VERTEX | FRAGMENT | COMPUTE, {"sampler": {"type": "filtering"}})
    over = sky, sky, sky_sampler, sky, volume
    frame = (uniform, *over, shadow_map, nearest)
    return Layouts(
        frame=group(*frame),
        frame_and_sky=group(uniform, *over),
        frame_without_shadow=group(uniform),
        instances=group(storage, storage, storage, storage),
        mesh=group(uniform, storage, storage, pictures, smooth, bark, bark, bark_sampler, uniform),
        elements=group(elements, elements),
        deformed=group(written, storage),
        cast=numbered({0: uniform, 15: written}),
        splatted=group(read, read, read),
        splatted_cards=numbered({0: read, 2: read}),
        splatted_leaves=numbered({0: read, 1: read, 3: read}),
        queues=group(written),
        leaf_cards=numbered({3: pictures, 4: smooth, 8: uniform}),
        placed=numbered({1: read}),
        seen=numbered({**dict(enumerate(frame)), 14: written, 15: written}),
        shown=numbered({0: uniform, 14: elements, 15: elements}),
        nothing=group(),
        posed_before=group(storage),
        surface=group(uniform, storage),
        impostor=group(uniform, pictures, pictures, smooth),
        water=group(uniform, picture, smooth),
        temporal=group(light, light, depth, picture, smooth, uniform, light_written),
        clouds=group(picture),
        clouds_written=group(light_written),
        marked=group(light, depth, light_written),
        focus=group(light, depth, uniform),
        blur_tiles=group(light, uniform, light_written),
        blur=group(light, light, depth, light, uniform, light_written),
        tone=group(light, uniform, (COMPUTE, {"storage_texture": {"access": "write-only", "format": COLOUR}})),
    )


def compute_pipeline(gpu: Gpu, shader: str, layouts: list[Any], **constants: float) -> Any:
    """Compute pipeline that shares bind groups with render passes."""
    module = shader_module(gpu, f"render/wgsl/{shader}")
    return gpu.device.create_compute_pipeline(
        label=shader,
        layout=gpu.device.create_pipeline_layout(bind_group_layouts=layouts),
        compute={"module": module, "entry_point": "main", "constants": constants},
    )


def view_pipeline(
    gpu: Gpu,
    shader: str,
    layouts: list[Any],
    *,
    entries: tuple[str, str],
    targets: list[dict[str, Any]],
    constants: Mapping[str, float],
    primitive: dict[str, Any],
    depth: tuple[str, bool] = ("greater", True),
    samples: tuple[int, bool] = (1, False),
    fragment_constants: Mapping[str, float] | None = None,
) -> Any:
    """Render pipeline of geometry that a camera sees.

    entries             entry points of vertices and of fragments
    constants           of both; `fragment_constants` of fragments alone
    depth               how depths are compared, and whether they are written
    samples             of a pixel, and whether coverage chooses among them
    """
    module = shader_module(gpu, f"render/wgsl/{shader}")
    compare, write = depth
    count, coverage = samples
    return gpu.device.create_render_pipeline(
        label=shader,
        layout=gpu.device.create_pipeline_layout(bind_group_layouts=layouts),
        vertex={"module": module, "entry_point": entries[0], "constants": dict(constants)},
        primitive=primitive,
        depth_stencil={"format": DEPTH, "depth_compare": compare, "depth_write_enabled": write},
        multisample={"count": count, "alpha_to_coverage_enabled": coverage and count > 1},
        fragment={
            "module": module,
            "entry_point": entries[1],
            "constants": {**constants, **(fragment_constants or {})},
            "targets": targets,
        },
    )


class _Maker:
    """Factory of similar pipelines. With `mirrored`, front faces are wound the other way."""

    def __init__(
        self, gpu: Gpu, samples: int, *, mirrored: bool = False, over_time: bool = False, transparent: bool = False
    ) -> None:
        self.gpu, self.samples, self.front, self.over_time = gpu, samples, "cw" if mirrored else "ccw", over_time
        self.transparent = transparent

    def view(
        self,
        shader: str,
        layouts: list[Any],
        *,
        depth: str = "greater",
        write: bool = True,
        topology: str = "triangle-list",
        coverage: bool = False,
        cull: str = "none",
        entry: str = "view",
        fragment: str | None = None,
        sky: bool = False,
    ) -> Any:
        return view_pipeline(
            self.gpu,
            shader,
            layouts,
            entries=(f"vs_{entry}", fragment or f"fs_{entry}"),
            targets=view_states(over_time=self.over_time, transparent=self.transparent, sky=sky),
            constants={"OVER_TIME": int(self.over_time)},
            primitive={"topology": topology, "cull_mode": cull, "front_face": self.front},
            depth=(depth, write),
            samples=(self.samples, coverage),
        )

    def compute(self, shader: str, layouts: list[Any]) -> Any:
        """Compute pipeline that shares bind groups with render passes."""
        return compute_pipeline(self.gpu, shader, layouts)

    def shadow(self, shader: str, layouts: list[Any]) -> Any:
        """Shadow-pass pipeline."""
        module = shader_module(self.gpu, f"render/wgsl/{shader}")
        return self.gpu.device.create_render_pipeline(
            label=f"shadow of {shader}",
            layout=self.gpu.device.create_pipeline_layout(bind_group_layouts=layouts),
            vertex={"module": module, "entry_point": "vs_shadow"},
            primitive={"topology": "triangle-list", "cull_mode": "none"},
            depth_stencil={"format": DEPTH, "depth_compare": "less", "depth_write_enabled": True},
            fragment={"module": module, "entry_point": "fs_shadow", "targets": [{"format": CAST}]},
        )

    def flat(self, shader: str, entry: str, layouts: list[Any], form: str) -> Any:
        """Full-screen pipeline without depth, with one sample per pixel."""
        module = shader_module(self.gpu, f"render/wgsl/{shader}")
        return self.gpu.device.create_render_pipeline(
            label=f"{entry} of {shader}",
            layout=self.gpu.device.create_pipeline_layout(bind_group_layouts=layouts),
            vertex={"module": module, "entry_point": f"vs_{entry}"},
            primitive={"topology": "triangle-list"},
            fragment={"module": module, "entry_point": f"fs_{entry}", "targets": [{"format": form}]},
        )
