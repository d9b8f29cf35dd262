"""Targets: every kind of file that Windflower reads."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random

from tests.fuzz import corpora, structures
from tests.fuzz.invariants import check_map, check_modes, check_motion, check_plant, check_settings, check_wind, finite
from tests.fuzz.mutations import BINARY, TEXT, Mutation, damaged
from tests.fuzz.target import Target
from windflower import Steady, grow, parse_scene, read_loop, read_modes, read_with_report, species_of, wind_from
from windflower.scene.maps import read_map

__all__ = ["FILES"]

ARCHIVE = (*BINARY, *[structures.npz_inside] * 8)
ARRAY = (*BINARY, *[structures.npy_header, structures.array_values] * 3)
TOML = (*TEXT, *[structures.toml_values] * 10)


def _plant(suffix: str, data: bytes, folder: Path) -> bool:
    plant, report = read_with_report(_put(data, folder, f"plant{suffix}"))
    check_plant(plant)
    report.lines()
    return True


def _species(data: bytes, folder: Path, *, detail: float | None = None) -> bool:
    species = species_of(str(_put(data, folder, "own.toml")))
    if detail is not None:
        check_plant(grow(species, seed=3, detail=detail))
    return True


def _scene(data: bytes, folder: Path) -> bool:
    del folder
    check_settings(parse_scene(data))
    return True


def _wind(suffix: str, data: bytes, folder: Path) -> bool:
    check_wind(wind_from(_put(data, folder, f"wind{suffix}")))
    return True


def _map(suffix: str, data: bytes, folder: Path) -> bool:
    check_map(read_map(_put(data, folder, f"map{suffix}")))
    return True


def _modes(data: bytes, folder: Path) -> bool:
    check_modes(read_modes(_put(data, folder, "modes.npz")))
    return True


def _loop(data: bytes, folder: Path) -> bool:
    motion = read_loop(_put(data, folder, "loop.npz"))
    finite("loop", motion.at([0.0, 0.3, 1e6]))
    check_motion(motion, Steady(speed=3.0), steps=1)  # type: ignore[arg-type]
    return True


def _put(data: bytes, folder: Path, name: str) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def _real(rng: Random) -> bytes:
    """A damaged file of other people; its suffix stands in the first line."""
    suffix, data = rng.choice(corpora.real_files())
    return suffix.encode() + b"\n" + damaged(rng, [data], TEXT if suffix in (".mtg", ".txt", ".csv") else BINARY)


def _any_real(data: bytes, folder: Path) -> bool:
    suffix, _, content = data.partition(b"\n")
    return _wind(".bts", content, folder) if suffix == b".bts" else _plant(suffix.decode(), content, folder)


def _of(seeds: Callable[[], Sequence[bytes]], mutations: Sequence[Mutation]) -> Callable[[Random], bytes]:
    return lambda rng: damaged(rng, seeds(), mutations)


def _plants(kind: str, suffix: str, mutations: Sequence[Mutation], share: float) -> Target:
    seeds = partial(corpora.plant_files, kind)
    return Target(kind, _of(seeds, mutations), partial(_plant, suffix), suffix, share, "files")


def _targets() -> list[Target]:
    group = "files"
    found = [
        _plants("mtg", ".mtg", TEXT, 10),
        _plants("treeqsm-2.3", ".txt", TEXT, 4),
        _plants("treeqsm-2.4", ".txt", TEXT, 4),
        _plants("mat", ".mat", (*BINARY, structures.mat_inside, structures.mat_inside), 6),
        _plants("old-mat", ".mat", (*BINARY, *[structures.mat_inside] * 4), 6),
        _plants("simpleforest", ".csv", TEXT, 5),
        _plants("archi", ".csv", TEXT, 5),
        _plants("archive", ".npz", ARCHIVE, 8),
        Target("species", _of(corpora.species_files, TOML), _species, ".toml", 10, group),
        Target("growth", _of(corpora.species_files, TOML), partial(_species, detail=0.05), ".toml", 1, group),
        Target("scene-file", _of(corpora.scene_files, TOML), _scene, ".toml", 12, group),
        Target("recording", _of(corpora.recordings, TEXT), partial(_wind, ".csv"), ".csv", 8, group),
        Target(
            "turbsim",
            _of(corpora.boxes, (*BINARY, *[structures.turbsim_header] * 6)),
            partial(_wind, ".bts"),
            ".bts",
            6,
            group,
        ),
        Target("wind-npz", _of(lambda: corpora.arrays(".npz"), ARCHIVE), partial(_wind, ".npz"), ".npz", 4, group),
        Target("wind-npy", _of(lambda: corpora.arrays(".npy"), ARRAY), partial(_wind, ".npy"), ".npy", 4, group),
        Target("map-npy", _of(corpora.maps, ARRAY), partial(_map, ".npy"), ".npy", 4, group),
        Target(
            "map-png",
            _of(corpora.pictures, (*BINARY, *[structures.png_chunks] * 6)),
            partial(_map, ".png"),
            ".png",
            6,
            group,
        ),
        Target("modes", _of(corpora.modes_files, ARCHIVE), _modes, ".npz", 4, group),
        Target("loop", _of(corpora.loops, ARCHIVE), _loop, ".npz", 4, group),
    ]
    if corpora.REAL.is_dir():
        found.append(Target("real", _real, _any_real, ".bin", 1, "real"))
    return found


FILES = _targets()
