"""The base of all motions' settings in a scene file, and what a motion is made from."""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

from pydantic import Field

from windflower.core.table import Flag, Table, Whole
from windflower.mechanics import Modes, Sheet
from windflower.motion.contract import Motion
from windflower.motion.places import Places
from windflower.motion.stand import Stand
from windflower.plant.graph import Plant
from windflower.wind import Wind, WindProfile

__all__ = ["Circumstances", "ModesSettings", "MotionSettings", "Seeds", "Specimen"]


@dataclass(frozen=True, eq=False)
class Specimen:
    """One plant of a scene, with its modes if its motion asks for them, and its wood if that is not its species'."""

    name: str
    plant: Plant
    modes: Modes | None = None
    wood: str | None = None

    @property
    def sheets(self) -> tuple[Sheet, ...]:
        """Thin plates that its modes move: flags, signs."""
        return self.modes.conditions.sheets if self.modes else ()

    @property
    def flies(self) -> bool:
        """Whether the wind draws out a sheet of it, as it does a flag."""
        return any(sheet.pull.any() for sheet in self.sheets)


@dataclass(frozen=True, eq=False)
class Circumstances:
    """The circumstances that a motion is made for.

    wind     wind that the plant feels; that of a forest as its trees have it on the mean
    seconds  length of the clip, s
    seed     seed of all random numbers
    damping  factor on the wood's damping; modes have it already
    canopy   air of the forest that the plant stands in; None in open country
    scale    mean scale of the plants
    """

    wind: Wind
    seconds: float
    seed: int
    damping: float = 1.0
    canopy: WindProfile | None = None
    scale: float = 1.0


@dataclass(frozen=True, eq=False)
class Seeds:
    """Trees that are grown as they come into view.

    name     of the species
    table    which of the scene's `[[stands]]` they come from
    samples  a few of them
    places   where all of them stand
    grown    the tree of a number
    """

    name: str
    table: int
    samples: tuple[Plant, ...]
    places: Places
    grown: Callable[[int], Plant]


class MotionSettings(Table):
    """What a scene file says of a motion of one kind. A subclass has its keys, and makes the motion.

    together      whether all trees of a table are different and move as one stand, made by `block`
    moves_sheets  whether it can move flags and signs
    keeps_leaves  why leaves do not come off, as a sentence without its end; None where they may
    never_breaks  why wood does not break, likewise
    """

    together: ClassVar[bool] = False
    moves_sheets: ClassVar[bool] = False
    keeps_leaves: ClassVar[str | None] = None
    never_breaks: ClassVar[str | None] = "only plants that move by their modes break; choose modal motion"

    kind: str = Field(description="name of the kind, one of `MOTIONS`")

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

    def for_sheets(self, specimen: Specimen) -> Self:  # noqa: ARG002 - for those who move sheets
        """The settings for a specimen, changed where its sheets need it."""
        return self

    def block(self, name: str, table: int, plants: tuple[Plant, ...], places: Places, damping: float) -> Stand:
        """All trees of a table as one stand, for kinds that move them together."""
        raise NotImplementedError(f"{self.kind} moves one plant at many places.")

    def grove(self, seeds: Seeds, damping: float) -> Any:
        """Trees of a table that are too many for one stand: seeds, grown as they come into view."""
        raise NotImplementedError(f"{self.kind} moves one plant at many places.")


class ModesSettings(MotionSettings):
    """A motion by the plant's own modes, of either kind: modal or spectral."""

    moves_sheets = True

    modes: Whole = Field(25, ge=1, le=500, description="how many: those that sway most in the wind")
    pose: Literal["rotated", "linear", "corrected"] = Field(
        "rotated", description="rotated keeps all lengths; linear stretches in strong wind; corrected is the paper's"
    )
    cells: Whole = Field(4, ge=1, le=64, description="parts of the crown that feel the wind by themselves")
    twigs: Flag = Field(True, description="whether twigs that the modes leave out quiver, where they can be seen")

    @property
    def modes_needed(self) -> tuple[int, int]:
        """How many modes, and in how many cells of the crown they feel the wind."""
        return self.modes, self.cells

    def quivers_above(self, specimen: Specimen) -> float | None:
        """The mean frequency of the modes left out, Hz, if twigs quiver."""
        modes = specimen.modes
        return modes.static_frequency if modes and self.twigs and not modes.conditions.sheets else None

    def for_sheets(self, specimen: Specimen) -> Self:
        """A sheet that is held at both ends is posed linearly: a rotated row would not reach the other end."""
        held = any(not sheet.own[:, -1].any() for sheet in specimen.sheets)
        return self.model_copy(update={"pose": "linear"}) if held else self
