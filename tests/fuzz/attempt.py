"""One input, tried: accepted, refused by one of our sentences, or a failure with its place."""

import os
import resource
import shutil
import signal
import time
import traceback
import warnings
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import windflower
from tests.fuzz.target import SECONDS, Target, rng_of
from windflower.errors import WindflowerError

__all__ = ["Failure", "Hang", "Outcome", "attempt", "peak_memory"]

OWN = str(Path(windflower.__file__).parent)
HERE = str(Path(__file__).parent)


class Hang(BaseException):
    """An input took longer than it may; no `except Exception` holds it up."""


@dataclass(frozen=True)
class Failure:
    """What went wrong: the same kind at the same place is the same failure.

    kind      the exception's name, or what else ended it
    place     innermost frame of ours, as `scene/maps.py:_array`
    """

    kind: str
    place: str
    target: str
    index: int
    message: str
    traceback: str

    @property
    def key(self) -> str:
        """By which failures are told apart."""
        return f"{self.kind} in {self.place}"


@dataclass(frozen=True)
class Outcome:
    """What came of one input; neither accepted nor a failure is refused."""

    accepted: bool
    seconds: float
    failure: Failure | None = None


def attempt(target: Target, seed: int, index: int, folder: Path) -> Outcome:
    """Make an input and try it in an empty folder."""
    data = target.make(rng_of(seed, target.name, index))
    _empty(folder)
    before = os.getcwd()
    begin = time.perf_counter()
    accepted, failure = False, None
    try:
        _set_alarm(SECONDS)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                accepted = target.check(data, folder)
        finally:
            _set_alarm(0)
    except WindflowerError as error:
        if not str(error).strip():
            failure = _failure("an empty message", error, target, index)
    except BaseException as error:
        failure = _failure(type(error).__name__, error, target, index)
    os.chdir(before)
    return Outcome(accepted, time.perf_counter() - begin, failure)


def _set_alarm(seconds: float) -> None:
    """Raise `Hang` in so many seconds; 0 for never."""

    def ring(_: int, frame: FrameType | None) -> None:
        del frame
        raise Hang(f"longer than {SECONDS:g} s")

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)


def _empty(folder: Path) -> None:
    for entry in folder.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry, ignore_errors=True)
        else:
            entry.unlink(missing_ok=True)


def _failure(kind: str, error: BaseException, target: Target, index: int) -> Failure:
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename.startswith(OWN)]
    near = own or [frame for frame in frames if frame.filename.startswith(HERE)] or list(frames)
    if kind == "UnsoundError":  # the check says what; what it was of is the target
        place = f"{target.name}: {str(error)[:80]}"
    else:
        place = f"{near[-1].filename.removeprefix(OWN).removeprefix(HERE).strip('/')}:{near[-1].name}"
    told = "".join(traceback.format_exception(error))[-8000:]
    return Failure(kind, place, target.name, index, f"{error}"[:300], told)


def peak_memory(*, reset: bool = False) -> int:
    """Most bytes that this process has held at once; since the last reset, where the system can tell."""
    try:
        if reset:
            Path("/proc/self/clear_refs").write_text("5")
        status = Path("/proc/self/status").read_text()
        return 1024 * int(status.split("VmHWM:")[1].split()[0])
    except (OSError, IndexError):
        return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
