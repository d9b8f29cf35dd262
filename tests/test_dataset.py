"""Data sets: the same bytes whoever makes them, and none lost or made twice however often the making ends."""

import contextlib
import dataclasses
import errno
import hashlib
import json
import os
import random
import subprocess
import sys
import tarfile
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import windflower.batch.dataset as dataset
from tests.small_datasets import SMALL, files_of, small
from windflower import build_scene, render
from windflower.batch import Recipe, Workers, make_dataset, parse_recipe, read_dataset, read_recipe
from windflower.batch.pieces import held
from windflower.batch.sample import members, sample_key
from windflower.cli import main
from windflower.errors import FileError, SceneError


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


def test_an_interruption_says_that_the_same_command_goes_on(
    tmp_path: Path, quick: list[int], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make = vars(dataset)["make_sample"]

    def stop(recipe: Recipe, number: int) -> bytes:
        if number == 2:
            raise KeyboardInterrupt
        return bytes(make(recipe, number))

    (tmp_path / "recipe.toml").write_text(SMALL)
    monkeypatch.setattr(dataset, "make_sample", stop)
    words = ["dataset", str(tmp_path / "recipe.toml"), "-o", str(tmp_path / "set"), "--workers", "0"]
    monkeypatch.setattr(sys, "argv", ["windflower", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 130
    assert capsys.readouterr().err.endswith("interrupted: what was done is kept; the same command goes on.\n")
    assert quick == [0, 1]


def test_a_shard_is_a_tar_file_whose_hashes_the_manifest_has(tmp_path: Path, quick: list[int]) -> None:
    facts = json.loads(make_dataset(small(), tmp_path / "set").read_text())
    assert len(quick) == facts["samples"] == 12
    keys: list[str] = []
    for shard in facts["shards"]:
        content = (tmp_path / "set" / shard["file"]).read_bytes()
        assert (len(content), hashlib.sha256(content).hexdigest()) == (shard["bytes"], shard["sha256"])
        listed = json.loads((tmp_path / "set" / shard["file"]).with_suffix(".json").read_text())["samples"]
        assert len(listed) == shard["samples"]
        keys += listed
        with tarfile.open(tmp_path / "set" / shard["file"]) as file:
            assert {member.mtime for member in file} == {0}
    assert keys == [sample_key(number) for number in range(12)]


def test_a_sample_that_fails_is_named_and_all_others_are_kept(
    tmp_path: Path, quick: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    make = vars(dataset)["make_sample"]

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


@pytest.mark.parametrize(("name", "there"), [("set", False), ("set", True), ("a/b/set", False)])
def test_an_end_before_the_first_sample_leaves_nothing(
    name: str, there: bool, tmp_path: Path, quick: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    if there:
        (tmp_path / name).mkdir()

    def fail(*_: Any) -> bytes:
        raise SceneError("sample 0: there is no room for its trees. Lower their number.")

    monkeypatch.setattr(dataset, "make_sample", fail)
    with pytest.raises(SceneError):
        make_dataset(small(), tmp_path / name)
    assert not quick
    assert list(tmp_path.rglob("*")) == ([tmp_path / name] if there else [])


@pytest.mark.skipif(sys.platform != "linux", reason="a folder that is no place for files, whoever asks")
def test_a_folder_that_cannot_be_made_gets_a_sentence() -> None:
    with pytest.raises(FileError, match=r"^/proc/set could not be written: .*\. Write elsewhere\.$"):
        make_dataset(small(), "/proc/set")


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


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is swept there")
def test_what_a_killed_process_left_of_the_recipe_is_in_nobodys_way(tmp_path: Path, quick: list[int]) -> None:
    write = "from pathlib import Path; from windflower.core.temporary import temporary_beside as beside; import os\n"
    kill = "with beside(Path('set/recipe.json')) as file: file.write_text('{'); os.kill(os.getpid(), 9)"
    (tmp_path / "set").mkdir()
    subprocess.run([sys.executable, "-c", write + kill], cwd=tmp_path)
    assert len(list((tmp_path / "set").iterdir())) == 1
    make_dataset(small(), tmp_path / "set")
    assert len(quick) == 12


def test_a_whole_data_set_is_not_made_again(tmp_path: Path, quick: list[int]) -> None:
    make_dataset(small(), tmp_path / "set")
    before = files_of(tmp_path / "set")
    make_dataset(small(), tmp_path / "set")
    assert (files_of(tmp_path / "set"), len(quick)) == (before, 12)


def test_a_whole_data_set_starts_no_workers(tmp_path: Path, quick: list[int]) -> None:
    make_dataset(small(), tmp_path / "set")
    make_dataset(small(), tmp_path / "set", workers=Workers(scheduler="tcp://127.0.0.1:9"))
    assert len(quick) == 12


@pytest.mark.parametrize("damage", [b"", b"[]", b'{"bytes": 3}', b"\xff"])
def test_a_shard_that_others_have_changed_is_made_again(damage: bytes, tmp_path: Path, quick: list[int]) -> None:
    make_dataset(small(), tmp_path / "set")
    before = files_of(tmp_path / "set")
    (tmp_path / "set" / "shard-00001.json").write_bytes(damage)
    make_dataset(small(), tmp_path / "set")
    assert files_of(tmp_path / "set") == before
    assert quick[12:] == [5, 6, 7, 8, 9]


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is held there")
@pytest.mark.parametrize("locks", [True, False])
def test_one_process_writes_where_the_disk_has_locks(
    locks: bool, tmp_path: Path, quick: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object) -> None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))

    if not locks:  # as some disks in a network
        monkeypatch.setattr("fcntl.flock", none)
    (tmp_path / "set").mkdir()
    with held(tmp_path / "set"), pytest.raises(FileError, match="another one writes") if locks else nullcontext():
        make_dataset(small(), tmp_path / "set")
    assert len(quick) == (0 if locks else 12)


def test_files_that_a_recipe_names_are_part_of_it(tmp_path: Path, quick: list[int]) -> None:
    wind = "[scene.wind]\nfile = 'mast.csv'\nrepeat = true\n"
    text = SMALL.replace("wind = { speed = { uniform = [2, 14] } }\n", "").replace("[[", wind + "[[")
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "recipe.toml").write_text(text)
        (tmp_path / name / "mast.csv").write_text("time,u\n0,1\n1,2\n")
        make_dataset(read_recipe(tmp_path / name / "recipe.toml"), tmp_path / name / "set")
    assert files_of(tmp_path / "here" / "set") == files_of(tmp_path / "there" / "set")
    recipe = read_recipe(tmp_path / "here" / "recipe.toml")
    assert recipe.portable(recipe.draws(0)[0]).wind.file == "mast.csv"  # and not where it lies on this machine
    (tmp_path / "here" / "mast.csv").write_text("time,u\n0,1\n1,3\n")
    with pytest.raises(FileError, match="one content of named files"):
        make_dataset(recipe, tmp_path / "here" / "set")
    assert len(quick) == 24


def test_another_version_makes_another_data_set(
    tmp_path: Path, quick: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    make_dataset(small(), tmp_path / "set")
    monkeypatch.setattr(dataset, "own_version", lambda: "99.0")
    with pytest.raises(FileError, match="one version of Windflower"):
        make_dataset(small(), tmp_path / "set")
    assert len(quick) == 12


def test_single_samples_and_shards_are_read_and_damage_is_told(tmp_path: Path, quick: list[int]) -> None:
    place = tmp_path / "set"
    make_dataset(small(), place)
    assert len(quick) == 12
    assert [sample.number for sample in read_dataset(place, samples=[11, 3])] == [3, 11]
    assert [sample.number for sample in read_dataset(place, shards=[1])] == [5, 6, 7, 8, 9]
    with pytest.raises(FileError, match="shards 0 to 2; 3 is not one of them"):
        list(read_dataset(place, shards=[3]))
    with pytest.raises(FileError, match="'depth' is not one of them"):
        next(read_dataset(place)).frames("depth")
    (place / "shard-00000.tar").write_bytes(b"no tar file" * 100)
    with pytest.raises(FileError, match="it is damaged"):
        list(read_dataset(place))
    (place / "manifest.json").write_text("{}")
    with pytest.raises(FileError, match=r"manifest of a data set, and is not"):
        list(read_dataset(place))


@pytest.mark.parametrize("damage", ["header", "zeros", "sizes"])
def test_damage_that_tar_takes_for_an_end_loses_no_samples_silently(
    damage: str, tmp_path: Path, quick: list[int]
) -> None:
    make_dataset(small(), tmp_path / "set")
    assert len(quick) == 12
    path = tmp_path / "set" / "shard-00001.tar"
    content = bytearray(path.read_bytes())
    with tarfile.open(path) as file:
        third = file.getmembers()[4]
    if damage == "header":
        content[third.offset] ^= 1
    elif damage == "sizes":
        del content[third.offset :]
    else:
        content = bytearray(len(content))
    path.write_bytes(content)
    with pytest.raises(FileError, match=r"damaged \(nothing can be read (after a file of 00000006|in it)\)\. Copy it"):
        list(read_dataset(tmp_path / "set"))


def test_a_damaged_layer_is_told_with_its_sample(tmp_path: Path, quick: list[int]) -> None:
    make_dataset(small(), tmp_path / "set")
    assert len(quick) == 12
    sample = next(read_dataset(tmp_path / "set", samples=[3]))
    with pytest.raises(FileError, match=r"^sample 3: 0000\.rgb\.png is not a picture .* Copy its shard again\.$"):
        sample.frames("rgb")
    broken = dataclasses.replace(sample, files={"0000.depth.npz": b"PK"})
    with pytest.raises(FileError, match=r"^sample 3: 0000\.depth\.npz is not an archive"):
        broken.frame("depth", 0)


FULL = """
import sys
from windflower.batch import dataset, make_dataset
from windflower.batch.sample import members, sample_key
from windflower.errors import FileError
from tests.small_datasets import small

dataset.make_sample = lambda _, n: members({f"{sample_key(n)}.json": b"{}", f"{sample_key(n)}.bin": bytes(60_000)})
dataset.write_summary = lambda *_: None
try:
    make_dataset(small(samples=30, shard=int(sys.argv[2])), sys.argv[1])
except FileError as error:
    print(error)
"""


@pytest.mark.slow
@pytest.mark.parametrize("shard", [4, 12])
def test_a_disk_that_is_really_full_loses_nothing(shard: int, tmp_path: Path) -> None:
    """1 MB of disk for 1.8 MB; with large shards, it is a shard that finds no room beside its pieces."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = f"mount -t tmpfs -o size=1m tmpfs {disk}"
    if sys.platform != "linux" or subprocess.run(["unshare", "-rm", "sh", "-c", mount], capture_output=True).returncode:
        pytest.skip("this system lets nobody mount a small disk")
    run = f"{sys.executable} -c '{FULL}' {disk}/set {shard}"
    larger = f"mount -o remount,size=9m {disk} && ls {disk}/set {disk}/set/.pieces"
    words = f"{mount} && {run} && {larger} && {run} && cp -r {disk}/set {tmp_path}"
    found = subprocess.run(["unshare", "-rm", "sh", "-c", words], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    said, *listed = found.stdout.splitlines()
    assert "No space left on device. Free some space" in said
    assert len([name for name in listed if len(name) == 9 or name.endswith(".tar")]) >= (4 if shard == 4 else 12)
    facts = json.loads((tmp_path / "set" / "manifest.json").read_text())
    assert facts["samples"] == 30
    assert not list((tmp_path / "set").glob(".*"))


def test_passes_of_a_sample_are_what_the_scene_gives(tmp_path: Path) -> None:
    recipe = small(samples=1, passes=("rgb", "depth", "flow", "instance"))
    make_dataset(recipe, tmp_path / "set")
    (sample,) = read_dataset(tmp_path / "set")
    (data,) = render(build_scene(recipe.draws(0)[0]), passes=recipe.passes)
    assert set(sample.facts["layers"]) == set(data)
    for name in data:
        found = sample.frames(name)
        assert found.dtype == data[name].dtype
        np.testing.assert_array_equal(found, data[name][None])
    ids = set(np.unique(sample.frames("instance")).tolist())
    assert ids - {0} == {plant["id"] for plant in sample.facts["plants"]}
    assert (tmp_path / "set" / "passes.png").is_file()
    with pytest.raises(SceneError, match=r"a data pass is one of .*'dept' is not one of them"):
        parse_recipe("passes = ['dept']\n" + SMALL)
