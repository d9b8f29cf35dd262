"""The Makefile on machines that lack something, with stand-ins for Python and for the system's programs."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from windflower.core.device import Gpu

ROOT = Path(__file__).parents[1]
PYTHON = f"""#!/bin/sh
# Logs what it is asked; opens the real device, which sees no Vulkan driver before one is "installed".
echo "$*" >> "$STAND/python.log"
case "$*" in
  *"import ensurepip"*) [ -z "$WITHOUT_VENV" ] ;;
  "-m venv .venv") mkdir -p .venv/bin && cp "$STAND/python" .venv/bin/python ;;
  "-m pip"*) [ -z "$WITHOUT_NETWORK" ] || {{ echo "WARNING: Retrying"; echo "ERROR: no such host" >&2; exit 1; }} ;;
  *open_gpu*)
    [ -e "$STAND/installed" ] || export VK_DRIVER_FILES=/nowhere VK_ICD_FILENAMES=/nowhere
    PYTHONPATH="{ROOT}" exec "{sys.executable}" "$@" ;;
esac
"""
APT = """#!/bin/sh
echo "$*" >> "$STAND/apt.log"
case "$*" in install*mesa-vulkan-drivers*) [ -z "$USELESS" ] && touch "$STAND/installed" ;; esac
exit 0
"""
ID = '#!/bin/sh\necho "${USER_ID:-0}"\n'

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or not shutil.which("make"), reason="the Makefile is tried with make, on Linux"
)
Make = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """Runs make in a folder of its own, in which `stand` has stand-ins that come first on the PATH."""
    stand = tmp_path / "stand"
    stand.mkdir()
    for name, text in {"python": PYTHON, "apt-get": APT, "id": ID}.items():
        (stand / name).write_text(text)
        (stand / name).chmod(0o755)
    shutil.copy(ROOT / "Makefile", tmp_path)
    (tmp_path / "pyproject.toml").touch()
    environment = {**os.environ, "STAND": str(stand), "PATH": f"{stand}{os.pathsep}{os.environ['PATH']}"}
    for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):  # of a make that runs these tests
        environment.pop(name, None)

    def run(*words: str, **more: str) -> "subprocess.CompletedProcess[str]":
        command = ["make", "--no-print-directory", f"PYTHON={stand / 'python'}", *words]
        return subprocess.run(command, cwd=tmp_path, env={**environment, **more}, capture_output=True, text=True)

    return run


def log(folder: Path, name: str) -> list[str]:
    path = folder / "stand" / f"{name}.log"
    return path.read_text().splitlines() if path.exists() else []


def test_a_missing_driver_is_installed_where_that_is_allowed(make: Make, tmp_path: Path, gpu: Gpu) -> None:
    done = make("driver")
    assert done.returncode == 0, done.stderr
    assert log(tmp_path, "apt") == ["update -q", "install -y -q mesa-vulkan-drivers"]
    assert gpu.summary in done.stdout
    assert make("driver").returncode == 0
    assert len(log(tmp_path, "apt")) == 2


def test_a_driver_that_does_not_help_ends_in_a_sentence(make: Make, tmp_path: Path) -> None:
    done = make("driver", USELESS="1")
    assert done.returncode
    assert "install -y -q mesa-vulkan-drivers" in log(tmp_path, "apt")
    assert "No graphics driver was found that can draw." in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_without_root_it_says_what_to_install(make: Make, tmp_path: Path) -> None:
    done = make("driver", USER_ID="1000")
    assert done.returncode
    assert not log(tmp_path, "apt")
    assert "sudo apt-get install mesa-vulkan-drivers" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_the_set_up_is_done_once_and_again_when_the_project_changes(make: Make, tmp_path: Path) -> None:
    assert "The command is .venv/bin/windflower" in make(".venv/ready").stdout
    first = log(tmp_path, "python")
    assert any(line.startswith("-m pip install") and line.endswith("--editable .[all,dev]") for line in first)
    assert "is up to date" in make(".venv/ready").stdout
    assert log(tmp_path, "python") == first
    ready = (tmp_path / ".venv" / "ready").stat().st_mtime
    os.utime(tmp_path / "pyproject.toml", (ready + 10, ready + 10))
    assert make(".venv/ready").returncode == 0
    assert len(log(tmp_path, "python")) == 2 * len(first)


def test_without_venv_it_says_what_to_install(make: Make, tmp_path: Path) -> None:
    done = make("demo", WITHOUT_VENV="1")
    assert done.returncode
    assert "sudo apt-get install python3-venv" in done.stdout
    assert not (tmp_path / ".venv").exists()


@pytest.mark.parametrize("python", ["no-such-python", "false"])
def test_without_a_python_it_says_which_one_is_needed(make: Make, python: str) -> None:
    done = make("demo", f"PYTHON={python}")
    assert done.returncode
    assert "Windflower needs Python 3.11 or newer" in done.stdout


@pytest.mark.parametrize("target", [".venv/ready", "clients"])
def test_without_a_network_it_says_so_in_one_sentence_and_tries_again(make: Make, tmp_path: Path, target: str) -> None:
    if target == "clients":
        assert make(".venv/ready").returncode == 0
    done = make(target, WITHOUT_NETWORK="1")
    assert done.returncode
    assert "check the network and run make again (.venv/pip.log ends with: ERROR: no such host)" in done.stdout
    assert "Retrying" not in done.stdout + done.stderr
    assert make(".venv/ready").returncode == 0
    assert (tmp_path / ".venv" / "ready").exists()
