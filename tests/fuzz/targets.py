"""All targets, by name."""

import os
import signal
import time
from pathlib import Path

from tests.fuzz.bombs import BOMBS
from tests.fuzz.calls import CALLS
from tests.fuzz.commands import COMMANDS
from tests.fuzz.files import FILES
from tests.fuzz.scenes import SCENES
from tests.fuzz.target import Target

__all__ = ["MISDEEDS", "TARGETS"]

TARGETS: dict[str, Target] = {target.name: target for target in (*FILES, *BOMBS, *SCENES, *COMMANDS, *CALLS)}


MISDEEDS = ("nothing", "sleep", "memory", "crash", "deaf")


def _misbehave(data: bytes, folder: Path) -> bool:
    """What no input may do, to try the harness itself: take time or memory, or end the process."""
    del folder
    match data.decode():
        case "sleep":
            time.sleep(600)
        case "memory":
            bytearray(5 << 30)
        case "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "deaf":  # to the alarm, which Python hears between two steps of its own only
            sum(range(10**11))
    return True


if os.environ.get("WINDFLOWER_FUZZ_ITSELF"):
    TARGETS["itself"] = Target("itself", lambda rng: rng.choice(MISDEEDS).encode(), _misbehave, ".txt", 0, "itself")
