"""Shaders: every file stands on its own, and kernels keep within what core WebGPU promises."""

import re
from pathlib import Path
from typing import Any

import pytest

import windflower
from windflower.core.device import Gpu
from windflower.core.layouts import layout
from windflower.core.shaders import shader_module, shader_text
from windflower.errors import GpuError
from windflower.motion.modal.instances import WORKGROUP, tile_of
from windflower.motion.poses.level_shapes import MOST_SHAPES
from windflower.motion.poses.sheets import Tuning

PACKAGE = Path(windflower.__file__).parent
SHADERS = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.wgsl"))


@pytest.mark.parametrize("name", SHADERS)
def test_every_file_compiles_with_what_it_includes_and_nothing_else(gpu: Gpu, name: str) -> None:
    shader_module(gpu, name)


def test_an_included_file_stands_once_in_the_text() -> None:
    text = shader_text("render/wgsl/leaves.wgsl")
    assert text.count("struct Frame {") == 1
    assert "// include" not in text


BYTES = {"f32": 4, "u32": 4, "vec2f": 8, "vec4f": 16}
NAMED = re.compile(r"^(?:const|override)\s+(\w+)(?::\s*\w+)?\s*=\s*([\w\s*+/()-]+);", re.MULTILINE)
SHARED = re.compile(r"^var<workgroup>\s+\w+:\s*array<(?:atomic<)?(\w+)>?,\s*([\w\s*+/()-]+)>;", re.MULTILINE)
CELLS = range(1, 65)  # that a scene may ask for
KERNELS: dict[str, list[dict[str, int]]] = {
    "motion/modal/step.wgsl": [{"CELLS": cells, "TILE": tile_of(cells, n)} for cells in CELLS for n in (0, 48)],
    "motion/poses/pose.wgsl": [{"SHAPES": shapes} for shapes in (4, MOST_SHAPES)],
    "motion/poses/rotated.wgsl": [
        {"SHAPES": shapes, "QUADS": Tuning().quads_of(shapes, 100), "THREADS": Tuning().chunk}
        for shapes in (4, 28, 256, 384, 388, MOST_SHAPES)
    ],
    "motion/modal/hand.wgsl": [{}],
    "motion/broadleaf/blades.wgsl": [{}],
    "motion/broadleaf/blade_sides.wgsl": [{}],
    "render/wgsl/blur_tiles.wgsl": [{}],
    "render/wgsl/card_splat.wgsl": [{}],
    "render/wgsl/cull_cards.wgsl": [{}],
    "render/wgsl/see_cards.wgsl": [{}],
    "render/wgsl/see_grass.wgsl": [{}],
    "render/wgsl/large_leaves.wgsl": [{}],
    "render/wgsl/leaf_triangles.wgsl": [{}],
    "render/wgsl/see_large_leaves.wgsl": [{}],
    "render/wgsl/see_leaves.wgsl": [{}],
    "render/wgsl/see_twigs.wgsl": [{}],
    "render/wgsl/seen_leaves.wgsl": [{}],
    "render/wgsl/seen_tiles.wgsl": [{}],
    "render/wgsl/splat_cards.wgsl": [{}],
    "render/wgsl/splat_leaves.wgsl": [{}],
    "render/wgsl/strips.wgsl": [{}],
}


def workgroup_bytes(name: str, overrides: dict[str, int]) -> int:
    """Bytes of workgroup memory that a kernel declares."""
    text = shader_text(name)
    constants: dict[str, Any] = {**dict(NAMED.findall(text)), **overrides}

    def value(expression: str | int) -> int:
        plain = re.sub(r"\b(\d+)u\b", r"\1", str(expression))
        names = {word: value(constants[word]) for word in re.findall(r"[A-Z]\w*", plain)}
        return int(eval(plain.replace("/", "//"), {}, names))

    assert text.count("var<workgroup>") == len(SHARED.findall(text))

    def bytes_of(kind: str) -> int:
        return BYTES[kind] if kind in BYTES else layout(name, kind).itemsize

    return sum(bytes_of(kind) * value(size) for kind, size in SHARED.findall(text))


def test_every_kernel_with_workgroup_memory_is_measured() -> None:
    assert {name for name in SHADERS if "var<workgroup>" in shader_text(name)} == set(KERNELS)


@pytest.mark.parametrize("name", KERNELS)
def test_kernels_keep_within_the_workgroup_memory_of_core_webgpu(name: str) -> None:
    sizes = [workgroup_bytes(name, overrides) for overrides in KERNELS[name]]
    assert all(0 < size <= WORKGROUP == 16_384 for size in sizes), max(sizes)


def test_few_cells_leave_a_whole_group_to_a_workgroup_and_many_at_least_one_instance() -> None:
    assert [tile_of(cells) for cells in (1, 4, 9, 10, 18, 19, 64)] == [32, 32, 32, 16, 16, 8, 4]
    assert [tile_of(cells, 48) for cells in (1, 18, 19, 64)] == [8, 8, 8, 4]
    assert tile_of(292) == tile_of(292, 48) == 1
    with pytest.raises(GpuError, match="at most 292 cells; this one has 293"):
        tile_of(293)
