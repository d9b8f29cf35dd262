"""The browser that tests drive."""

import shutil
from typing import Any

PROGRAMS = ("chromium", "google-chrome")  # as in the Makefile
FLAGS = (
    "--headless=new",
    "--no-sandbox",  # which root may not have
    "--enable-unsafe-webgpu",
    "--use-webgpu-adapter=swiftshader",
    "--enable-unsafe-swiftshader",
    "--enable-features=Vulkan",
    "--use-vulkan=swiftshader",
    "--disable-vulkan-surface",
    "--use-gl=angle",
    "--use-angle=swiftshader",
)
"""WebGPU without a window and without a graphics card."""


def program() -> str | None:
    """Path of a browser, if there is one."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


def launched(kind: Any) -> Any:
    """A browser of Playwright's kind; `program` must have found one."""
    return kind.launch(executable_path=program(), args=FLAGS)
