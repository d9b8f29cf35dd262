"""WGSL files: plain text with one extra, a line `// include "other.wgsl"`, so that they run in a browser as well."""

import re
from functools import cache
from importlib import resources
from typing import Any

from windflower.errors import GpuError
from windflower.gpu.device import Gpu

__all__ = ["shader_module", "shader_text"]

_INCLUDE = re.compile(r'^// include "(?P<name>[\w./]+)"$', re.MULTILINE)
SHARED = "windflower.gpu"  # whose files those of any package may include


@cache
def shader_text(package: str, name: str) -> str:
    """The text of a shader in a package's `wgsl` folder, each included file once, in place of its line."""
    return _resolved(package, name, set())


def _resolved(package: str, name: str, seen: set[str]) -> str:
    seen.add(name)
    text = _read(package, name)

    def included(match: re.Match[str]) -> str:
        return "" if match["name"] in seen else _resolved(package, match["name"], seen)

    return _INCLUDE.sub(included, text)


def _read(package: str, name: str) -> str:
    """A file of the package itself, or else one that all share."""
    for folder in (package, SHARED):
        file = resources.files(folder) / "wgsl" / name
        if file.is_file():
            return file.read_text("utf-8")
    raise GpuError(f"shader {name} is missing from {package}; install Windflower again.")


def shader_module(gpu: Gpu, package: str, name: str) -> Any:
    """Compile a shader on the device."""
    return gpu.device.create_shader_module(label=name, code=shader_text(package, name))
