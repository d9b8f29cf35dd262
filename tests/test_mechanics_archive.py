"""Modes on disk: saved by hand, and kept in the cache."""

import os
import pickle
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from tests.plants import fork
from windflower import Plant, grow
from windflower.errors import FileError
from windflower.mechanics import Modes, Rayleigh, Wood, analyse, analysis, read_modes

WOOD = Wood(E=1e10, density=800.0, damping=Rayleigh(alpha=0.1, beta=0.003), name="mine")


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("WINDFLOWER_CACHE", str(folder))
    return folder


def assert_same(one: Modes, other: Modes) -> None:
    """Bit by bit."""
    for field in fields(Modes):
        left, right = getattr(one, field.name), getattr(other, field.name)
        if isinstance(left, np.ndarray):
            assert left.tobytes() == right.tobytes(), field.name
            assert left.shape == right.shape
    assert one.static_frequency == other.static_frequency
    assert one.wood == other.wood
    assert one.plant.position.tobytes() == other.plant.position.tobytes()
    assert len(one.plant.leaves) == len(other.plant.leaves)


def forbidden(*_: object) -> Modes:
    raise AssertionError("computed again")


def test_saved_modes_read_back_bit_by_bit(tmp_path: Path) -> None:
    modes = analyse(grow("silver-birch", seed=1, detail=0.05), wood=WOOD, cells=3, roots=1e6, cache=False)
    modes.save(tmp_path / "birch.npz")
    again = read_modes(tmp_path / "birch.npz")
    assert_same(modes, again)
    assert (again.plant.species, again.plant.seed) == ("silver-birch", 1)
    assert again.conditions.roots == 1e6
    assert again.compliance(3).tobytes() == modes.compliance(3).tobytes()
    again.save(tmp_path / "twice.npz")
    assert (tmp_path / "twice.npz").read_bytes() == (tmp_path / "birch.npz").read_bytes()


def test_what_is_no_archive_of_modes_is_refused(tmp_path: Path) -> None:
    plant = fork()
    plant.save(tmp_path / "plant.npz")
    with pytest.raises(FileError, match="plant and not a modes"):
        read_modes(tmp_path / "plant.npz")
    with pytest.raises(FileError, match="does not"):
        read_modes(tmp_path / "nothing.npz")


@pytest.mark.parametrize("part", ["shape", "plant_parent", "cell"])
def test_an_archive_with_a_wrong_part_is_refused(tmp_path: Path, part: str) -> None:
    path = tmp_path / "modes.npz"
    analyse(fork(), wood=WOOD, count=3, cache=False).save(path)
    with np.load(path) as archive:
        arrays = dict(archive)
    for wrong in (arrays[part][:-1], None):
        changed = {name: array for name, array in (arrays | {part: wrong}).items() if array is not None}
        np.savez(path, **changed)
        with pytest.raises(FileError, match="Save them again"):
            read_modes(path)


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("shape", np.nan),
        ("frequency", np.nan),
        ("frequency", -1.0),
        ("static", np.inf),
        ("cell", 99),
        ("damping", np.nan),
    ],
)
def test_kept_modes_that_are_no_modes_are_found_anew(cache: Path, part: str, value: float) -> None:
    good = analyse(fork(), wood=WOOD, count=3)
    (path,) = cache.iterdir()
    with np.load(path) as archive:
        arrays = dict(archive)
    arrays[part] = arrays[part].copy()
    arrays[part].flat[0] = value
    np.savez(path, **arrays)
    with pytest.raises(FileError, match="Save them again"):
        read_modes(path)
    assert_same(analyse(fork(), wood=WOOD, count=3), good)
    assert_same(read_modes(path), good)


def test_modes_are_found_once_and_then_read(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant = fork()
    first = analyse(plant, wood=WOOD, count=3)
    assert len(list(cache.iterdir())) == 1
    monkeypatch.setattr(analysis, "_analysed", forbidden)
    second = analyse(plant, wood=WOOD, count=3)
    assert_same(first, second)
    assert second.plant is plant


def test_each_plant_and_each_setting_has_its_own_entry(cache: Path) -> None:
    plant = fork()
    other = Plant(parent=plant.parent, position=plant.position * 1.0000001, radius=plant.radius)
    analyse(plant, wood=WOOD, count=3)
    analyse(other, wood=WOOD, count=3)
    analyse(plant, wood=Wood(E=1e10, density=801.0), count=3)
    analyse(plant, wood=WOOD, count=4)
    analyse(plant, wood=WOOD, count=3, gravity=False)
    analyse(plant, wood=WOOD, count=3, cells=2)
    analyse(plant, wood=WOOD, count=3, point_mass=[0, 0, 0, 0, 1.0])
    assert len(list(cache.iterdir())) == 7


def test_a_damaged_entry_is_written_anew(cache: Path) -> None:
    first = analyse(fork(), wood=WOOD, count=3)
    (entry,) = cache.iterdir()
    good = entry.read_bytes()
    for damage in (b"", b"not a zip", good[: len(good) // 2]):
        entry.write_bytes(damage)
        assert_same(first, analyse(fork(), wood=WOOD, count=3))
        assert entry.read_bytes() == good


def test_nothing_is_kept_when_the_cache_is_off(cache: Path) -> None:
    analyse(fork(), wood=WOOD, count=3, cache=False)
    assert not cache.exists()


def test_a_cache_that_cannot_be_written_is_no_hindrance(cache: Path) -> None:
    cache.write_text("a file where the folder should be")
    assert len(analyse(fork(), wood=WOOD, count=3)) == 3


def test_the_entries_unused_for_longest_go_first(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    analyse(fork(), wood=WOOD, count=3)
    (oldest,) = cache.iterdir()
    os.utime(oldest, (1, 1))
    analyse(fork(), wood=WOOD, count=4)
    monkeypatch.setattr("windflower.mechanics.archive.LIMIT", int(2.5 * oldest.stat().st_size))
    analyse(fork(), wood=WOOD, count=5)
    assert not oldest.exists()
    assert len(list(cache.iterdir())) == 2


def test_the_cache_follows_the_desktop_standard(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from windflower.core.kept import cache_folder

    monkeypatch.delenv("WINDFLOWER_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "windflower"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "windflower"


def test_modes_can_be_sent_to_another_process() -> None:
    modes = analyse(fork(), wood=WOOD, count=3, cache=False)
    modes.compliance(2)
    assert_same(modes, pickle.loads(pickle.dumps(modes)))
