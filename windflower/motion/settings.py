"""What a stand's `motion` may say in a scene file, whatever the kind; and how a motion is made from it."""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from windflower.core.table import Table
from windflower.mechanics import Modes
from windflower.motion.contract import Motion
from windflower.motion.places import Places
from windflower.motion.stand import Stand
from windflower.plant.graph import Plant
from windflower.wind import Wind

__all__ = ["Circumstances", "MotionSettings", "Specimen"]


@dataclass(frozen=True, eq=False)
class Specimen:
    """One plant of a scene, with its modes if its motion asks for them."""

    name: str
    plant: Plant
    modes: Modes | None = None


@dataclass(frozen=True, eq=False)
class Circumstances:
    """What a motion is made for.

    wind     that the plant feels
    seconds  length of the clip, s
    seed     of all that is random
    damping  factor on the wood's; modes have it already
    """

    wind: Wind
    seconds: float
    seed: int
    damping: float = 1.0


class MotionSettings(Table):
    """A motion of one kind. A subclass has its keys, and makes the motion.

    together      whether all trees of a table are different and move as one stand, made by `block`
    moves_sheets  whether it can move flags and signs
    keeps_leaves  why leaves do not come off, as a sentence without its end; None where they may
    """

    together: ClassVar[bool] = False
    moves_sheets: ClassVar[bool] = False
    keeps_leaves: ClassVar[str | None] = None

    kind: str

    @abstractmethod
    def motion(self, specimen: Specimen, around: Circumstances) -> Motion[Any]:
        """The motion of one plant."""

    @property
    def modes_needed(self) -> tuple[int, int] | None:
        """How many modes, and in how many cells of the crown they feel the wind; None if it needs none."""
        return None

    @property
    def veins(self) -> str:
        """The pattern of veins drawn on blades; "own" is the species'."""
        return "own"

    def quivers_above(self, specimen: Specimen) -> float | None:  # noqa: ARG002 - for those who have twigs
        """The frequency above which twigs quiver on top of the motion, Hz; None if none do."""
        return None

    def suited(self, specimen: Specimen) -> "MotionSettings":  # noqa: ARG002 - for those who move sheets
        """The same for a specimen with sheets."""
        return self

    def block(self, name: str, table: int, plants: tuple[Plant, ...], places: Places, damping: float) -> Stand:
        """All trees of a table as one stand, for kinds that move them together."""
        raise NotImplementedError(f"{self.kind} moves one plant at many places.")
