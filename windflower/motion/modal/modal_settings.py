"""Settings of modal motion in a scene file."""

from typing import Any, Literal

import numpy as np
from pydantic import Field

from windflower.mechanics import Modes
from windflower.mechanics.analysis import without_leaves
from windflower.motion.contract import Motion
from windflower.motion.modal.admittance import admittance_in
from windflower.motion.modal.felt import felt_at
from windflower.motion.modal.modal_motion import ModalMotion
from windflower.motion.settings import Circumstances, ModesSettings, Specimen

__all__ = ["ModalSettings"]


class ModalSettings(ModesSettings):
    """Motion by the plant's own modes (Diener et al. 2009)."""

    never_breaks = None

    kind: Literal["modal"]
    integrator: Literal["exact", "paper"] = Field(
        "exact", description="exact for any step; or the printed Euler step, which fast modes make diverge"
    )

    def motion(self, specimen: Specimen, around: Circumstances) -> Motion[Any]:
        """The modes of a specimen in motion."""
        assert specimen.modes is not None  # as asked for
        return self._motion(specimen.modes, around)

    def _motion(self, modes: Modes, around: Circumstances) -> ModalMotion:
        if around.canopy is None:
            return ModalMotion.in_wind(modes, around.wind, pose=self.pose, integrator=self.integrator)
        speed = float(np.linalg.norm(around.wind.mean))
        felt = felt_at(modes, around.canopy, around.scale)
        share = float(around.canopy.mean(around.scale * felt).mean())
        admittance = admittance_in(modes, around.wind, felt=felt, profile=around.canopy)

        def bare() -> ModalMotion:
            return self._motion(without_leaves(modes), around)

        return ModalMotion(
            modes,
            pose=self.pose,
            speed=share * speed,
            integrator=self.integrator,
            felt=felt,
            admittance=admittance,
            bare=bare,
        )
