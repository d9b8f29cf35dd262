"""All targets, by name."""

from tests.fuzz.bombs import BOMBS
from tests.fuzz.files import FILES
from tests.fuzz.target import Target

__all__ = ["TARGETS"]

TARGETS: dict[str, Target] = {target.name: target for target in (*FILES, *BOMBS)}
