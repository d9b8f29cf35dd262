"""Motion that repeats, made in the frequency domain (Stam 1996). Equation numbers are Stam's.

    air at the branches ──> forces ──> response ──> Loop ──> LoopMotion ──> any time

spectral_motion    the NumPy model: modes in a random wind, without steps
correlated         random air at many branches, and the cross-spectrum of the modal forces
eddies             air of a real wind spectrum; noise_filter  the paper's filtered noise
force_spectrum     how strong forces are between the lines of a loop; response  what the lines must carry of the answer
exposure           what the wind at each branch does to the plant; linear_drag  drag to first order
loop, loop_motion  Fourier series in time, and a motion that plays them; on disk and back
loop_summary       a loop in a few numbers; ladder  loops from breeze to storm that fade into one another
spectral_settings  its keys in a scene file; spectral_checks  of what it is given
loop_twin          the same on the device, by loop.wgsl; registered as "spectral"
"""

from windflower.motion.spectral.ladder import Ladder
from windflower.motion.spectral.loop_motion import LoopMotion, read_loop
from windflower.motion.spectral.loop_summary import LoopSummary, loop_summary
from windflower.motion.spectral.noise_filter import NoiseFilter
from windflower.motion.spectral.spectral_motion import SpectralMotion
from windflower.motion.spectral.spectral_settings import SpectralSettings

__all__ = [
    "Ladder",
    "LoopMotion",
    "LoopSummary",
    "NoiseFilter",
    "SpectralMotion",
    "SpectralSettings",
    "loop_summary",
    "read_loop",
]
