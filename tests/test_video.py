"""The encoder: every suffix can be played, and what ffmpeg did not finish never gets a clip's name."""

import re
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from windflower.errors import FileError
from windflower.render import video
from windflower.render.output import check_output_path, open_sink

ffmpeg = pytest.importorskip("imageio_ffmpeg")
SIZE, FPS = (32, 16), 24.0
FRAME = np.random.default_rng(1).integers(0, 255, (16, 32, 3), np.uint8)
posix = pytest.mark.skipif(sys.platform == "win32", reason="a stand-in for ffmpeg is a script")


def played(path: Path) -> tuple[str, int, str]:
    """Codec, number of frames and complaints, as ffmpeg reads a clip."""
    done = subprocess.run(
        [ffmpeg.get_ffmpeg_exe(), "-i", str(path), "-f", "null", "-"], capture_output=True, text=True, check=True
    )
    quiet = subprocess.run(
        [ffmpeg.get_ffmpeg_exe(), "-v", "error", "-i", str(path), "-f", "null", "-"], capture_output=True, text=True
    )
    codec = re.findall(r"Video: (\w+)", done.stderr)[0]
    return codec, int(re.findall(r"frame= *(\d+)", done.stderr)[-1]), quiet.stderr


def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Let a shell script take the encoder's place; it still says which encoders there are."""
    program = tmp_path / "ffmpeg"
    program.write_text(f'#!/bin/sh\ncase "$*" in *-encoders*) echo libx264; exit 0;; esac\n{script}\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(video, "_ffmpeg", lambda: str(program))


@pytest.mark.parametrize(
    ("name", "codec"), [("a.mp4", "h264"), ("a.MOV", "h264"), ("a.mkv", "h264"), ("a.webm", "vp9")]
)
def test_every_kind_of_video_can_be_played(tmp_path: Path, name: str, codec: str) -> None:
    with open_sink(tmp_path / name, SIZE, FPS) as sink:
        for _ in range(5):
            sink.write(FRAME)
    assert played(tmp_path / name) == (codec, 5, "")
    assert [path.name for path in tmp_path.iterdir()] == [name]


@posix
@pytest.mark.parametrize("script", ["cat >/dev/null; echo It is full. >&2; exit 1", "echo It is full. >&2; exit 1"])
def test_a_failed_encoder_keeps_the_older_clip_and_its_words_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    stand_in(tmp_path, monkeypatch, script)
    target = tmp_path / "out" / "clip.mp4"
    target.parent.mkdir()
    target.write_bytes(b"older")

    def draw(sink: Any) -> None:
        for _ in range(200):  # more than a pipe holds
            sink.write(np.zeros((16, 32, 3), np.uint8))

    with pytest.raises(FileError, match=r"It is full\. The older one is kept\."), open_sink(target, SIZE, FPS) as sink:
        draw(sink)
    assert target.read_bytes() == b"older"
    assert [path.name for path in target.parent.iterdir()] == ["clip.mp4"]


@posix
def test_a_full_disk_keeps_the_older_clip(tmp_path: Path) -> None:
    (tmp_path / "clip.mp4").write_bytes(b"older")
    script = (
        "import resource, sys, numpy as np\n"
        "from pathlib import Path\n"
        "from windflower.render.output import open_sink\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\n"
        "noise = np.random.default_rng(1)\n"
        "with open_sink(Path(sys.argv[1]), (128, 128), 24.0) as sink:\n"
        "    for _ in range(60):\n"
        "        sink.write(noise.integers(0, 255, (128, 128, 3), np.uint8))\n"
    )
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path / "clip.mp4")], capture_output=True, text=True)
    assert done.returncode == 1
    assert "FileError" in done.stderr.splitlines()[-1]
    assert "The older one is kept." in done.stderr.splitlines()[-1]
    assert (tmp_path / "clip.mp4").read_bytes() == b"older"
    assert [path.name for path in tmp_path.iterdir()] == ["clip.mp4"]


def interrupted(sink: Any, frames: int) -> None:
    for _ in range(frames):
        sink.write(FRAME)
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("name", "older", "frames", "said"),
    [
        ("clip.mp4", False, 12, "clip.mp4 holds the first 0.5 s of 6.0 s"),
        ("clip.webm", False, 12, "clip.webm holds the first 0.5 s of 6.0 s"),
        ("frames", False, 12, "frames holds the first 0.5 s of 6.0 s"),
        ("clip.mp4", True, 12, "the older .*clip.mp4 is as it was"),
        ("clip.mp4", False, 0, "clip.mp4 was not written"),
        ("frames", False, 0, "frames was not written"),
    ],
)
def test_an_interrupted_clip_says_what_there_is(tmp_path: Path, name: str, older: bool, frames: int, said: str) -> None:
    target = tmp_path / name
    if older:
        target.write_bytes(b"older")
    with pytest.raises(KeyboardInterrupt, match=said), open_sink(target, SIZE, FPS, frames=144) as sink:
        interrupted(sink, frames)
    assert [path.name for path in tmp_path.iterdir()] == ([name] if older or frames else [])
    if older:
        assert target.read_bytes() == b"older"
    elif target.is_dir():
        assert len(list(target.iterdir())) == frames
    elif frames:
        assert played(target)[1:] == (frames, "")


def test_a_clip_whose_encoder_was_killed_is_not_kept(tmp_path: Path) -> None:
    def killed(sink: Any) -> None:
        sink.write(FRAME)
        sink.sink._process.kill()
        raise KeyboardInterrupt

    said = "clip.mp4 was not written"
    with pytest.raises(KeyboardInterrupt, match=said), open_sink(tmp_path / "clip.mp4", SIZE, FPS) as sink:
        killed(sink)
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="Windows has no timer that signals")
def test_a_frame_that_was_being_handed_over_is_finished_and_not_torn(tmp_path: Path) -> None:
    """The timer fires while a frame is far larger than the pipe, so that it comes in the midst of one."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    def draw(sink: Any) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0.03)
        while True:
            sink.write(np.zeros((1600, 1600, 3), np.uint8))

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with (
            pytest.raises(KeyboardInterrupt, match="holds the first"),
            open_sink(tmp_path / "clip.mp4", (1600, 1600), FPS) as sink,
        ):
            draw(sink)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    codec, frames, complaints = played(tmp_path / "clip.mp4")
    assert (codec, complaints) == ("h264", "")
    assert frames >= 1


@posix
def test_a_missing_codec_and_odd_sizes_are_told_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, monkeypatch, "exit 1")
    with pytest.raises(FileError, match=r"a \.webm needs ffmpeg's encoder libvpx-vp9"):
        check_output_path(tmp_path / "clip.webm")
    with pytest.raises(FileError, match="width and height are even; they are 33x20"):
        check_output_path(tmp_path / "clip.mp4", (33, 20))
    with pytest.raises(FileError, match="at most 16383 pixels"):
        check_output_path(tmp_path / "picture.webp", (16384, 64))
