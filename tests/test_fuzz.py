"""Some of `make fuzz`: damaged files of every kind, random scenes, commands and calls; and the harness itself."""

from collections.abc import Callable
from pathlib import Path

import pytest

import windflower
from tests.fuzz.attempt import Failure, attempt
from tests.fuzz.calls import NOT_CALLED, callables
from tests.fuzz.commands import commands
from tests.fuzz.invariants import require
from tests.fuzz.known import KNOWN, is_known
from tests.fuzz.runner import Job, Tallies, repro, run, write_down
from tests.fuzz.target import Target, rng_of
from tests.fuzz.targets import MISDEEDS, TARGETS
from windflower import IMPORTERS
from windflower.errors import FileError

QUICK = {
    "files": {"files": 30, "bombs": 20},
    "scenes and calls": {"scenes": 4, "calls": 20},
    "commands and pictures": {"commands": 13, "drawn": 2},
}
"""Inputs of each target of some groups in the quick tests."""

PATIENT = 60.0  # s for one input, beside other tests on a busy machine; `make fuzz` gives it 10

READ_BY = {
    "archive": ["archive"],
    "treeqsm-mat": ["mat", "old-mat"],
    "mtg": ["mtg"],
    "table": ["simpleforest", "archi"],
    "treeqsm-text": ["treeqsm-2.3", "treeqsm-2.4"],
}
"""The targets of each importer."""


def failures_of(tallies: Tallies, seed: int = 0) -> list[str]:
    """New failures, with the command that repeats each."""
    every = [failure for tally in tallies.values() for failure in tally.failures]
    return [f"{failure.key}: {repro(failure, seed)}" for failure in every if not is_known(failure.key)]


@pytest.mark.parametrize("name", QUICK)
def test_only_our_own_errors_come_out(name: str, request: pytest.FixtureRequest) -> None:
    if "drawn" in QUICK[name]:
        request.getfixturevalue("gpu")
    counts = [(target.name, QUICK[name].get(target.group, 0)) for target in TARGETS.values()]
    jobs = [Job(target, 0, count) for target, count in counts if count]
    tallies = run(jobs, seed=0, seconds=PATIENT)
    assert not failures_of(tallies)
    assert sum(tally.inputs for tally in tallies.values()) == sum(job.count for job in jobs)
    assert sum(tally.refused for tally in tallies.values()) > 10
    assert sum(tally.accepted for tally in tallies.values()) > 2


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_only_our_own_errors_come_out_of_many_inputs(name: str) -> None:
    assert not failures_of(run([Job(name, 0, round(100 * TARGETS[name].share) + 50)], seed=1, seconds=PATIENT), seed=1)


def test_an_input_is_a_pure_function_of_seed_target_and_index() -> None:
    for name, target in TARGETS.items():
        made = {seed: [target.make(rng_of(seed, name, index)) for index in range(3)] for seed in (0, 1)}
        assert made[0] == [target.make(rng_of(0, name, index)) for index in range(3)]
        assert made[0] != made[1]


def test_every_kind_of_file_command_and_public_name_is_tried() -> None:
    assert set(READ_BY) == set(IMPORTERS)
    assert {name for names in READ_BY.values() for name in names} <= set(TARGETS)
    assert set(commands()) >= {"grow", "render", "loop", "export", "modes"}
    called = {*callables(), *NOT_CALLED}
    classes = {
        name for name in windflower.__all__ if callable(getattr(windflower, name)) and not name.endswith("Error")
    }
    assert classes <= called


def a_target(check: Callable[[bytes, Path], bool]) -> Target:
    return Target("self", lambda rng: rng.randbytes(4), check, ".bin", 1, "self")


def refuses(data: bytes, folder: Path) -> bool:
    raise FileError(f"{len(data)} bytes in {folder}.")


def breaks(data: bytes, folder: Path) -> bool:
    raise KeyError(data, folder)


def unsound(data: bytes, folder: Path) -> bool:
    require(len(data) > 4, "it is longer")
    return folder.is_dir()


def test_the_harness_tells_ours_from_foreign_errors_and_what_is_unsound(tmp_path: Path) -> None:
    assert attempt(a_target(lambda *_: True), 0, 0, tmp_path).accepted
    assert attempt(a_target(refuses), 0, 0, tmp_path).failure is None
    broken, wrong = (attempt(a_target(check), 0, 0, tmp_path).failure for check in (breaks, unsound))
    assert broken is not None
    assert broken.kind == "KeyError"
    assert wrong is not None
    assert wrong.key == "UnsoundError in self: it is longer"


def test_hangs_crashes_and_greed_are_told_and_the_run_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINDFLOWER_FUZZ_ITSELF", "1")
    made = [rng_of(0, "itself", index).choice(MISDEEDS) for index in range(100)]
    jobs = [Job("itself", made.index(misdeed), 1) for misdeed in MISDEEDS]
    tally = run(jobs, seed=0, seconds=0.5)["itself"]
    assert (tally.inputs, tally.accepted) == (len(MISDEEDS), 1)
    told = {made[failure.index]: failure.kind for failure in tally.failures}
    assert told == {"sleep": "Hang", "memory": "MemoryError", "crash": "ended with -11", "deaf": "Hang"}


def test_a_failure_is_written_down_once_with_its_input_and_its_command(tmp_path: Path) -> None:
    failures = [Failure("KeyError", "scene/maps.py:_array", "map-npy", index, "x", "told") for index in (3, 4)]
    assert list(write_down(failures, tmp_path, seed=2)) == failures[:1]
    (folder,) = tmp_path.iterdir()
    assert (folder / "input.npy").read_bytes() == TARGETS["map-npy"].make(rng_of(2, "map-npy", 3))
    assert (folder / "repro.txt").read_text().startswith("python -m tests.fuzz map-npy 3 --seed 2\n")


def test_what_is_known_is_told_in_a_sentence() -> None:
    assert all(reason.endswith(".") for reason in KNOWN.values())
