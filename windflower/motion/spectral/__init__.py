"""Motion that repeats, made in the frequency domain (Stam 1996); `motion` draws how. Equation numbers are Stam's."""

from windflower.motion.registry import MotionKind
from windflower.motion.spectral.loop_motion import LoopMotion, LoopState, read_loop
from windflower.motion.spectral.loop_twin import LoopTwin
from windflower.motion.spectral.noise_filter import NoiseFilter
from windflower.motion.spectral.spectral_motion import SpectralMotion
from windflower.motion.spectral.spectral_settings import SpectralSettings

__all__ = ["KIND", "LoopMotion", "LoopState", "NoiseFilter", "SpectralMotion", "SpectralSettings", "read_loop"]

KIND = MotionKind(SpectralSettings, LoopTwin)
