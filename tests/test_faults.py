"""Faults of the machine: a full or read-only disk, little memory, a lost device, two processes at once.

Without a display: `tests/test_viewer_display.py`. Killed at any moment: `tests/test_killed.py`.
"""

from pathlib import Path

import pytest

from tests.fuzz.confined import can_mount, command, confined
from windflower import Film, build_scene, parse_scene, read, read_modes
from windflower.core.device import Gpu, open_gpu
from windflower.errors import GpuError

WRITING = {
    "grow": ("grow", "hazel-bush", "--detail", "0.3", "-o", "x.npz"),
    "export": ("export", "hazel-bush", "--detail", "0.3", "-o", "x.csv"),
    "show": ("show", "violet", "-o", "x.png"),
    "modes": ("modes", "violet", "-o", "x.png"),
    "sway": ("sway", "violet", "--seconds", "1", "-o", "x.svg"),
    "wind": ("wind", "breeze", "--seconds", "2", "-o", "x.png"),
    "render a picture": ("render", "violet", "--size", "320x180", "--quality", "draft", "-o", "x.png"),
    "render a clip": ("render", "violet", "--size", "320x180", "--quality", "draft", "--seconds", "0.5", "-o", "x.mp4"),
    "loop": ("loop", "palm", "--size", "320x180", "--quality", "draft", "--seconds", "0.5", "-o", "x.mp4"),
}
QUICK = ("export",)
SWEEP = [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in WRITING]

mounts = pytest.mark.skipif(not can_mount(), reason="no file system can be mounted here (unshare --mount)")


@mounts
@pytest.mark.parametrize("name", SWEEP)
def test_on_a_full_disk_a_command_says_so_and_what_was_there_stays(name: str, tmp_path: Path) -> None:
    done = confined("disk", tmp_path, 8, *WRITING[name])
    assert done.sentence, done
    assert done.kept, done.files
    assert len(done.files) == 1, done.files


@mounts
@pytest.mark.parametrize("name", SWEEP)
def test_in_a_read_only_folder_a_command_says_so(name: str, tmp_path: Path) -> None:
    done = confined("read-only", tmp_path, 8, *WRITING[name])
    assert done.sentence, done
    assert done.kept, done.files


@pytest.mark.parametrize("megabytes", [100, *(pytest.param(m, marks=pytest.mark.slow) for m in (5, 20, 80, 120, 400))])
def test_with_little_memory_a_command_says_so(megabytes: int, tmp_path: Path) -> None:
    done = confined("memory", tmp_path, megabytes, "info", "oak", "--detail", "60")
    assert done.sentence or (done.status == 0 and megabytes > 100), done


def test_a_lost_device_ends_in_a_sentence(gpu: Gpu) -> None:
    del gpu  # there is one; this test loses another
    own = open_gpu.__wrapped__()
    film = Film(build_scene(parse_scene('size = [64, 36]\n[[stands]]\nplant = "violet"\ndetail = 0.1')), gpu=own)
    film.frame(0.0)
    own.device.destroy()
    with pytest.raises(GpuError, match="the graphics device was lost"):
        film.frame(0.1)


@pytest.mark.slow
def test_two_processes_write_the_same_file_and_the_same_cache(tmp_path: Path) -> None:
    lines = (
        ("grow", "hazel-bush", "--detail", "0.2", "-o", "x.npz", "--force"),
        ("modes", "hazel-bush", "--detail", "0.2"),
    )
    every = [command(tmp_path, *line) for line in lines for _ in range(2)]
    assert [(*process.communicate(), process.returncode)[2] for process in every] == [0, 0, 0, 0]
    assert read(tmp_path / "x.npz").nodes > 10
    (kept,) = (tmp_path / "cache").iterdir()
    assert len(read_modes(kept).frequency) == 25
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cache", "x.npz"]
