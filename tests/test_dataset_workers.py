"""Data sets by several processes: the same bytes as one process makes, however often any of them is killed."""

import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.small_datasets import SMALL, files_of, small
from windflower.batch import Workers, make_dataset, read_dataset, read_recipe


def test_two_workers_make_what_one_process_makes_byte_for_byte(tmp_path: Path) -> None:
    links: list[str] = []
    make_dataset(small(), tmp_path / "one")
    make_dataset(small(), tmp_path / "two", workers=Workers(2, say=links.append))
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")
    assert len(links) == 1
    assert links[0].startswith("Dask's dashboard: http://127.0.0.1:")
    read = list(read_dataset(tmp_path / "two"))
    assert [sample.number for sample in read] == list(range(12))
    assert {sample.frames("rgb").shape for sample in read} == {(1, 24, 32, 3)}
    assert len({sample.frames("rgb").tobytes() for sample in read}) == 12
    winds = [np.hypot(*np.array(sample.facts["frames"][0]["wind"])[0, [0, 2]]) for sample in read]
    speeds = [sample.facts["drawn"]["wind.speed"] for sample in read]
    assert np.corrcoef(winds, speeds)[0, 1] > 0.8


@pytest.mark.slow
def test_two_hundred_samples_of_two_workers_equal_those_of_one_process(tmp_path: Path) -> None:
    recipe = small(samples=200, shard=50)
    make_dataset(recipe, tmp_path / "one")
    make_dataset(recipe, tmp_path / "two", workers=Workers(2))
    assert files_of(tmp_path / "one") == files_of(tmp_path / "two")


def children_of(process: int) -> list[int]:
    """Processes that this one has started, and theirs."""
    psutil = pytest.importorskip("psutil")  # comes with Dask
    with contextlib.suppress(psutil.Error):
        return [child.pid for child in psutil.Process(process).children(recursive=True)]
    return []


def done_in(folder: Path) -> int:
    """Samples that are done, twenty for each whole shard."""
    pieces = len(list((folder / ".pieces").glob("[0-9]*"))) if (folder / ".pieces").exists() else 0
    return pieces + 20 * len(list(folder.glob("*.tar")))


def kill(processes: Iterable[int]) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def make_whole(folder: Path) -> None:
    """Make sixty samples in `whole`, and leave their recipe beside it."""
    (folder / "recipe.toml").write_text(SMALL.replace("samples = 12\nshard = 5", "samples = 60\nshard = 20"))
    make_dataset(read_recipe(folder / "recipe.toml"), folder / "whole")


DATASET = (sys.executable, "-m", "windflower", "dataset", "recipe.toml", "-o", "killed")


@contextlib.contextmanager
def making(folder: Path, *words: str) -> Iterator["subprocess.Popen[bytes]"]:
    """The command that goes on with `killed`; whatever ends it that is no kill of ours must be told."""
    with (folder / "said.txt").open("w") as said:
        run = subprocess.Popen([*DATASET, *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=said)
    yield run
    if run.wait() > 0:
        assert "What was done is kept" in (folder / "said.txt").read_text()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_workers_and_the_whole_killed_at_random_times_leave_the_same_data_set(tmp_path: Path) -> None:
    make_whole(tmp_path)
    chance, kills = random.Random(2), Counter[str]()
    while not (tmp_path / "killed" / "manifest.json").exists():
        with making(tmp_path, "--workers", "2") as run:
            worker, last = (done_in(tmp_path / "killed") + chance.randrange(1, 12) for _ in range(2))
            while run.poll() is None:
                time.sleep(0.1)
                if kills["worker"] <= kills["all"] and done_in(tmp_path / "killed") >= worker:
                    kill([chance.choice(children_of(run.pid) or [run.pid])])
                    kills["worker"] += 1
                if done_in(tmp_path / "killed") >= last and kills["all"] < 5:
                    kill([run.pid, *children_of(run.pid)])
                    kills["all"] += 1
    assert min(kills["worker"], kills["all"]) > 2
    assert files_of(tmp_path / "killed") == files_of(tmp_path / "whole")


def dask(tmp_path: Path, *words: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-m", *words], cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_cluster_whose_scheduler_and_workers_are_killed_leaves_the_same_data_set(tmp_path: Path) -> None:
    """The scheduler is killed three times, one of two workers as often; whatever else ends is told."""
    make_whole(tmp_path)
    chance, kills = random.Random(3), Counter[str]()
    while not (tmp_path / "killed" / "manifest.json").exists():
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        address = f"tcp://127.0.0.1:{port}"
        scheduler = dask(
            tmp_path, "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"
        )
        worker = ("distributed.cli.dask_worker", address, "--nthreads", "2", "--resources", "GPU=1", "--no-dashboard")
        workers = [dask(tmp_path, *worker) for _ in range(2)]
        with making(tmp_path, "--scheduler", address) as run:
            first = done_in(tmp_path / "killed")
            ends = {"worker": first + chance.randrange(1, 8), "scheduler": first + chance.randrange(8, 18)}
            while run.poll() is None:
                time.sleep(0.1)
                for who, process in (("worker", workers[0]), ("scheduler", scheduler)):
                    if kills[who] < 3 and who in ends and done_in(tmp_path / "killed") >= ends[who]:
                        kill([process.pid, *(children_of(process.pid) if who == "worker" else ())])
                        kills[who] += 1
                        del ends[who]
            for process in (scheduler, *workers):
                kill([*children_of(process.pid), process.pid])
                process.wait()
    assert min(kills["worker"], kills["scheduler"]) >= 2
    assert files_of(tmp_path / "killed") == files_of(tmp_path / "whole")
