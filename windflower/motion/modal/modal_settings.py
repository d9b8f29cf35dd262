"""Settings of modal motion in a scene file."""

from typing import Any, Literal

import numpy as np

from windflower.motion.contract import Motion
from windflower.motion.modal.admittance import admittance_in
from windflower.motion.modal.felt import felt_at
from windflower.motion.modal.modal_motion import ModalMotion
from windflower.motion.settings import Circumstances, ModesSettings, Specimen

__all__ = ["ModalSettings"]


class ModalSettings(ModesSettings):
    """Motion by the plant's own modes (Diener et al. 2009)."""

    kind: Literal["modal"]

    def motion(self, specimen: Specimen, around: Circumstances) -> Motion[Any]:
        """The modes of a specimen in motion."""
        assert specimen.modes is not None  # as asked for
        if around.canopy is None:
            return ModalMotion.in_wind(specimen.modes, around.wind, pose=self.pose)
        speed = float(np.linalg.norm(around.wind.mean))
        felt = felt_at(specimen.modes, around.canopy, around.scale)
        share = float(around.canopy.mean(around.scale * felt).mean())
        admittance = admittance_in(specimen.modes, around.wind, felt=felt, profile=around.canopy)
        return ModalMotion(specimen.modes, pose=self.pose, speed=share * speed, felt=felt, admittance=admittance)
