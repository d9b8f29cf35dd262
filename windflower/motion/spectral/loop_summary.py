"""What a person wants to know of a loop: how far it leans and sways, how fast, and whether its seam shows."""

from dataclasses import dataclass

import numpy as np

from windflower.motion.spectral.loop_motion import LoopMotion

__all__ = ["LoopSummary", "loop_summary"]

NUDGE = 1e-6  # s, to both sides of the seam


@dataclass(frozen=True, eq=False, kw_only=True)
class LoopSummary:
    """A loop in a few numbers.

    node           the one that is watched
    wind           mean speed over the crown, m/s
    lean           of the node in the mean wind, m
    along, across  rms sway of the node along the wind and across it, level, m
    farthest       largest distance of the node from its mean place, m
    frequency      at which it sways most, Hz
    seam           largest jump of any node from the end of a period to the beginning of the next, m
    seam_rate      largest change of any node's first difference there, over `NUDGE`, m
    left_out       share of the long-time variance of the node's sway that is too slow for the loop; None if not known
    """

    node: int
    wind: float
    lean: float
    along: float
    across: float
    farthest: float
    frequency: float
    seam: float
    seam_rate: float
    left_out: float | None


def loop_summary(motion: LoopMotion, *, node: int | None = None) -> LoopSummary:
    """The summary of a loop, from one node watched for a period, by default the highest."""
    node = motion.watched(node)
    path = motion.path(node, max(30.0, motion.loop.samples / motion.period))
    mean = path.mean(axis=0)
    wind = motion.clip.air.mean
    along = wind * (1, 0, 1) / max(float(np.hypot(wind[0], wind[2])), 1e-12)
    across = np.cross(along, (0.0, 1.0, 0.0))
    spectrum = (np.abs(np.fft.rfft(path - mean, axis=0)) ** 2).sum(axis=1)
    before, end, begin, after = motion.at(np.array([-NUDGE, motion.period, 0.0, NUDGE]))
    return LoopSummary(
        node=node,
        wind=float(np.linalg.norm(wind)),
        lean=float(np.linalg.norm(mean - motion.plant.position[node])),
        along=float((path @ along).std()),
        across=float((path @ across).std()),
        farthest=float(np.linalg.norm(path - mean, axis=1).max()),
        frequency=float(np.argmax(spectrum) / motion.period),
        seam=float(np.abs(end - begin).max()),
        seam_rate=float(np.abs((after - begin) - (end - before)).max()),
        left_out=motion.left_out(node),
    )
