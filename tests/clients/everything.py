"""What Windflower asks of a device: a tape of all shader modules and pipelines that the program makes."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import windflower
from tests.clients.tape import Makes, lasting
from windflower.core.buffers import kernel
from windflower.core.device import Gpu
from windflower.render.film import PRE_ROLL, Film
from windflower.render.passes.data_pipelines import data_pipelines, mean_pipeline
from windflower.render.pipelines import make_pipelines
from windflower.scene import build, parse_scene
from windflower.viewer.overlays import Overlays
from windflower.viewer.window import Blit
from windflower.web.tape import Tape, recording

__all__ = ["entry_points", "everything", "used_entry_points"]

ROOT = Path(windflower.__file__).parent
SAMPLES = (1, 4)  # a pixel: draft, and everything better
CANVASES = ("rgba8unorm", "bgra8unorm", "bgra8unorm-srgb")

SCENE = """
size = [64, 48]
seconds = 1
season = "autumn"
[wind]
speed = 9
[camera]
kind = "fixed"
eye = [0, 1, 0]
target = [0, 1, -3]
"""
STANDS = """
[[stands]]
plant = "silver-birch"
detail = 0.06
positions = [[0, -3]]
motion = { kind = "modal", modes = 6, cells = 1, pose = "linear" }
shedding = { rate = 0.7, fallen = 0.2 }
[[stands]]
plant = "silver-birch"
detail = 0.06
positions = [[1, -3], [0, -400]]  # the far one is a card
motion = { kind = "modal", modes = 6, cells = 64, pose = "rotated" }
[[stands]]
plant = "silver-birch"
detail = 0.06
positions = [[-1, -3]]
motion = { kind = "modal", modes = 6, cells = 4, pose = "corrected" }
[[stands]]
plant = "silver-birch"
detail = 0.06
positions = [[-1, -4]]
motion = { kind = "spectral", modes = 6, period = 2 }
[[stands]]
plant = "silver-birch"
detail = 0.06
positions = [[1, -4]]
motion = "cantilever"
[[stands]]
plant = "silver-birch"
detail = 0.06
positions = [[1, -5]]
motion = "hybrid"
[[stands]]
plant = "palm"  # whose fronds are limp
positions = [[3, -5]]
[[stands]]
plant = "flag"
positions = [[2, -6]]
[[stands]]
plant = "banana"
positions = [[0, -6]]
motion = { kind = "broadleaf", along = 3, across = 3 }
"""
"""Every motion, every pose, crowns of 1, 4 and 64 cells, sheets, limp axes, and leaves that fall."""

LAND = """
[ground]
terrain = { height = 5 }
[[stands]]
plant = "silver-birch"
detail = 0.06
positions = [[0, -3], [0, -400]]
"""
"""Hills, in frames that follow one another."""

KERNELS: tuple[tuple[str, dict[str, float]], ...] = (
    ("motion/modal/step.wgsl", {"CELLS": 4}),
    ("motion/cantilever/blow.wgsl", {"CELLS": 4, "THREADS": 64}),
    ("motion/broadleaf/node_air.wgsl", {}),
    ("motion/broadleaf/crown_air.wgsl", {}),
    ("motion/limp/follow.wgsl", {}),
    ("wind/at_points.wgsl", {"THREADS": 64}),
    ("motion/leaves/leaves.wgsl", {"THREADS": 64}),
    ("motion/poses/strain.wgsl", {"THREADS": 64}),
    ("motion/modal/hand.wgsl", {}),
    ("motion/modal/put_held.wgsl", {}),
    ("render/wgsl/occlusion.wgsl", {}),
    ("bench/fill.wgsl", {}),
)
"""What these stands do not need: the wind of large scenes, strain, hands on pages, occlusion, what callers need."""


def everything(gpu: Gpu) -> Tape:
    """All that the program makes on a graphics card."""
    with recording(gpu, tape=Makes) as (card, tape):
        Film(build(parse_scene(SCENE + STANDS)), quality="draft", gpu=card).frame(0.1 - PRE_ROLL)
        hills = Film(build(parse_scene(SCENE + LAND)), quality="draft", gpu=card, shutter=180.0)
        hills.next_frame(0.1 - PRE_ROLL)
        for sources, side in ((("labels", "motion"), 1), (("albedo",), 4)):
            data_pipelines(card, sources, side)
            mean_pipeline(card, side)
        for samples in SAMPLES:
            Overlays(card, make_pipelines(card, samples).layouts, samples)
        for form in CANVASES:
            Blit(card, form)
        for name, constants in KERNELS:
            kernel(card, name, **constants)
    return lasting(tape)


def entry_points() -> set[tuple[str, str]]:
    """The file and the name of every entry point of every shader of the package."""
    stage = re.compile(r"@(?:compute|vertex|fragment)\b[^{;]*?\bfn\s+(\w+)", re.DOTALL)
    files = ROOT.rglob("*.wgsl")
    return {(file.relative_to(ROOT).as_posix(), name) for file in files for name in stage.findall(file.read_text())}


def used_entry_points(tape: Tape) -> set[tuple[str, str]]:
    """Of these, the ones that a pipeline of the tape begins in."""
    modules = {at: call[1]["label"] for at, call in enumerate(tape.things) if call[0] == "createShaderModule"}
    used = [(modules[stage["module"]["$"]], stage["entryPoint"]) for stage in _stages(tape)]
    return {(file, entry) for shader, entry in used for file in _files(shader)} & entry_points()


def _stages(tape: Tape) -> Iterator[dict[str, Any]]:
    """Vertex, fragment and compute stages of all pipelines."""
    for call in tape.things:
        if call[0].endswith("Pipeline"):
            yield from (call[1][kind] for kind in ("vertex", "fragment", "compute") if kind in call[1])


@cache
def _files(shader: str) -> frozenset[str]:
    """A shader and all that it includes, by their paths from the package's folder."""
    included = re.findall(r'^// include "(.+)"$', (ROOT / shader).read_text(), re.MULTILINE)
    return frozenset([shader]).union(*map(_files, included))
