"""Killed at any moment, no command leaves a broken file under a final name.

Each command runs once in peace, which gives the files that it makes and the time that it takes. Then it is killed again
and again: every second time at any moment of its run, else shortly after a hidden file has appeared. What bears a final
name afterwards is the older file, or whole: byte by byte the one made in peace, or one that is decoded to its end.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
import typer.main

from windflower.cli.commands import app

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
SMALL = """
seconds = 0.5
fps = 16
size = [64, 48]
[[stands]]
plant = "palm"
detail = 0.1
motion = "cantilever"
"""
RENDER = "render small.toml --quality draft -o"
CLIP = """
import time
import numpy as np
from pathlib import Path
from windflower.render.output import open_sink
from windflower.cli.signals import ending_in_order
noise = np.random.default_rng(1)
with ending_in_order(), open_sink(Path("out.mp4"), (64, 64), 24.0) as sink:
    for _ in range(48):
        sink.write(noise.integers(0, 255, (64, 64, 3), np.uint8))
        time.sleep(0.01)  # as if it were drawn
"""
"""The writer of clips by itself, as a command runs it but without a device."""
BENCH = """
import sys
from dataclasses import replace
from windflower.bench import BENCHMARKS
from windflower.cli import main
modes = replace(BENCHMARKS["modes"], quick={"nodes": 200, "sizes": (200,), "repeats": 1})
BENCHMARKS.clear()
BENCHMARKS["modes"] = modes
sys.argv = ["windflower", "bench", "-o", "out"]
main()
"""
"""A run of all benchmarks, of which there is one small one."""
VALIDATE = """
import sys
from windflower.cli import main
from windflower.validate import species
species.specimens.__defaults__ = (("hazel-bush",),)
sys.argv = ["windflower", "validate", "species", "--quick", "-o", "out.webp"]
main()
"""
"""Species measured, of which there is one."""
VIEW = """
import time
import numpy as np
from pathlib import Path
from windflower.cli.signals import ending_in_order
from windflower.scene import read_scene, save_scene
from windflower.viewer.recorder import Recorder
noise, recorder = np.random.default_rng(1), Recorder(Path(), 24.0)
frame = lambda: noise.integers(0, 255, (480, 640, 3), np.uint8)
with ending_in_order():
    recorder.toggle()
    for _ in range(12):
        recorder.record(frame())
        time.sleep(0.01)  # as if it were drawn
    recorder.stop()
    recorder.save(frame())
    save_scene(read_scene("small.toml"), "saved.toml")
"""
"""What a window saves by its keys, without the window."""
DATASET = """
import sys
from pathlib import Path
from windflower.cli import main
scene = Path("small.toml").read_text().replace("[[stands]]", "[[scene.stands]]").replace("0.5", "0.1")
Path("cache").mkdir(exist_ok=True)
Path("cache/recipe.toml").write_text("samples = 5\\nshard = 2\\n[scene]\\n" + scene)
sys.argv = ["windflower", "dataset", "cache/recipe.toml", "-o", "out", "--workers", "0"]
main()
"""
"""A small data set."""
COMMANDS = {
    "grow": "grow palm --detail 0.3 -o out.npz --force",
    "export": "export palm --detail 0.3 -o out.csv --force",
    "glb": "export palm --detail 0.1 --seconds 1 --joints 8 -o out.glb --force",
    "obj": "export palm --detail 0.3 -o out.obj --force",
    "usdz": "export palm --detail 0.1 -o out.usdz --seconds 0.5 --fps 4 --joints 4 --force",
    "vat": "export palm --detail 0.1 -o out.exr --seconds 0.5 --fps 4 --force",
    "blender": "export palm --detail 0.1 -o out.py --seconds 0.5 --fps 4 --shapes 2 --force",
    "show": "show palm --detail 0.1 --no-leaves -o out.png",
    "species-sheet": "species-sheet -o out.png",
    "modes": "modes palm --detail 0.1 --count 2 -o out.svg",
    "sway": "sway palm --detail 0.1 --count 2 --seconds 1 -o out.pdf --csv out.csv --force",
    "validate": VALIDATE,
    "fit": "fit palm --detail 0.1 --frequencies 0.5 -o out.toml --plot out.png --force",
    "risk": "risk hazel-bush --detail 0.1 --directions 2 -o out.svg",
    "wind": "wind breeze --seconds 5 -o out.webp",
    "species": "species palm -o out.toml --force",
    "woods": "woods oak -o out.toml --force",
    "scenes": "scenes birch-grove -o out.toml --force",
    "picture": f"{RENDER} out.jpg",
    "mp4": f"{RENDER} out.mp4",
    "webm": f"{RENDER} out.webm",
    "frames": f"{RENDER} out",
    "passes": f"{RENDER} out --passes depth,flow,instance --passes-as npy",
    "loop": "loop palm --detail 0.1 --count 2 --seconds 1 --fps 8 --size 64x48 --quality draft -o out.mov"
    " --spectrum s.png",
    "demo": "demo --full --trees 2 --seconds 0.5 --size 64x36 --quality draft --no-window -o out",
    "gallery": "gallery --only diener-4 -o out",
    "bench": BENCH,
    "dataset": DATASET,
    "sweep": "sweep hazel-bush --winds 4 --seconds 1 --vary detail=0.05 --no-risk --workers 0 -o out.csv --force",
    "view": VIEW,
    "web": "web hazel-bush --detail 0.05 --film 0 --single out.html --force",
}
NO_OLDER = ("dataset", "frames", "passes", "view")  # they write beside what is there
OLDER = b"an older file"


@dataclass
class Peace:
    """What a command makes when nobody disturbs it: its files, and the time it takes, s."""

    files: dict[str, bytes]
    seconds: float


def start(folder: Path, line: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "WINDFLOWER_CACHE": str(folder / "cache"), "LP_NUM_THREADS": "1"}
    words = ["-c", line] if "\n" in line else ["-m", "windflower", *line.split()]
    return subprocess.Popen(
        [sys.executable, *words], cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def files_of(folder: Path) -> dict[str, bytes]:
    """All files with a final name, by their path."""
    found = {path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()}
    return {
        name.as_posix(): path.read_bytes()
        for name, path in found.items()
        if not any(part.startswith(".") for part in name.parts) and name.name != "small.toml"
    }


def hidden(folder: Path) -> Iterator[Path]:
    return folder.rglob(".windflower-*")


def peaceful(folder: Path, line: str) -> Peace:
    folder.mkdir()
    (folder / "small.toml").write_text(SMALL)
    begin = time.perf_counter()
    assert start(folder, line).wait() == 0
    assert not list(hidden(folder))
    return Peace(files_of(folder), time.perf_counter() - begin)


def kill_at_random(folder: Path, line: str, seconds: float, moment: random.Random) -> int:
    """Start a command and kill it; returns its exit status."""
    process = start(folder, line)
    end = time.perf_counter() + (moment.uniform(0, 1.05) if moment.random() < 0.5 else 2) * seconds
    late = moment.choice([0, 0.002, 0.02, 0.1, 0.3])
    watches = end > time.perf_counter() + 1.5 * seconds
    while process.poll() is None and time.perf_counter() < end:
        if watches and next(hidden(folder), None):
            end, watches = time.perf_counter() + late, False
        time.sleep(0.0005 if watches else 0.002)
    process.kill()
    return process.wait()


def is_whole(name: str, content: bytes, peace: Peace, folder: Path) -> bool:
    if content == peace.files.get(name):
        return True
    path, suffix = folder / name, Path(name).suffix
    if suffix in (".mp4", ".mov", ".webm"):
        return frames_in(path) == frames_in_peace(peace, name, folder)
    if suffix in (".png", ".jpg", ".webp"):
        from PIL import Image

        with Image.open(path) as picture:
            return np.asarray(picture).size > 0
    if suffix == ".npz":
        with np.load(path) as archive:
            return all(archive[key].size >= 0 for key in archive.files)
    if suffix == ".json":
        return bool(json.loads(content)["tables"])
    ends = {".svg": b"</svg>", ".pdf": b"%%EOF", ".md": b"\n", ".csv": b"\n"}
    return content.rstrip(b"\n").endswith(ends[suffix].strip(b"\n")) and len(content) > 0.9 * len(peace.files[name])


def frames_in(path: Path) -> tuple[int, str]:
    """How many frames ffmpeg decodes, and what it complains of."""
    import imageio_ffmpeg

    words = [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-i", str(path), "-f", "rawvideo", "-s", "16x16", "-"]
    done = subprocess.run(words, capture_output=True)
    return len(done.stdout), done.stderr.decode()


def frames_in_peace(peace: Peace, name: str, folder: Path) -> tuple[int, str]:
    copy = folder / f"peace{Path(name).suffix}"
    copy.write_bytes(peace.files[name])
    found = frames_in(copy)
    copy.unlink()
    return found


def killed_again_and_again(tmp_path: Path, command: str, times: int) -> int:
    """Kill a command so many times; returns how many had not ended before."""
    line, moment = COMMANDS.get(command, CLIP), random.Random(f"{command} 1")
    peace = peaceful(tmp_path / "peace", line)
    killed, swept = 0, False
    for number in range(times):
        folder = tmp_path / f"{number}"
        folder.mkdir()
        (folder / "small.toml").write_text(SMALL)
        older = {name for name in peace.files if number % 2 and not name.startswith("cache")}
        for name in older if command not in NO_OLDER else ():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(OLDER)
        killed += kill_at_random(folder, line, peace.seconds, moment) == -signal.SIGKILL
        for name, content in files_of(folder).items():
            kept = name in older and content == OLDER
            assert kept or is_whole(name, content, peace, folder), f"{command} left a broken {name}"
        if command == "frames":
            some, all_of_them = (
                sum(not name.startswith("cache") for name in of) for of in (files_of(folder), peace.files)
            )
            assert some in (0, all_of_them), "clips come whole; textures are kept one by one"
        if any(hidden(folder)) and not swept:
            again(folder, line, peace)
            swept = True
    return killed


def again(folder: Path, line: str, peace: Peace) -> None:
    """The next run in the same folder finds nothing in its way, and sweeps what the killed one has left."""
    assert start(folder, line).wait() == 0
    assert not list(hidden(folder))
    assert files_of(folder).keys() >= peace.files.keys()


def test_a_killed_writer_leaves_no_broken_clip(tmp_path: Path) -> None:
    assert killed_again_and_again(tmp_path, "clip", 6) > 0


@pytest.mark.parametrize("number", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_writer_that_is_told_to_end_leaves_nothing_hidden(tmp_path: Path, number: str) -> None:
    """Only Ctrl-C keeps what was drawn, as a clip that can be played."""
    process = start(tmp_path, CLIP)
    while process.poll() is None and not next(hidden(tmp_path), None):
        time.sleep(0.001)
    time.sleep(0.05)  # some frames
    process.send_signal(getattr(signal, number))
    assert process.wait() != 0
    assert not list(hidden(tmp_path))
    if number == "SIGINT" and files_of(tmp_path):
        frames, complaints = frames_in(tmp_path / "out.mp4")
        assert frames > 0
        assert not complaints
    else:
        assert not files_of(tmp_path)


def test_every_command_with_an_output_is_among_those_that_are_killed() -> None:
    every = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    writing = {name for name, command in every.items() if any(param.name == "out" for param in command.params)}
    assert writing <= {name if "\n" in line else line.split()[0] for name, line in COMMANDS.items()}


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_no_moment_of_any_command_leaves_a_broken_file(tmp_path: Path, gpu: object, command: str) -> None:
    """Two hundred times in all."""
    assert killed_again_and_again(tmp_path, command, -(-200 // len(COMMANDS))) > 0
    assert gpu
