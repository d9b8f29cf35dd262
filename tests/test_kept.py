"""Textures that are kept from run to run."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from windflower.core.kept import kept

made: list[int] = []


def _make() -> dict[str, NDArray[np.uint8]]:
    made.append(1)
    return {"texels": np.arange(12, dtype=np.uint8).reshape(3, 4)}


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    made.clear()
    monkeypatch.setenv("WINDFLOWER_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_what_an_earlier_run_has_made_is_read(cache: Path) -> None:
    first, second = kept("one", _make), kept("one", _make)
    assert len(made) == 1
    assert len(list(cache.iterdir())) == 1
    assert first.keys() == second.keys() == {"texels"}
    np.testing.assert_array_equal(first["texels"], second["texels"])
    assert second["texels"].dtype == np.uint8


def test_damage_is_made_anew(cache: Path) -> None:
    kept("one", _make)
    (file,) = cache.iterdir()
    file.write_bytes(file.read_bytes()[:-300])
    np.testing.assert_array_equal(kept("one", _make)["texels"], _make()["texels"])
    assert len(made) == 3
    kept("one", _make)
    assert len(made) == 3


def test_those_of_an_older_version_are_dropped_and_no_others(cache: Path) -> None:
    cache.mkdir()
    (cache / f"one-{'0' * 20}.npz").write_bytes(b"old")
    (cache / f"one-more-{'0' * 20}.npz").write_bytes(b"another")
    kept("one", _make)
    names = {file.name for file in cache.iterdir()}
    assert f"one-{'0' * 20}.npz" not in names
    assert f"one-more-{'0' * 20}.npz" in names


def test_without_a_folder_it_is_made_each_time(cache: Path) -> None:
    cache.write_bytes(b"a file")
    kept("one", _make)
    kept("one", _make)
    assert len(made) == 2
