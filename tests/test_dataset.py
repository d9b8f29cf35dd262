"""Data sets: the same bytes whoever makes them, and none lost or made twice however often the making ends."""

import contextlib
import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import tarfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import windflower.batch.dataset as dataset
from windflower.batch import Recipe, Workers, make_dataset, parse_recipe, read_dataset
from windflower.batch.sample import members, sample_key
from windflower.errors import FileError, SceneError

SMALL = """
samples = 12
shard = 5
[scene]
seconds = 0.1
fps = 10
size = [32, 24]
quality = { level = "draft" }
ground = { kind = "none" }
wind = { speed = { uniform = [2, 14] } }
[[scene.stands]]
plant = { choose = ["palm", "hazel-bush"] }
detail = 0.05
motion = "cantilever"
"""


def small(**changes: Any) -> Recipe:
    return parse_recipe(SMALL).model_copy(update=changes)


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()}


def test_two_workers_make_what_one_process_makes_byte_for_byte(tmp_path: Path) -> None:
    links: list[str] = []
    make_dataset(small(), tmp_path / "one")
    make_dataset(small(), tmp_path / "two", workers=Workers(2, say=links.append))
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")
    assert len(links) == 1
    assert links[0].startswith("http://127.0.0.1:")
    read = list(read_dataset(tmp_path / "two"))
    assert [sample.number for sample in read] == list(range(12))
    assert {sample.frames("rgb").shape for sample in read} == {(1, 24, 32, 3)}
    assert len({sample.frames("rgb").tobytes() for sample in read}) == 12
    winds = [np.hypot(*np.array(sample.facts["frames"][0]["wind"])[0, [0, 2]]) for sample in read]
    speeds = [sample.facts["drawn"]["wind.speed"] for sample in read]
    assert np.corrcoef(winds, speeds)[0, 1] > 0.8


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Samples that cost nothing; gives the numbers of those that were made."""
    made: list[int] = []

    def make(_: Recipe, number: int) -> bytes:
        made.append(number)
        noise = np.random.default_rng(number).bytes(700 + number)
        return members({f"{sample_key(number)}.json": b"{}", f"{sample_key(number)}.0000.rgb.png": noise})

    monkeypatch.setattr(dataset, "make_sample", make)
    monkeypatch.setattr(dataset, "write_summary", lambda *_: None)
    return made


class StopError(Exception):
    """An end that comes from outside."""


def stopping_after(samples: int) -> Callable[[int, int], None]:
    """Ends a making after so many samples."""
    left = iter(range(samples + 1))

    def told(*_: int) -> None:
        if next(left, None) is None:
            raise StopError

    return told


def test_a_data_set_that_was_ended_goes_on_and_makes_no_sample_twice(tmp_path: Path, quick: list[int]) -> None:
    recipe = small(samples=23, shard=7)
    make_dataset(recipe, tmp_path / "whole")
    quick.clear()
    chance, ends = random.Random(1), 0
    while not (tmp_path / "ended" / "manifest.json").exists():
        with contextlib.suppress(StopError):
            ends += 1
            make_dataset(recipe, tmp_path / "ended", told=stopping_after(chance.randrange(6)))
    assert ends > 3
    assert sorted(quick) == list(range(23))
    assert files_of(tmp_path / "ended") == files_of(tmp_path / "whole")


@pytest.mark.parametrize("where", ["tar", "json", "drop"])
def test_an_end_between_the_files_of_a_shard_loses_nothing(
    where: str, tmp_path: Path, quick: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = small(samples=6, shard=3)
    make_dataset(recipe, tmp_path / "whole")
    quick.clear()
    replace = Path.replace

    def stop(path: Path, target: Path) -> Path:
        if where != "drop" and target.name.startswith("shard-") and target.suffix == f".{where}":
            raise StopError
        return replace(path, target)

    def keep(*_: Any) -> None:
        raise StopError

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", stop)
        if where == "drop":
            patch.setattr("windflower.batch.pieces.Pieces.drop", keep)
        with pytest.raises(StopError):
            make_dataset(recipe, tmp_path / "ended")
    make_dataset(recipe, tmp_path / "ended")
    assert sorted(quick) == list(range(6))
    assert files_of(tmp_path / "ended") == files_of(tmp_path / "whole")


def test_a_shard_is_a_tar_file_whose_hashes_the_manifest_has(tmp_path: Path, quick: list[int]) -> None:
    facts = json.loads(make_dataset(small(), tmp_path / "set").read_text())
    assert len(quick) == facts["samples"] == 12
    keys: list[str] = []
    for shard in facts["shards"]:
        content = (tmp_path / "set" / shard["file"]).read_bytes()
        assert (len(content), hashlib.sha256(content).hexdigest()) == (shard["bytes"], shard["sha256"])
        keys += shard["samples"]
        with tarfile.open(tmp_path / "set" / shard["file"]) as file:
            assert {member.mtime for member in file} == {0}
    assert keys == [sample_key(number) for number in range(12)]


def test_a_sample_that_fails_is_named_and_all_others_are_kept(
    tmp_path: Path, quick: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    make = dataset.make_sample

    def fail(recipe: Recipe, number: int) -> bytes:
        if number == 7:
            raise SceneError("sample 7: there is no room for its trees. Lower their number.")
        return make(recipe, number)

    with monkeypatch.context() as patch:
        patch.setattr(dataset, "make_sample", fail)
        with pytest.raises(SceneError, match=r"^sample 7: "):
            make_dataset(small(), tmp_path / "set")
    assert sorted(quick) == list(range(7))
    make_dataset(small(), tmp_path / "set")
    assert sorted(quick) == list(range(12))


def test_a_full_disk_is_told_and_what_was_done_is_kept(
    tmp_path: Path, quick: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    write, written = Path.write_bytes, []

    def full(path: Path, content: Any) -> int:
        written.append(path)
        if len(written) > 4:
            raise OSError(28, os.strerror(28))
        return write(path, content)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        with pytest.raises(FileError, match=r"No space left.*Free some space"):
            make_dataset(small(), tmp_path / "set")
    make_dataset(small(), tmp_path / "set")
    assert sorted(quick) == [0, 1, 2, 3, 4, 4, 5, 6, 7, 8, 9, 10, 11]


def test_a_folder_holds_the_samples_of_one_recipe(tmp_path: Path, quick: list[int]) -> None:
    make_dataset(small(), tmp_path / "set")
    with pytest.raises(FileError, match="those of another"):
        make_dataset(small(seed=2), tmp_path / "set")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("dear")
    with pytest.raises(FileError, match=r"holds letter\.txt"):
        make_dataset(small(), tmp_path / "other")
    assert len(quick) == 12


def test_a_whole_data_set_is_not_made_again(tmp_path: Path, quick: list[int]) -> None:
    make_dataset(small(), tmp_path / "set")
    before = files_of(tmp_path / "set")
    make_dataset(small(), tmp_path / "set")
    assert (files_of(tmp_path / "set"), len(quick)) == (before, 12)


def children_of(process: int) -> list[int]:
    """Processes that this one has started, and theirs."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout.split()
    parents = dict(zip(map(int, listed[::2]), map(int, listed[1::2]), strict=True))
    found = [child for child, parent in parents.items() if parent == process]
    return found + [deeper for child in found for deeper in children_of(child)]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_workers_and_the_whole_killed_at_random_times_leave_the_same_data_set(tmp_path: Path) -> None:
    (tmp_path / "recipe.toml").write_text(SMALL.replace("samples = 12", "samples = 60"))
    make_dataset(small(samples=60), tmp_path / "whole")
    words = [sys.executable, "-m", "windflower", "dataset", "recipe.toml", "-o", "killed", "--workers", "2"]
    chance, kills = random.Random(2), Counter[str]()
    while not (tmp_path / "killed" / "manifest.json").exists():
        with (tmp_path / "said.txt").open("w") as said:
            run = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=said)
        until = time.monotonic() + chance.uniform(8, 40)
        while run.poll() is None and time.monotonic() < until:
            time.sleep(chance.uniform(2, 6))
            victims = children_of(run.pid)
            if victims and chance.random() < 0.5:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(chance.choice(victims), signal.SIGKILL)
                    kills["worker"] += 1
        if run.poll() is None:
            family = [run.pid, *children_of(run.pid)]
            for process in family:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            kills["all"] += 1
        run.wait()
        if run.returncode > 0:  # every end that is not ours is told
            assert "What was done is kept" in (tmp_path / "said.txt").read_text()
        assert sum(kills.values()) < 100
    assert min(kills["worker"], kills["all"]) > 0
    assert files_of(tmp_path / "killed") == files_of(tmp_path / "whole")
