"""Shaders: every file stands on its own, and kernels keep within what core WebGPU promises."""

from pathlib import Path

import pytest

import windflower
from windflower.core.device import Gpu
from windflower.core.shaders import shader_module, shader_text

PACKAGE = Path(windflower.__file__).parent
SHADERS = sorted(path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.wgsl"))


@pytest.mark.parametrize("name", SHADERS)
def test_every_file_compiles_with_what_it_includes_and_nothing_else(gpu: Gpu, name: str) -> None:
    shader_module(gpu, name)


def test_an_included_file_stands_once_in_the_text() -> None:
    text = shader_text("render/wgsl/leaves.wgsl")
    assert text.count("struct Frame {") == 1
    assert "// include" not in text
