"""A real window on a virtual display, and what is said where there is none."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.viewers import TREE
from windflower.core.device import Gpu

DRIVE = """
import sys, warnings
from pathlib import Path
import numpy as np
from PIL import ImageGrab
from rendercanvas.glfw import RenderCanvas, loop
from tests.viewers import TREE
from windflower.viewer import Session, Window
from windflower.scene import parse_scene

folder = Path(sys.argv[1])
session = Session(parse_scene(TREE), folder=folder)
session.display.resolution = 0.3
canvas = RenderCanvas(size=(1280, 720), title="test", update_mode="continuous", max_fps=30)
window = Window(canvas, session)
azimuth = session.camera.azimuth


def pointer(kind, x, y, held=()):
    canvas.submit_event({"event_type": f"pointer_{kind}", "x": x, "y": y, "button": 1 if kind != "move" else 0,
                         "buttons": held, "modifiers": (), "ntouches": 0, "touches": {}})


def move():
    pointer("move", 1100, 500)
    pointer("down", 1100, 500, (1,))
    pointer("move", 1000, 500, (1,))
    pointer("up", 1000, 500)
    canvas.submit_event({"event_type": "key_down", "key": "p", "modifiers": ()})


def look():
    ImageGrab.grab(xdisplay=sys.argv[2]).save(folder / "screen.png")
    canvas.set_logical_size(700, 500)


def act(_):
    global frames
    frames += 1
    if frames in actions:
        loop.call_soon(actions[frames])


def minimise():
    # There is no window manager here to do it; this is what glfw would call.
    canvas._on_iconify(canvas._window, True)
    loop.call_later(0.5, lambda: canvas._on_iconify(canvas._window, False))


frames, actions = 0, {3: move, 8: look, 11: minimise, 14: canvas.close}
canvas.add_event_handler(act, "before_draw")
loop.run()
window.close()
assert window.failure is None, window.failure
assert session.camera.azimuth != azimuth
assert (folder / "windflower-001.png").exists()
"""

INTERRUPT = """
import signal, sys
import glfw
from rendercanvas.glfw import loop
from windflower.viewer import opening


class Interrupted(opening.Window):
    # Ctrl-C arrives inside a callback of glfw, that is while it polls events.

    def __init__(self, canvas, session):
        super().__init__(canvas, session)
        glfw.set_framebuffer_size_callback(canvas._window, lambda *_: signal.raise_signal(signal.SIGINT))
        loop.call_later(0.5, lambda: canvas.set_logical_size(400, 300))


opening.Window = Interrupted
try:
    opening.view(sys.argv[1], size=(320, 240))
except KeyboardInterrupt:
    print("interrupted")
"""


@pytest.fixture
def display() -> Iterator[str]:
    """A virtual display: its name."""
    pytest.importorskip("glfw", reason="windows need glfw")
    pytest.importorskip("imgui_bundle", reason="the panel needs imgui-bundle")
    if shutil.which("Xvfb") is None:
        pytest.skip("a virtual display needs Xvfb; on Debian or Ubuntu: apt-get install xvfb")
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x720x24", "-nolisten", "tcp"],
        pass_fds=(write,),
        stderr=subprocess.DEVNULL,
    )
    try:
        os.close(write)
        with os.fdopen(read) as number:
            yield f":{number.readline().strip()}"
    finally:
        server.terminate()
        server.wait(10)


def environment(display: str) -> dict[str, str]:
    return {**os.environ, "DISPLAY": display, "PYTHONPATH": str(Path(__file__).parents[1])}


def test_without_a_display_the_command_says_so_and_what_to_use_instead() -> None:
    pytest.importorskip("glfw", reason="windows need glfw")
    pytest.importorskip("imgui_bundle", reason="the panel needs imgui-bundle")
    for display in ({}, {"DISPLAY": ":987"}):
        hidden = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        command = [sys.executable, "-m", "windflower", "view", "oak"]
        done = subprocess.run(command, env=hidden | display, capture_output=True, text=True)
        assert done.returncode == 2
        told = [line for line in done.stderr.splitlines() if line.startswith("windflower:")]
        assert len(told) == 1
        assert "windflower render" in told[0]
        assert "Traceback" not in done.stderr


def test_a_real_window_opens_moves_takes_a_picture_is_minimised_and_closes(
    gpu: Gpu, tmp_path: Path, display: str
) -> None:
    image = pytest.importorskip("PIL.Image", reason="pictures need pillow")
    assert gpu.summary
    script = tmp_path / "drive.py"
    script.write_text(DRIVE)
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", str(script), str(tmp_path), display],
        env=environment(display),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    with image.open(tmp_path / "screen.png") as screen:
        assert screen.size == (1280, 720)
        panel = screen.convert("RGB").crop((20, 300, 300, 500)).getextrema()
        picture = screen.convert("RGB").crop((400, 100, 1000, 600)).getextrema()
    # The panel is dark with bright letters; the picture has sky and grass.
    assert min(low for low, _ in panel) < 60 < 180 < max(high for _, high in panel)
    assert max(high - low for low, high in picture) > 80


@pytest.mark.slow
def test_ctrl_c_while_events_are_polled_closes_the_window_and_does_not_crash(
    gpu: Gpu, tmp_path: Path, display: str
) -> None:
    assert gpu.summary
    (tmp_path / "interrupt.py").write_text(INTERRUPT)
    (tmp_path / "tree.toml").write_text(TREE)
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "interrupt.py", "tree.toml"],
        env=environment(display),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["interrupted"]
    assert "Traceback" not in done.stderr
    assert "ignored" not in done.stderr


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 40))])
@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_a_window_that_is_told_to_end_at_any_moment_ends_in_order(
    gpu: Gpu, tmp_path: Path, display: str, seed: int, number: int
) -> None:
    assert gpu.summary
    (tmp_path / "tree.toml").write_text(TREE)
    command = [sys.executable, "-X", "faulthandler", "-m", "windflower", "view", "tree.toml", "--size", "320x240"]
    window = subprocess.Popen(command, env=environment(display), cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    time.sleep(random.Random(seed).uniform(1.0, 6.0))
    window.send_signal(number)
    _, told = window.communicate(timeout=60)
    assert "Fatal" not in told
    if window.returncode != -number:  # it ended while Python itself was loading
        assert window.returncode == 128 + number, told
        assert "Traceback" not in told
