"""How many joints an error needs: tried with few, then with as many as what rigid parts get wrong lets expect."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from windflower.core.text import plain
from windflower.export.moving_plant import MovingPlant
from windflower.export.settings import ExportSettings, Report
from windflower.motion.stand import Stand

__all__ = ["fitted", "within_error"]

LOG = logging.getLogger(__name__)
FIRST, MOST = 16, 4096  # joints that are tried
NEAR = 1.1  # times as many as too few are that are good enough
AIM, ENOUGH = 0.97, 0.9  # of the error: what guesses aim at, and what is not tried again with fewer joints
POWER = 1.5  # of what rigid parts get wrong, to which what a skin gets wrong goes, until two rigs have told it
SLOPES = 0.7, 3.0  # between which that power lies
TRIES = 8


@dataclass(frozen=True, eq=False)
class _Tried:
    """A rig, its error in the worst clip over what is asked for, and what rigid parts on its joints get wrong, m."""

    moving: MovingPlant
    error: float
    rigid: float

    @property
    def joints(self) -> int:
        return len(self.moving.rig)


def fitted(stands: Sequence[Stand], clips: list[str], how: ExportSettings, report: Report) -> MovingPlant:
    """The plant of stands that play clips, on as many joints as are asked for, or as an error needs in all clips."""
    by_error = how.within is not None or how.within_share is not None
    joints = FIRST if by_error else how.joints
    moving = MovingPlant(stands, clips, joints=joints, fps=how.fps, triangles=how.triangles)
    return within_error(moving, how, report) if by_error else moving


def within_error(moving: MovingPlant, how: ExportSettings, report: Report) -> MovingPlant:
    """The plant on as few joints as its error needs, or as near to it as can be."""
    tried = [_tried(moving, how)]
    while len(tried) < TRIES and (joints := _next(tried)) is not None:
        report(f"fitting {joints} joints", 0.7)
        tried.append(_tried(moving.with_joints(joints), how))
    within = [one for one in tried if one.error <= 1]
    if within:
        return min(within, key=lambda one: one.joints).moving
    best = min(tried, key=lambda one: one.error)
    LOG.warning(_missed(best, how))
    return best.moving


def _missed(best: _Tried, how: ExportSettings) -> str:
    """That an error is not met, by how much, and what to do."""
    motion = max(motion for _, motion in map(best.moving.error, best.moving.clips))
    asked = how.within if how.within is not None else (how.within_share or 0.0) * motion
    said = f"{plain(1000 * asked)} mm" if how.within is not None else f"{100 * asked / motion:.3g} % of the motion"
    left = best.error * asked
    got = f"{plain(1000 * left)} mm" if how.within is not None else f"{100 * left / motion:.3g} %"
    return (
        f"vertices of {best.moving.title} are to be within {said} of the posed mesh; {best.joints} joints, which are "
        f"all that help, leave {got}. Allow more by --within, or write them --as morph or as a texture (.exr)."
    )


def _tried(moving: MovingPlant, how: ExportSettings) -> _Tried:
    errors = [moving.error(clip) for clip in moving.clips]
    wanted = [how.within if how.within is not None else (how.within_share or 0.0) * motion for _, motion in errors]
    worst = max(wrong / max(most, 1e-9) for (wrong, _), most in zip(errors, wanted, strict=True))
    return _Tried(moving, worst, moving.order.wrong(len(moving.rig)))


def _next(tried: list[_Tried]) -> int | None:
    """The number of joints to try next; None if the last or an earlier one will do, or none can."""
    last = tried[-1]
    low = max((one.joints for one in tried if one.error > 1), default=0)
    high = min((one.joints for one in tried if one.error <= 1), default=None)
    least = last.rigid * (AIM / max(last.error, 1e-9)) ** (1 / _power(tried))
    joints = min(last.moving.order.fewest(least), MOST)
    if high is None:
        joints = min(max(joints, low + low // 8 + 1), MOST)
        return joints if low < min(joints, last.moving.order.most) else None
    if high <= NEAR * low or high <= FIRST or any(ENOUGH <= one.error <= 1 for one in tried):
        return None
    joints = int(np.clip(joints, low + (high - low) // 8, high - (high - low) // 8))
    return joints if low < joints < high else None


def _power(tried: list[_Tried]) -> float:
    if len(tried) < 2 or tried[-1].rigid == tried[-2].rigid:
        return POWER
    (error, rigid), (before, was) = ((one.error, one.rigid) for one in (tried[-1], tried[-2]))
    return float(np.clip(np.log(error / before) / np.log(rigid / was), *SLOPES))
