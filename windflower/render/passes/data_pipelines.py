"""Pipelines of data views: the geometry of the view pass with fragment shaders that write facts in place of light."""

from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from windflower.core.device import Gpu
from windflower.core.shaders import shader_module
from windflower.render.ground_pipelines import GroundPipelines, make_ground_pipelines
from windflower.render.pipelines import Layouts, make_pipelines, view_pipeline

__all__ = ["FACTS", "SOURCES", "DataPipelines", "data_pipelines", "mean_pipeline"]

SOURCES = ("labels", "motion", "normal", "albedo")
"""Kinds of data, as numbered in data.wgsl."""
FACTS = "rgba32float"
FRAGMENT = 2


class DataPipelines(NamedTuple):
    """Pipelines of one data view: of plants by kind of draw call, of the ground, of a pond and of the sky.

    far  layout of impostors with their parts
    """

    plants: dict[str, Any]
    ground: GroundPipelines
    water: Any
    sky: Any
    far: Any


@lru_cache(maxsize=8)
def data_pipelines(gpu: Gpu, sources: tuple[str, ...], side: int = 1) -> DataPipelines:
    """Pipelines that write one or two kinds of data, each to a target of its own; cached for a device.

    side  samples along a side of a pixel
    """
    layouts, ground = make_pipelines(gpu, 1).layouts, make_ground_pipelines(gpu, 1)
    make, far = _Maker(gpu, sources, side), far_layout(gpu)
    plant = [layouts.frame, layouts.instances, layouts.mesh, layouts.elements]
    sheet = [layouts.frame, layouts.instances, layouts.surface, layouts.posed_before]
    card = [layouts.frame, layouts.instances, far, layouts.posed_before]
    wood = make.view("data_tubes.wgsl", plant, vertex="vs_data", cull="back")
    return DataPipelines(
        plants={
            "wood": wood,
            "twigs": wood,
            "many twigs": wood,
            "leaves": make.view("data_leaves.wgsl", plant, vertex="vs_data"),
            "sheets": make.view("data_surface.wgsl", sheet),
            "far": make.view("data_impostor.wgsl", card, vertex="vs_data"),
        },
        ground=_ground(make, layouts, ground),
        water=make.view("data_water.wgsl", [layouts.frame, layouts.water], strip=True),
        sky=make.view("data_sky.wgsl", [layouts.frame], depth="greater-equal"),
        far=far,
    )


def _ground(make: "_Maker", layouts: Layouts, usual: GroundPipelines) -> GroundPipelines:
    level, grown = [layouts.frame, usual.ground], [layouts.frame, usual.ground, usual.sown]
    names = ("herbs", "litter", "stones")
    return replace(
        usual,
        level=make.view("data_ground.wgsl", level, strip=True),
        land=make.view("data_ground.wgsl", level, vertex="vs_land"),
        grow={
            "grass": tuple(make.view("data_grass.wgsl", grown, constants={"ROWS": rows}) for rows in (4, 2, 1)),
            **{name: (make.view(f"data_{name}.wgsl", grown),) for name in names},
            "roots": (make.view("data_roots.wgsl", [*grown, usual.bark]),),
        },
    )


@lru_cache(maxsize=4)
def far_layout(gpu: Gpu) -> Any:
    """Bind-group layout of impostor cards: as in the view pass, and which parts of them are wood."""
    pictures = {"texture": {"sample_type": "float", "view_dimension": "2d-array"}}
    uniform, smooth = {"buffer": {"type": "uniform"}}, {"sampler": {"type": "filtering"}}
    resources = ((1 | FRAGMENT, uniform), *((FRAGMENT, one) for one in (pictures, pictures, smooth, pictures)))
    entries = [{"binding": at, "visibility": seen, **what} for at, (seen, what) in enumerate(resources)]
    return gpu.device.create_bind_group_layout(entries=entries)


@lru_cache(maxsize=4)
def mean_pipeline(gpu: Gpu, side: int) -> Any:
    """Pipeline that averages side × side samples of each pixel."""
    module = shader_module(gpu, "render/wgsl/mean.wgsl")
    return gpu.device.create_render_pipeline(
        label="mean",
        layout="auto",
        vertex={"module": module, "entry_point": "vs_view"},
        primitive={"topology": "triangle-list"},
        fragment={
            "module": module,
            "entry_point": "fs_view",
            "constants": {"SIDE": side},
            "targets": [{"format": FACTS}],
        },
    )


class _Maker:
    """Factory of the pipelines of one data view."""

    def __init__(self, gpu: Gpu, sources: tuple[str, ...], side: int) -> None:
        numbers = [SOURCES.index(one) for one in sources]
        self._gpu, self._targets = gpu, [{"format": FACTS} for _ in sources]
        self._constants = {"FIRST": numbers[0], "SECOND": numbers[-1], "FOOTPRINT": side}

    def view(
        self,
        shader: str,
        layouts: list[Any],
        *,
        vertex: str = "vs_view",
        strip: bool = False,
        cull: str = "none",
        depth: str = "greater",
        constants: dict[str, float] | None = None,
    ) -> Any:
        return view_pipeline(
            self._gpu,
            shader,
            layouts,
            entries=(vertex, "fs_data"),
            targets=self._targets,
            constants={"OVER_TIME": 1, **(constants or {})},
            fragment_constants=self._constants,
            primitive={"topology": "triangle-strip" if strip else "triangle-list", "cull_mode": cull},
            depth=(depth, depth == "greater"),
        )
