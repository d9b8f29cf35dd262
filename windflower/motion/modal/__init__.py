"""Modes under wind and hands (Diener et al. 2009).

modal_state     amplitudes of modes and static vectors
modal_motion    the NumPy model, beside the equations; compiled_steps  loops for it that numba compiles
hands_on_modes  the forces of hands; held_path  how a held node moves on the posed plant
posed_forces    what the wind does to a plant that has turned far; cubature  the few segments by which it is found
shed_leaves     the motion of the same plant with fewer leaves
modal_settings  its keys in a scene file
modal_twin      the same on the device; registered as "modal"
modal_kernels   buffers and dispatches of the twin, and the plants that hands hold
instances       a block of instances in its buffers; step.wgsl moves it, poses/*.wgsl pose it
"""

from windflower.motion.modal.modal_motion import ModalMotion
from windflower.motion.modal.modal_settings import ModalSettings
from windflower.motion.modal.modal_state import ModalState

__all__ = ["ModalMotion", "ModalSettings", "ModalState"]
