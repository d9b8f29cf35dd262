import gc
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import settings

from windflower import Plant, grow
from windflower.core.device import Gpu, open_gpu
from windflower.errors import GpuError, MissingExtraError
from windflower.plant.leaves import Leaves

settings.register_profile("windflower", derandomize=True, deadline=None, print_blob=False)
settings.load_profile("windflower")
os.environ.setdefault("LP_NUM_THREADS", "1")  # the software driver, beside others in a parallel run
for name in ("SIGINT", "SIGHUP"):  # where the tests run in the background, commands would ignore them too
    number = getattr(signal, name, None)
    if number is not None and signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, lambda *_: None)

# A window has all that is there looked through when a scene is shown: half a second with so many tests in memory.
pytest.MonkeyPatch().setattr("windflower.core.garbage.keep_what_is_there", lambda: None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow-sample", type=int, metavar="N", help="of the tests that are marked slow run only N")
    parser.addoption("--slow-seed", default="0", metavar="TEXT", help="by which they are chosen")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the collector of garbage away from thousands of tests and modules, which stay to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out all but a sample of the slow tests, if that is asked for."""
    count = config.getoption("--slow-sample")
    if count is not None:
        slow = [item for item in items if item.get_closest_marker("slow")]
        left_out = set(slow) - set(_sample(slow, count, config.getoption("--slow-seed")))
        config.hook.pytest_deselected(items=sorted(left_out, key=items.index))
        items[:] = [item for item in items if item not in left_out]


def _sample(items: list[pytest.Item], count: int, seed: str) -> list[pytest.Item]:
    """So many items, the same for the same seed: one of each test function before the second of any."""
    order = sorted(items, key=lambda item: sha256(f"{seed} {item.nodeid}".encode()).digest())
    taken: Counter[str] = Counter()
    turns = []
    for number, item in enumerate(order):
        function = item.nodeid.partition("[")[0]
        turns.append((taken[function], number))
        taken[function] += 1
    return [order[number] for _, number in sorted(turns)[:count]]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what was skipped, once for each reason."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
    for reason, count in reasons.most_common():
        terminalreporter.write_line(f"{count} skipped: {reason}")


@pytest.fixture(autouse=True)
def closed_figures() -> Iterator[None]:
    """Close what a test has plotted: matplotlib warns of more than twenty figures, in whatever test opens the next."""
    yield
    if pyplot := sys.modules.get("matplotlib.pyplot"):
        pyplot.close("all")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real trees and winds that lie beside the checkout; they are other people's work and not part of it."""
    folder = Path(__file__).parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"the sample files are not beside the checkout ({folder})")
    return folder


@pytest.fixture(scope="session")
def birch() -> Plant:
    """A small plant, for tests of what is exported of it: few of its leaves, of which files are full."""
    plant = grow("silver-birch", seed=1, detail=0.05)
    few = {name: values[::7] for name, values in vars(plant.leaves).items()}
    return replace(plant, leaves=Leaves(**few))


@pytest.fixture(scope="session")
def gpu() -> Gpu:
    """The graphics device; without one, tests are skipped, unless WINDFLOWER_REQUIRE_GPU=1 makes them fail."""
    try:
        return open_gpu()
    except (GpuError, MissingExtraError) as error:
        if os.environ.get("WINDFLOWER_REQUIRE_GPU") == "1":
            pytest.fail(f"a graphics device is required: {error}")
        pytest.skip(str(error))


@pytest.fixture
def other_device() -> Iterator[None]:
    """Whoever opens the device meanwhile gets another; all pipelines of the one that the tests share stay known."""
    shared, other = open_gpu, cache(open_gpu.__wrapped__)
    _open_by(shared, other)
    yield
    _open_by(other, shared)


def _open_by(before: Callable[[], Gpu], after: Callable[[], Gpu]) -> None:
    """Replace a function that opens the device wherever it was imported."""
    for module in list(sys.modules.values()):
        if getattr(module, "__dict__", {}).get("open_gpu") is before:
            module.open_gpu = after  # type: ignore[attr-defined]
