"""WGSL files: plain WGSL with one extension, include lines such as `// include "motion/rhythm.wgsl"`.

A shader is named by its path from the package's folder, or, in another package, by an absolute path. Every included
file includes all that it needs itself.
"""

import re
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from windflower.core.device import Gpu
from windflower.errors import GpuError

__all__ = ["shader_module", "shader_text"]

_INCLUDE = re.compile(r'^// include "(?P<name>[\w./-]+)"$', re.MULTILINE)


@cache
def shader_text(name: str) -> str:
    """Text of a shader with its includes resolved, each file once."""
    return _resolved(name, set())


def _resolved(name: str, seen: set[str]) -> str:
    seen.add(name)

    def included(match: re.Match[str]) -> str:
        return "" if match["name"] in seen else _resolved(match["name"], seen)

    return _INCLUDE.sub(included, _read(name))


def _read(name: str) -> str:
    file = Path(name) if Path(name).is_absolute() else resources.files("windflower") / name
    if not file.is_file():
        raise GpuError(f"a shader must exist; {name} does not. Install Windflower again.")
    return file.read_text("utf-8")


def shader_module(gpu: Gpu, name: str) -> Any:
    """Compile a shader on the device."""
    return gpu.device.create_shader_module(label=name, code=shader_text(name))
