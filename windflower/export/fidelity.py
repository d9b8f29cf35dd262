"""How far what is written is from the mesh that we draw: every export with motion says it."""

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.core.text import plain

__all__ = ["error_told", "rms"]

STILL = 1e-4  # m: what moves less has no share of its motion told


def error_told(clip: str, off: FloatArray, wanted: FloatArray, rest: FloatArray | None = None) -> str:
    """A sentence on how far vertices are off from those (frames, vertices, 3) that are wanted in a clip, m.

    rest  where they are at rest, if they are bound there
    """
    wrong, motion = rms(off), max(rms(wanted - wanted.mean(axis=0)), 1e-9)
    said = f"{clip}: vertices are {millimetres(wrong)} rms from the posed mesh, "
    if motion < STILL:
        return said + f"and move less than {1000 * STILL:g} mm"
    said += f"{100 * wrong / motion:.1f} % of their motion of {millimetres(motion)}"
    if rest is None:
        return said
    way = max(rms(wanted - rest), 1e-9)
    return said + f", {100 * wrong / way:.1f} % of their way of {millimetres(way)} from rest"


def millimetres(length: float) -> str:
    """Three digits, so that a share can be worked out again from what is told: 0.074 mm, 11.4 mm, 204 mm."""
    return f"{plain(1000 * length, 3)} mm"


def rms(vectors: FloatArray) -> float:
    """Root mean square of the lengths of vectors (…, 3)."""
    return float(np.sqrt((vectors**2).sum(axis=-1).mean()))
