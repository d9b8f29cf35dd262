"""What a scene file may say of modal motion."""

from typing import Any, Literal

import numpy as np
from pydantic import Field

from windflower.core.table import Flag, Whole
from windflower.motion.contract import Motion
from windflower.motion.modal.modal_motion import ModalMotion
from windflower.motion.settings import Circumstances, MotionSettings, Specimen

__all__ = ["ModalSettings"]


class ModalSettings(MotionSettings):
    """Motion by the plant's own modes (Diener et al. 2009)."""

    moves_sheets = True

    kind: Literal["modal"]
    modes: Whole = Field(25, ge=1, le=500, description="how many, the slowest first")
    pose: Literal["rotated", "linear", "corrected"] = Field(
        "rotated", description="rotated keeps all lengths; linear stretches in strong wind; corrected is the paper's"
    )
    cells: Whole = Field(4, ge=1, le=64, description="parts of the crown that feel the wind by themselves")
    twigs: Flag = Field(True, description="whether twigs that the modes leave out quiver, where they can be seen")

    @property
    def modes_needed(self) -> tuple[int, int]:
        """How many modes, and in how many cells of the crown they feel the wind."""
        return self.modes, self.cells

    def motion(self, specimen: Specimen, around: Circumstances) -> Motion[Any]:
        """The modes of a specimen in motion."""
        assert specimen.modes is not None  # as asked for
        return ModalMotion(specimen.modes, pose=self.pose, speed=float(np.linalg.norm(around.wind.mean)))

    def quivers_above(self, specimen: Specimen) -> float | None:
        """The frequency of the first mode left out, if twigs quiver."""
        modes = specimen.modes
        return modes.static_frequency if modes and self.twigs and not modes.conditions.sheets else None

    def suited(self, specimen: Specimen) -> "ModalSettings":
        """A sheet that is held at both ends is posed linearly: a rotated row would not reach the other end."""
        sheets = specimen.modes.conditions.sheets if specimen.modes else ()
        held = any(not sheet.own[:, -1].any() for sheet in sheets)
        return self.model_copy(update={"pose": "linear"}) if held else self
