"""Damaged files: every one reads as a plant or is refused with one of our errors, and none hangs."""

import random
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.importer_files import WRITERS, oak
from windflower.errors import WindflowerError
from windflower.plant.importers import read_with_report

Mutation = Callable[[random.Random, bytes], bytes]

TOKENS = [
    b"", b"nan", b"-nan", b"inf", b"-1e308", b"1e308", b"1e-320", b"0", b"-1", b"1", b"2", b"3.5", b"9" * 5000,
    b"4294967296", b"9223372036854775808", b"1e19", b"\xff\xfe", b"\x00", b"\xe9", b"#", b"^", b"(A)", b"*",
    b"^<S1", b"^+S2", b"^/S1", b"/P1", b"+A1/S1<<S999999999", b"<S1<S1<S1", b"++S9", b"+.+S9",
    b"<.<S99999999999999999999", b"MTG:", b"CLASSES:", b"CODE: FORM-B",
    b"1_000", b"1,5", b"\"", b"0x10", b"-", b"startX",
]  # fmt: skip


def truncated(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def shuffled(rng: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    begin = rng.randrange(len(lines))
    middle = lines[begin:]
    rng.shuffle(middle)
    return b"\n".join(lines[:begin] + middle)


def flipped(rng: random.Random, data: bytes) -> bytes:
    damaged = bytearray(data)
    for _ in range(rng.choice([1, 1, 2, 4, 16])):
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
    return bytes(damaged)


def cut_and_pasted(rng: random.Random, data: bytes) -> bytes:
    begin, end, place = (rng.randrange(len(data) + 1) for _ in range(3))
    return data[:place] + data[min(begin, end) : max(begin, end)] + data[rng.choice([place, end]) :]


def overwritten(rng: random.Random, data: bytes) -> bytes:
    """Sizes and counts in binary files, set to extremes."""
    damaged = bytearray(data)
    for _ in range(rng.choice([1, 2, 3])):
        place = 4 * rng.randrange(max(len(data) // 4, 1))
        damaged[place : place + 4] = rng.choice([b"\xff\xff\xff\x7f", b"\xff\xff\xff\xff", bytes(4), b"\0\0\0\x10"])
    return bytes(damaged)


def reworded(rng: random.Random, data: bytes) -> bytes:
    """Cells replaced by odd ones."""
    for _ in range(rng.choice([1, 1, 3, 10])):
        mark = rng.choice([b"\t", b",", b" ", b"\n"])
        cells = data.split(mark)
        cells[rng.randrange(len(cells))] = rng.choice(TOKENS)
        data = mark.join(cells)
    return data


MUTATIONS: list[Mutation] = [truncated, shuffled, flipped, cut_and_pasted, overwritten, reworded]


@pytest.fixture(autouse=True)
def _no_hang() -> Iterator[None]:
    """A reading that hangs fails, instead of holding up everything."""

    def give_up(*_: object) -> None:
        raise TimeoutError("reading hangs")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(300)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def check(data: bytes, path: Path) -> bool:
    """Whether it reads; any error but ours comes through."""
    path.write_bytes(data)
    try:
        plant, report = read_with_report(path)
    except WindflowerError:
        return False
    assert plant.height >= 0
    assert report.lines() or report.saved
    return True


def damage(data: bytes, path: Path, *, cases: int, seed: int) -> int:
    """Try so many damaged versions; return how many of them still read."""
    read = 0
    for case in range(cases):
        rng = random.Random(f"{seed} {case}")
        damaged = MUTATIONS[case % len(MUTATIONS)](rng, data)
        if case % 5 == 4:
            damaged = rng.choice(MUTATIONS)(rng, damaged or b"\0")
        read += check(damaged, path)
    return read


@pytest.mark.parametrize("kind", WRITERS)
def test_damaged_small_files_are_read_or_refused(kind: str, tmp_path: Path) -> None:
    suffix, write = WRITERS[kind]
    path = tmp_path / f"plant{suffix}"
    write(oak(), path)
    read = damage(path.read_bytes(), path, cases=150, seed=1)
    assert read < 150
    assert read > 0 or kind == "archive"


@pytest.mark.slow
@pytest.mark.parametrize("kind", WRITERS)
def test_thousands_of_damaged_files_are_read_or_refused(kind: str, tmp_path: Path) -> None:
    suffix, write = WRITERS[kind]
    path = tmp_path / f"plant{suffix}"
    write(oak(), path)
    damage(path.read_bytes(), path, cases=3000, seed=2)


REAL = {
    "mtg/young_oaktree.mtg": 300,
    "mtg/reconstructed_appletree.mtg": 300,
    "mtg/agraf.mtg": 200,
    "mtg/wij10.mtg": 60,
    "walnut/noylum2.mtg": 12,
    "qsm/Tree_1_TreeQSM.txt": 120,
    "qsm/QSM.csv": 120,
    "qsm/QSM2.csv": 120,
    "qsm/QSM.mat": 300,
    "qsm/QSM_2.mat": 300,
    "qsm/qsm.mat": 60,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", REAL)
def test_damaged_real_files_are_read_or_refused(name: str, shared_data: Path, tmp_path: Path) -> None:
    source = shared_data / name
    damage(source.read_bytes(), tmp_path / source.name, cases=REAL[name], seed=3)


def test_damaged_real_files_sample(shared_data: Path, tmp_path: Path) -> None:
    for name in REAL:
        source = shared_data / name
        damage(source.read_bytes(), tmp_path / source.name, cases=6, seed=4)
