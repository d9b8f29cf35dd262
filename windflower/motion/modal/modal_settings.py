"""Settings of modal motion in a scene file."""

from typing import Any, Literal

from windflower.motion.contract import Motion
from windflower.motion.modal.modal_motion import ModalMotion
from windflower.motion.settings import Circumstances, ModesSettings, Specimen

__all__ = ["ModalSettings"]


class ModalSettings(ModesSettings):
    """Motion by the plant's own modes (Diener et al. 2009)."""

    kind: Literal["modal"]

    def motion(self, specimen: Specimen, around: Circumstances) -> Motion[Any]:
        """The modes of a specimen in motion."""
        assert specimen.modes is not None  # as asked for
        return ModalMotion.in_wind(specimen.modes, around.wind, pose=self.pose)
