"""What this machine has of all that Windflower can use: each check says what it found and, where needed, what to do.

Nothing here prints. A check never raises: what goes wrong in it is its result.
"""

import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from importlib import metadata
from typing import Any

from windflower.core.device import open_gpu
from windflower.core.kept import cache_folder
from windflower.errors import MissingExtraError, WindflowerError

__all__ = ["Check", "checks", "drawing_works"]

BROWSERS = ("chromium", "google-chrome")
ENCODER = "libx264"
REQUIREMENT = re.compile(r"^([\w.-]+)(?:>=([\d.]+))?(?:.*extra == ['\"](\w+))?")
"""A line of a package's metadata: `wgpu>=0.32; extra == 'render'`."""
MODULES = {"pillow": "PIL"}
"""Packages whose module has another name than they have."""
PURPOSES = {
    "": "everything",
    "render": "pictures and clips",
    "view": "the window",
    "plot": "figures",
    "fast": "moving many trees on the processor several times as fast",
    "tables": "Parquet files",
    "batch": "data sets and sweeps on several processes or machines",
    "usd": "binary USD files",
    "notebook": "the window inside a notebook",
    "lesson": "the lesson",
    "docs": "building these pages, for developers",
    "dist": "making a release, for developers",
    "clients": "tests with other people's programs",
}
"""What each extra is for."""
FOR_TESTS = {"clients"}  # extras
UNCHECKED = {"all", "dev"}  # extras: the first only names others, and only developers need the second
PATIENCE = 30.0  # s that another program may take to answer
SMALL_SCENE = """
size = [64, 48]
[[stands]]
plant = "palm"
detail = 0.1
motion = { kind = "cantilever" }
"""


@dataclass(frozen=True)
class Check:
    """One line of the report.

    name       what was looked at
    passed     whether it is as it should be
    found      what there is
    remedy     what to do; empty if it passed
    essential  whether Windflower cannot draw without it
    facts      what was found, for programs
    """

    name: str
    passed: bool
    found: str
    remedy: str = ""
    essential: bool = False
    facts: dict[str, Any] = field(default_factory=dict)


def checks() -> dict[str, Callable[[], Check]]:
    """All checks, by name, in the order of the report."""
    packages = {"packages" if not extra else f"extra '{extra}'": extra for extra in _requirements()}
    return {
        "python": _python,
        **{name: partial(_packages, name, extra) for name, extra in packages.items()},
        "graphics": _graphics,
        "drawing": _drawing,
        "display": _display,
        "video": _video,
        "browser": _browser,
        "cache": _cache,
    }


def drawing_works(results: list[Check]) -> bool:
    """Whether the essential checks passed."""
    return all(check.passed for check in results if check.essential)


def _python() -> Check:
    facts = {"version": platform.python_version(), "executable": sys.executable, "system": platform.platform()}
    return Check("python", True, f"{facts['version']} at {sys.executable}, {facts['system']}", facts=facts)


def _requirements() -> dict[str, dict[str, str]]:
    """The packages that Windflower's own metadata names and the least version of each, by extra; '' is the base."""
    found: dict[str, dict[str, str]] = {"": {}}
    try:
        lines = metadata.requires("windflower") or []
    except metadata.PackageNotFoundError:  # it runs from a folder that nobody has installed
        return found
    for name, least, extra in (REQUIREMENT.findall(line)[0] for line in lines):
        if extra not in UNCHECKED and name != "windflower":
            found.setdefault(extra, {})[name] = least
    return found


def _packages(name: str, extra: str) -> Check:
    """The packages of an extra, with their versions."""
    needed = _requirements()[extra]
    versions = {package: _version(package) for package in needed}
    missing = [package for package, version in versions.items() if version is None]
    old = [package for package, version in versions.items() if version and _older(version, needed[package])]
    remedy = ""
    said = ", ".join(f"{package} {version}" for package, version in versions.items() if version)
    if missing:
        remedy = _reinstall(extra or "all")
        remedy = f"Only tests need it. {remedy}" if extra in FOR_TESTS else remedy
        said = f"for {PURPOSES.get(extra, extra)}: {', '.join(missing)}"
    elif old:
        remedy = f"{old[0]} is too old: {needed[old[0]]} is needed. {_reinstall(extra or 'all')}"
    said = said or "of unknown versions: Windflower runs from a folder that is not installed"
    return Check(name, not remedy, said, remedy, essential=not extra, facts=dict(versions))


def _version(package: str) -> str | None:
    module = MODULES.get(package, package.replace("-", "_"))
    try:
        return metadata.version(package) if importlib.util.find_spec(module) else None
    except (metadata.PackageNotFoundError, ValueError):
        return None


def _older(version: str, least: str) -> bool:
    def numbers(text: str) -> list[int]:
        return [int(number) for number in re.findall(r"\d+", text)]

    return numbers(version) < numbers(least)


def _reinstall(extra: str) -> str:
    return str(MissingExtraError("", extra)).partition(". ")[2]


def _graphics() -> Check:
    """The device that draws: adapter, driver, interface, memory."""
    try:
        gpu = open_gpu()
    except WindflowerError as error:
        return Check("graphics", False, "no device", str(error), essential=True)
    facts = {
        "adapter": gpu.name,
        "driver": gpu.driver.removeprefix(f"{gpu.name}, "),
        "interface": gpu.interface,
        "software": gpu.software,
        "memory": gpu.memory,
    }
    kind = "a software driver, slower than a graphics card" if gpu.software else "a graphics card"
    memory = f"{gpu.memory / 1e9:.1f} GB" if gpu.memory else "unknown (WINDFLOWER_GPU_MEMORY may say it, in GB)"
    found = f"{gpu.name} through {gpu.interface}, {kind}; driver: {facts['driver']}; memory: {memory}"
    return Check("graphics", True, found, essential=True, facts=facts)


def _drawing() -> Check:
    """A small picture, drawn as all others are."""
    from windflower.render.film import Film
    from windflower.scene import build, parse_scene

    try:
        open_gpu()
    except WindflowerError:
        return Check("drawing", False, "not tried without a device", "Mend graphics first.", essential=True)
    try:
        picture = Film(build(parse_scene(SMALL_SCENE)), quality="draft").frame(0.0)
    except Exception as error:  # a driver may fail in many ways, and that is the question
        remedy = f"Update the graphics driver; it failed with: {_first_line(error)}."
        return Check("drawing", False, "the driver failed", remedy, essential=True)
    passed, found = bool(picture.std() > 1), f"a test picture of {picture.shape[1]}x{picture.shape[0]} pixels"
    remedy = "" if passed else "Update the graphics driver: the picture is empty."
    return Check("drawing", passed, found, remedy, essential=True)


def _display() -> Check:
    """Whether a window can open."""
    try:
        from windflower.viewer.opening import no_display

        reason = no_display()
    except WindflowerError as error:
        reason = str(error)
    facts = {name: os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY")}
    found = "no window can open" if reason else "a window can open"
    return Check("display", not reason, found, reason or "", facts=facts)


def _video() -> Check:
    """Whether ffmpeg is there and encodes video."""
    try:
        import imageio_ffmpeg
    except ImportError:
        return Check("video", False, "no encoder", str(MissingExtraError("imageio-ffmpeg", "render")))
    try:
        program = imageio_ffmpeg.get_ffmpeg_exe()
        said = _answer(program, "-encoders")
    except (RuntimeError, OSError, subprocess.SubprocessError) as error:
        remedy = f"Set IMAGEIO_FFMPEG_EXE to an ffmpeg that runs, or unset it ({_first_line(error)})."
        return Check("video", False, "ffmpeg does not run", remedy)
    version = next(iter(re.findall(r"ffmpeg version (\S+)", said)), "of unknown version")
    facts = {"program": program, "version": version}
    if ENCODER not in said:
        remedy = f"Set IMAGEIO_FFMPEG_EXE to an ffmpeg that has the encoder {ENCODER}, or unset it."
        return Check("video", False, f"ffmpeg {version} without {ENCODER}", remedy, facts=facts)
    return Check("video", True, f"ffmpeg {version} with {ENCODER}", facts=facts)


def _browser() -> Check:
    """The browser in which tests draw; Playwright, which steers it, is one of the packages."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    remedy = "Only tests of web pages need a browser. In the folder of Windflower's source code: make clients"
    if program is None:
        return Check("browser", False, f"neither {' nor '.join(BROWSERS)}", remedy)
    try:
        version = _answer(program, "--version").strip().splitlines()[-1]
    except (OSError, IndexError, subprocess.SubprocessError) as error:
        return Check("browser", False, f"{program} does not run ({_first_line(error)})", remedy)
    return Check("browser", True, f"{version} at {program}", facts={"program": program, "version": version})


def _cache() -> Check:
    """The folder in which modes and textures are kept, and its size."""
    remedy = "Modes and textures are computed again each time. Set WINDFLOWER_CACHE to a folder that can be written."
    try:
        folder = cache_folder()
        sizes = [path.stat().st_size for path in folder.glob("*") if path.is_file()]
    except (OSError, RuntimeError) as error:  # the second where there is no home
        return Check("cache", False, f"no folder ({_first_line(error)})", remedy)
    there = next(path for path in (folder, *folder.parents) if path.exists())
    passed = there.is_dir() and os.access(there, os.W_OK)
    facts = {"folder": str(folder), "files": len(sizes), "bytes": sum(sizes)}
    found = f"{folder}, {len(sizes)} file{'s' * (len(sizes) != 1)}, {sum(sizes) / 1e6:.1f} MB"
    return Check("cache", passed, found, "" if passed else remedy, facts=facts)


def _answer(program: str, option: str) -> str:
    """What another program prints when it is asked this."""
    done = subprocess.run(
        [program, option], capture_output=True, text=True, errors="replace", timeout=PATIENCE, check=True
    )
    return done.stderr + done.stdout


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
