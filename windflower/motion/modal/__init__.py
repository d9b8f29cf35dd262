"""Modes under wind and hands (Diener et al. 2009).

modal_motion    the model: NumPy, beside the equations; hands, sheet_limits are parts of it
modal_settings  what a scene file may say
modal_twin      the same on the device, by modal_kernels: instances, held plants, step.wgsl
carrying        taking over from another motion by shapes
"""

from windflower.motion.modal.modal_motion import ModalMotion, ModalState
from windflower.motion.modal.modal_settings import ModalSettings
from windflower.motion.modal.modal_twin import ModalTwin
from windflower.motion.registry import MotionKind

__all__ = ["KIND", "ModalMotion", "ModalSettings", "ModalState"]

KIND = MotionKind(ModalSettings, ModalTwin)
