"""Workers on a Dask cluster: every number once, retries, resources, and one sentence for whatever ends them."""

import contextlib
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

import windflower.errors as errors
from windflower.batch import Workers
from windflower.batch import tasks as tasks_of
from windflower.errors import MissingExtraError, SceneError, WindflowerError

distributed = pytest.importorskip("distributed")


@contextlib.contextmanager
def cluster(count: int = 2, threads: int = 1, resources: dict[str, float] | None = None) -> Iterator[Any]:
    """Workers that are threads of this process: they start quickly and share its memory."""
    with distributed.LocalCluster(
        n_workers=count,
        threads_per_worker=threads,
        processes=False,
        protocol="tcp",
        dashboard_address=None,
        resources=resources,
    ) as found:
        yield found


def text(number: int) -> bytes:
    return str(number).encode()


def fill(numbers: list[int], results: Iterator[tuple[int, bytes]]) -> None:
    """Note what comes, until it ends."""
    for number, _ in results:
        numbers.append(number)


def test_every_number_is_done_once_and_groups_grow() -> None:
    said: list[str] = []
    with cluster() as found:
        done = list(Workers(scheduler=found.scheduler_address, say=said.append).run(text, range(300)))
    assert sorted(done) == [(number, text(number)) for number in range(300)]
    assert said[0].startswith("Dask's dashboard: ")


def failing(folder: Path, times: int, number: int) -> bytes:
    """Fails at 5 so many times for a reason that may pass."""
    file = folder / "tries"
    if number == 5 and (tries := len(file.read_bytes()) if file.exists() else 0) < times:
        file.write_bytes(bytes(tries + 1))
        raise RuntimeError("the device was lost")
    return text(number)


def test_what_may_pass_is_tried_again(tmp_path: Path) -> None:
    with cluster(1) as found:
        done = dict(Workers(scheduler=found.scheduler_address).run(partial(failing, tmp_path, 2), range(8)))
    assert sorted(done) == list(range(8))


def test_what_does_not_pass_ends_in_a_sentence_with_all_else_that_was_begun(tmp_path: Path) -> None:
    done: list[int] = []
    with cluster(1) as found, pytest.raises(WindflowerError) as error:
        fill(
            done,
            Workers(scheduler=found.scheduler_address).run(partial(failing, tmp_path, 99), range(8), what="sample"),
        )
    assert str(error.value).startswith("sample 5 could not be made (RuntimeError: the device was lost).")
    assert set(done) >= {0, 1, 2, 3, 4}
    assert (tmp_path / "tries").stat().st_size == 1 + tasks_of.RETRIES


made: list[int] = []


def refused(number: int) -> bytes:
    if number == 3:
        raise SceneError("sample 3: there is no room.")
    time.sleep(0.02)
    made.append(number)
    return text(number)


def test_a_mistake_is_not_tried_again_and_nothing_that_was_made_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks_of, "TASK", 0.1)
    made.clear()
    done: list[int] = []
    with cluster(2) as found, pytest.raises(SceneError, match="sample 3: there is no room"):
        fill(done, Workers(scheduler=found.scheduler_address).run(refused, range(1000)))
    assert sorted(done) == sorted(made)
    assert len(made) < 100


def place(resource: str, _: int) -> bytes:
    time.sleep(0.02)
    return resource.encode() if resource in distributed.get_worker().state.total_resources else b""


@pytest.mark.parametrize("resource", ["GPU", None])
def test_jobs_go_to_the_workers_that_have_what_they_take(resource: str | None) -> None:
    with cluster(1) as found:
        found.new_spec["options"] = {**found.new_spec["options"], "resources": {"GPU": 1}}
        found.scale(2)
        with distributed.Client(found) as client:
            client.wait_for_workers(2)
        workers = Workers(scheduler=found.scheduler_address)
        where = [content for _, content in workers.run(partial(place, "GPU"), range(20), resource=resource)]
    assert set(where) == ({b"GPU"} if resource else {b"GPU", b""})


busy = threading.Lock()


def lone(_: int) -> bytes:
    """Whether nothing else is under way in this process."""
    free = busy.acquire(blocking=False)
    time.sleep(0.02)
    if free:
        busy.release()
    return b"alone" if free else b"together"


def test_a_worker_with_many_threads_does_one_thing_at_a_time() -> None:
    with cluster(1, threads=4) as found:
        done = dict(Workers(scheduler=found.scheduler_address).run(lone, range(12)))
    assert set(done.values()) == {b"alone"}


def process(_: int) -> bytes:
    """The number of the process that does it."""
    time.sleep(0.05)
    return str(os.getpid()).encode()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_workers_that_are_killed_are_replaced_and_nothing_is_lost_or_done_twice() -> None:
    done: list[int] = []
    killed: set[int] = set()
    for number, who in Workers(2).run(process, range(150)):
        done.append(number)
        if len(done) in (9, 40, 80) and int(who) not in killed:
            killed.add(int(who))
            os.kill(int(who), signal.SIGKILL)
    assert sorted(done) == list(range(150))
    assert len(killed) == 3


def test_workers_that_come_later_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks_of, "LOOK", 0.1)
    said: list[str] = []
    with cluster(0) as found:
        timer = threading.Timer(1.0, found.scale, [1])
        timer.start()
        done = list(Workers(scheduler=found.scheduler_address, say=said.append).run(text, range(9)))
        timer.join()
    assert len(done) == 9
    assert said[1] == "The cluster has no workers now; waiting for some."
    assert len(said) == 2


def test_a_cluster_that_does_not_answer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("windflower.batch.workers.ANSWER", 0.3)
    with pytest.raises(WindflowerError, match=r"tcp://127\.0\.0\.1:9 does not .*Check --scheduler"):
        list(Workers(scheduler="tcp://127.0.0.1:9").run(text, range(3)))


def test_fewer_workers_than_none_are_refused() -> None:
    with pytest.raises(WindflowerError, match=r"0 workers or more; asked for are -1\. Use 0"):
        Workers(-1)


def test_a_cluster_that_goes_is_told_with_what_it_has_made() -> None:
    done: list[int] = []
    with cluster(1) as found:
        results = Workers(scheduler=found.scheduler_address).run(text, range(100_000))
        fill(done, islice(results, 40))
        found.close()
        with pytest.raises(WindflowerError, match="the cluster must stay; it is gone"):
            fill(done, results)
    assert len(done) >= 40
    assert sorted(done) == list(range(len(done)))


def test_a_worker_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with cluster(1) as found:
        workers = Workers(scheduler=found.scheduler_address)
        submit = distributed.Client.submit
        monkeypatch.setattr(
            distributed.Client,
            "submit",
            lambda self, job, *asked, **how: submit(self, job, *asked[:-1], "0.0.1", **how),
        )
        with pytest.raises(WindflowerError, match=r"has \S+ and not 0\.0\.1"):
            list(workers.run(text, range(3)))


def test_this_process_alone_needs_no_dask(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("dask", "distributed"):
        monkeypatch.setitem(sys.modules, name, None)
    assert list(Workers().run(text, range(2))) == [(0, b"0"), (1, b"1")]
    with pytest.raises(MissingExtraError, match="extra 'batch'"):
        list(Workers(2).run(text, range(2)))


def test_every_error_comes_back_from_a_worker_as_it_was() -> None:
    for name in errors.__all__:
        kind = getattr(errors, name)
        error = kind("pyarrow", "tables") if kind is MissingExtraError else kind("a sentence.")
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again)) == (kind, str(error))
