"""Bind-group layouts and pipelines of the ground and of what grows and lies on it."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from windflower.core.device import Gpu
from windflower.render.pipelines import compute_pipeline, make_pipelines, view_pipeline, view_states

__all__ = ["GroundPipelines", "make_ground_pipelines"]

VERTEX, FRAGMENT, COMPUTE = 1, 2, 4


@dataclass(frozen=True, eq=False)
class GroundPipelines:
    """Layouts of the ground, of a frame for its kernels, of sown things and of bark, and pipelines by name.

    level_marks, land_marks, light  marks where the ground is seen, and the kernel that finds its light there: see
                                    `Marked`
    sow   kernels that throw things over tiles
    see   kernels that put them into the view, those for depths and those for light: see `Seen`
    grow  what draws them: for each number of segments, or one
    """

    ground: Any
    frame: Any
    sowing: Any
    sown: Any
    bark: Any
    level: Any
    land: Any
    level_marks: Any
    land_marks: Any
    light: Any
    sow: dict[str, Any]
    see: dict[str, tuple[Any, Any]]
    grow: dict[str, tuple[Any, ...]]


def make_ground_pipelines(
    gpu: Gpu, samples: int, *, over_time: bool = False, transparent: bool = False
) -> GroundPipelines:
    """Compile all pipelines of the ground, cached for a device; see `make_pipelines`."""
    return _made(gpu, samples, over_time, transparent)


@lru_cache(maxsize=4)
def _made(gpu: Gpu, samples: int, over_time: bool, transparent: bool) -> GroundPipelines:
    make = _Maker(gpu, samples, over_time=over_time, transparent=transparent)
    layouts = make_pipelines(gpu, samples, over_time=over_time).layouts
    frame = layouts.frame
    ground, own_frame = make.ground_layout(), make.group((COMPUTE, _buffer("uniform")))
    sowing = make.group((COMPUTE, _buffer("read-only-storage")), (COMPUTE, _buffer("storage")))
    sown = make.group(*2 * [(VERTEX | COMPUTE, _buffer("read-only-storage"))])  # with those of the frame before
    layers = {"texture": {"sample_type": "float", "view_dimension": "2d-array"}}
    bark = make.group(*((FRAGMENT, what) for what in (layers, layers, {"sampler": {"type": "filtering"}})))
    grown = [frame, ground, sown]
    marking: dict[str, Any] = {"level_marks": None, "land_marks": None, "light": None}
    if samples == 1:
        marking = {
            "level_marks": make.view("ground.wgsl", [frame, ground], topology="triangle-strip", fragment="fs_mark"),
            "land_marks": make.view("ground.wgsl", [frame, ground], vertex="vs_land", fragment="fs_mark"),
            "light": make.kernel("ground_pass.wgsl", [frame, ground, layouts.marked]),
        }

    def see(lit: float) -> Any:
        return make.kernel("see_grass.wgsl", [layouts.seen, ground, sown], OVER_TIME=float(over_time), LIT=lit)

    return GroundPipelines(
        ground,
        own_frame,
        sowing,
        sown,
        bark,
        level=make.view("ground.wgsl", [frame, ground], topology="triangle-strip"),
        land=make.view("ground.wgsl", [frame, ground], vertex="vs_land"),
        **marking,
        sow={
            name: make.kernel(f"sow_{name}.wgsl", [own_frame, ground, sowing])
            for name in ("grass", "herbs", "litter", "stones")
        },
        see={"grass": (see(0.0), see(1.0))} if samples == 1 else {},
        grow={
            "grass": tuple(make.view("grass.wgsl", grown, constants={"ROWS": rows}) for rows in (4, 2, 1)),
            **{name: (make.view(f"{name}.wgsl", grown),) for name in ("herbs", "litter", "stones")},
            "roots": (make.view("roots.wgsl", [*grown, bark]),),
        },
    )


def _buffer(kind: str) -> dict[str, Any]:
    return {"buffer": {"type": kind}}


class _Maker:
    """Factory of layouts and pipelines that draw into the view pass."""

    def __init__(self, gpu: Gpu, samples: int, *, over_time: bool, transparent: bool = False) -> None:
        self.gpu, self.samples, self.over_time, self.transparent = gpu, samples, over_time, transparent

    def group(self, *entries: tuple[int, dict[str, Any]]) -> Any:
        listed = [{"binding": i, "visibility": seen, **what} for i, (seen, what) in enumerate(entries)]
        return self.gpu.device.create_bind_group_layout(entries=listed)

    def ground_layout(self) -> Any:
        """Style, planar shadows, heights, slopes, shade, sampler, wind, trunks, colours, relief, sampler."""
        everywhere = VERTEX | FRAGMENT | COMPUTE
        plain, smooth = ({"texture": {"sample_type": kind}} for kind in ("unfilterable-float", "float"))
        layers = {"texture": {"sample_type": "float", "view_dimension": "2d-array"}}
        feet = {"texture": {"sample_type": "unfilterable-float", "view_dimension": "2d-array"}}
        filtering = {"sampler": {"type": "filtering"}}
        return self.group(
            (everywhere, _buffer("uniform")),
            (FRAGMENT | COMPUTE, plain),
            *((everywhere, what) for what in (plain, smooth, smooth, filtering, smooth, feet)),
            *((FRAGMENT | COMPUTE, what) for what in (layers, layers, filtering)),
        )

    def view(
        self,
        shader: str,
        layouts: list[Any],
        *,
        topology: str = "triangle-list",
        vertex: str = "vs_view",
        fragment: str = "fs_view",
        constants: dict[str, float] | None = None,
    ) -> Any:
        over_time = {"OVER_TIME": int(self.over_time)}
        return view_pipeline(
            self.gpu,
            shader,
            layouts,
            entries=(vertex, fragment),
            targets=view_states(over_time=self.over_time, transparent=self.transparent),
            constants=over_time | (constants or {}),
            primitive={"topology": topology, "cull_mode": "none"},
            samples=(self.samples, False),
        )

    def kernel(self, shader: str, layouts: list[Any], **constants: float) -> Any:
        return compute_pipeline(self.gpu, shader, layouts, **constants)
