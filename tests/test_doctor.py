"""`windflower doctor`: what it finds, what it advises, and how it says it."""

import builtins
import io
import json
import os
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from tests.clients.browsers import PROGRAMS
from windflower import doctor
from windflower.cli import main
from windflower.cli.console import PlainConsole
from windflower.core.device import Gpu
from windflower.doctor import Check, checks, drawing_works
from windflower.render import film

NO_VULKAN = {"VK_DRIVER_FILES": "/nowhere", "VK_ICD_FILENAMES": "/nowhere"}
OPTIONAL = {
    "wgpu": "render",
    "PIL": "render",
    "imageio_ffmpeg": "render",
    "glfw": "view",
    "imgui_bundle": "view",
    "matplotlib": "plot",
    "jupyter_rfb": "notebook",
    "playwright": "clients",
}
"""Module -> the extra that brings it."""
WITHOUT = """
import sys
sys.modules.update(dict.fromkeys({modules!r}))
sys.argv = ["windflower", "doctor", "--json"]
from windflower.cli import main
main()
"""


def report(*words: str, **environment: str) -> tuple[int, dict[str, Any]]:
    """Exit code and JSON of the command in a process of its own."""
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, env={**os.environ, **environment})
    assert "Traceback" not in done.stderr
    found = json.loads(done.stdout)
    return done.returncode, {**found, "checks": {check["name"]: check for check in found["checks"]}}


@pytest.mark.slow
def test_a_machine_that_draws_is_described_in_json(
    gpu: Gpu, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["windflower", "doctor", "--json"])
    with pytest.raises(SystemExit) as stop:
        main()
    found = json.loads(capsys.readouterr().out)
    lines = {check["name"]: check for check in found["checks"]}
    assert not stop.value.code
    assert found["works"]
    assert set(lines) >= {"python", "packages", "graphics", "drawing", "display", "video", "browser", "cache"}
    assert set(lines) >= {f"extra '{extra}'" for extra in OPTIONAL.values()}
    assert set(lines["graphics"]["facts"]) == {"adapter", "driver", "interface", "software", "memory"}
    assert lines["graphics"]["facts"]["adapter"] == gpu.name
    assert lines["packages"]["facts"]["numpy"][0].isdigit()
    assert all(check["found"] and bool(check["remedy"]) != check["passed"] for check in found["checks"])


def test_without_a_vulkan_driver_it_says_what_to_install_and_exits_with_one() -> None:
    if sys.platform != "linux":
        pytest.skip("Metal and D3D12 are part of the system and cannot be hidden")
    code, found = report("-m", "windflower", "doctor", "--json", **NO_VULKAN)
    assert code == 1
    assert not found["works"]
    assert "apt-get install mesa-vulkan-drivers" in found["checks"]["graphics"]["remedy"]
    assert not found["checks"]["drawing"]["passed"]


def test_without_optional_packages_each_line_names_the_extra_in_a_command_that_works() -> None:
    code, found = report("-c", WITHOUT.format(modules=list(OPTIONAL)))
    assert code == 1
    for module, extra in OPTIONAL.items():
        check = found["checks"][f"extra '{extra}'"]
        assert f'{sys.executable} -m pip install -e ".[{extra}]"' in check["remedy"]
        assert None in check["facts"].values(), module
    for name, extra in {"graphics": "render", "display": "view", "video": "render"}.items():
        assert f'pip install -e ".[{extra}]"' in found["checks"][name]["remedy"]
    assert found["checks"]["packages"]["passed"]


def test_a_package_that_is_too_old_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.metadata.requires", lambda _: ["numpy>=99.1", "wgpu>=0.2; extra == 'render'"])
    found = {name: checks()[name]() for name in ("packages", "extra 'render'")}
    assert "numpy is too old: 99.1 is needed" in found["packages"].remedy
    assert '-m pip install -e ".[all]"' in found["packages"].remedy
    assert found["extra 'render'"].passed


def test_a_driver_that_cannot_draw_fails_the_check(gpu: Gpu, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("Validation Error\n\nCaused by: the shader")

    monkeypatch.setattr(film, "Film", fail)
    check = checks()["drawing"]()
    assert not drawing_works([check])
    assert "it failed with: Validation Error." in check.remedy
    assert gpu.summary


def test_an_encoder_that_does_not_run_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("IMAGEIO_FFMPEG_EXE", str(tmp_path / "ffmpeg"))
    check = checks()["video"]()
    assert not check.passed
    assert "IMAGEIO_FFMPEG_EXE" in check.remedy


def test_the_encoder_is_found() -> None:
    pytest.importorskip("imageio_ffmpeg")
    assert checks()["video"]().passed


def test_without_a_display_it_says_how_to_draw_without_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    check = checks()["display"]()
    assert not check.passed
    assert "windflower render" in check.remedy


def test_a_window_library_that_cannot_be_loaded_is_not_called_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def broken(name: str, *rest: Any) -> Any:
        if name == "imgui_bundle":
            raise ImportError("libX11.so.6: cannot open shared object file", name=name, path="_imgui_bundle.so")
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", broken)
    check = checks()["display"]()
    assert "libX11.so.6" in check.remedy
    assert "apt-get install libx11-6" in check.remedy
    assert "not installed" not in check.remedy


def test_a_missing_browser_is_a_matter_for_tests_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    check = checks()["browser"]()
    assert not check.passed
    assert not check.essential
    assert "make clients" in check.remedy
    assert doctor.BROWSERS == PROGRAMS


def test_the_cache_folder_is_measured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "modes-1.npz").write_bytes(bytes(1500))
    monkeypatch.setenv("WINDFLOWER_CACHE", str(tmp_path))
    assert checks()["cache"]().facts == {"folder": str(tmp_path), "files": 1, "bytes": 1500}
    monkeypatch.setenv("WINDFLOWER_CACHE", str(tmp_path / "modes-1.npz" / "below-a-file"))
    assert "WINDFLOWER_CACHE" in checks()["cache"]().remedy


@pytest.mark.parametrize(("term", "boxes"), [("xterm", True), ("dumb", False)])
def test_a_dumb_terminal_gets_lines_and_others_a_table(monkeypatch: pytest.MonkeyPatch, term: str, boxes: bool) -> None:
    from windflower.cli import doctor as command

    out = io.StringIO()
    console = PlainConsole(file=out, force_terminal=True, width=60, _environ={"TERM": term})
    good, bad = Check("good", True, "all [of it]"), Check("bad", False, "none", "Install it.")
    monkeypatch.setattr(command, "console", console)
    monkeypatch.setattr(doctor, "checks", lambda: {check.name: lambda check=check: check for check in (good, bad)})
    command.doctor()
    assert ("│" in out.getvalue()) is boxes
    assert all(part in out.getvalue() for part in ("all [of it]", "missing", "Install it.", "Drawing works."))


def test_packages_of_a_folder_that_nobody_installed_are_not_called_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def requires(name: str) -> list[str]:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", requires)
    check = checks()["packages"]()
    assert check.passed
    assert "not installed" in check.found


def test_what_an_extra_is_for_is_said_of_each() -> None:
    table = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())
    extras = set(table["project"]["optional-dependencies"])
    assert extras - doctor.UNCHECKED == set(doctor.PURPOSES) - {""}
    page = (Path(__file__).parents[1] / "docs" / "tutorial.md").read_text()
    for extra in extras - {"dev", "dist", "docs", "clients"}:
        assert f"`{extra}`" in page


def test_what_only_tests_need_is_said_to_be_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "_version", lambda _: None)
    assert checks()["extra 'clients'"]().remedy.startswith("Only tests need it")
    assert not checks()["extra 'render'"]().remedy.startswith("Only tests")
