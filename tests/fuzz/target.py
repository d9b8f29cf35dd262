"""What a target is: one kind of input, how it is made, and how it is tried."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

__all__ = ["BYTES", "SECONDS", "Target", "rng_of"]

SECONDS = float(os.environ.get("WINDFLOWER_FUZZ_SECONDS", "10"))  # longest that one input may take
BYTES = 2 << 30  # memory that one input may take, beyond what the program itself needs


@dataclass(frozen=True)
class Target:
    """One kind of input.

    make    the bytes of an input from random numbers
    check   tries an input in an empty folder; returns True if it is accepted, raises if it is refused
    suffix  of the file that an input is kept in
    prepare loads what the inputs need, before memory is counted
    share   of the inputs of a long run; cheap targets have large ones
    group   the quick test it belongs to
    """

    name: str
    make: Callable[[Random], bytes]
    check: Callable[[bytes, Path], bool]
    suffix: str
    share: float
    group: str
    prepare: Callable[[], object] = bool


def rng_of(seed: int, target: str, index: int) -> Random:
    """The random numbers of one input."""
    return Random(f"{seed} {target} {index}")
