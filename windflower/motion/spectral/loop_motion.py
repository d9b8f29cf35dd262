"""A plant whose motion repeats: a table of amounts in place of a simulation (Stam 1996, §6, 7).

`at(t)` answers for any time, in any order: there is no step and no state. For a stand the same table is read at
another time for each instance. It also offers what every motion does, with a clock in place of a state.
"""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from windflower.core.arrays import FloatArray
from windflower.core.files import write_archive
from windflower.core.numpy_files import read_archive
from windflower.errors import FileError, MotionError, WindflowerError
from windflower.motion.contract import one_of
from windflower.motion.poses.correction import CorrectedPose
from windflower.motion.poses.pose import LinearPose, Pose, RotatedPose, ShapeState
from windflower.motion.repeating import LoopState, RepeatingMotion
from windflower.motion.spectral.loop import Loop, checked_times
from windflower.plant.graph import Leaves, Plant

__all__ = ["Clip", "LoopMotion", "read_loop"]

POSES: dict[str, Callable[[Plant, FloatArray], Pose]] = {
    "rotated": RotatedPose,
    "linear": LinearPose,
    "corrected": CorrectedPose,
}
READINGS = {"exact": Loop.at, "linear": Loop.between_samples}
LARGEST = 1e9  # of the numbers of a loop: metres, m/s and what multiplies them
TOGETHER = 64  # frames posed at once
SOON = 1e-3  # s over which a speed is told
PLANT = ("parent", "position", "radius", "base_radius", "order")
LEAVES = ("node", "place", "orientation", "size")


@dataclass(frozen=True, eq=False)
class Clip:
    """One period of a plant's motion, and of the wind that makes it.

    amount  how much there is of each shape: modes, then static vectors cell by cell
    air     the wind in the world, mean over the crown, m/s
    """

    amount: Loop
    air: Loop


class LoopMotion(RepeatingMotion):
    """A plant that plays a clip over and over.

    plant     the plant at rest
    shapes    (shapes, nodes, 3 or 6) what amounts are amounts of: displacement, m, and rotation vector
    clips     one for each heading of the plant: clip h of H is that of a plant turned by h/H of a full turn
    pose      "rotated", "linear" or "corrected", as in `ModalMotion`
    reading   "exact": the series itself; "linear": straight lines between samples, as in the paper
    """

    kind = "spectral"

    def __init__(
        self,
        plant: Plant,
        shapes: FloatArray,
        clips: Sequence[Clip],
        *,
        pose: str = "rotated",
        reading: str = "exact",
    ) -> None:
        one_of("a pose", pose, tuple(POSES))
        one_of("a reading", reading, tuple(READINGS))
        self._plant, self.shapes, self.clips = plant, shapes, tuple(clips)
        self.pose_name, self.reading = pose, reading
        self._pose, self._read = POSES[pose](plant, shapes), READINGS[reading]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.plant!r}: {len(self.shapes)} shapes, every {self.period:g} s>"

    @property
    def plant(self) -> Plant:
        """The plant that moves."""
        return self._plant

    @property
    def clip(self) -> Clip:
        """The clip of the unturned plant."""
        return self.clips[0]

    @property
    def loop(self) -> Loop:
        """The amounts of shapes of the unturned plant."""
        return self.clip.amount

    @property
    def period(self) -> float:
        """The time after which it repeats exactly, s."""
        return self.loop.period

    @property
    def headings(self) -> int:
        """How many clips there are."""
        return len(self.clips)

    @property
    def instance_bytes(self) -> int:
        """Bytes of amounts, place and air of one instance on the device."""
        return 8 * len(self.shapes) + 32

    @property
    def plant_bytes(self) -> int:
        """Bytes of the shapes at all levels, and of the table, on the device."""
        table = 8 * len(self.clips) * 4 * self.loop.samples * (len(self.shapes) + 3)
        return table + sum(level.plant.nodes * (12 * len(self.shapes) + 64) for level in self.levels)

    def at(self, t: ArrayLike) -> FloatArray:
        """(nodes, 3) node positions at a time in s, or (times, nodes, 3) at many; in the plant's own frame, m."""
        times = checked_times(t)
        points = self._pose.points(self._read(self.loop, times.reshape(-1)))
        return points.reshape(*times.shape, self.plant.nodes, 3)

    @property
    def natural_frequencies(self) -> FloatArray:
        """(modes,) Hz; none where the modes behind the clips are not known."""
        return np.empty(0)

    def expected_density(self, node: int, directions: FloatArray) -> FloatArray | None:
        """(waves, n) power density of a node's linear displacement along directions (n, 3), m²/Hz.

        The mean over all loops in the same wind; None where that wind is not known, as in a loop read from a file.
        """
        del node, directions
        return None

    def watched(self, node: int | None) -> int:
        """A node that there is; by default the highest."""
        if node is None:
            return int(np.argmax(self.plant.position[:, 1]))
        if not 0 <= node < self.plant.nodes:
            raise MotionError(f"the plant has {self.plant.nodes} nodes; node {node} is not among them.")
        return node

    def left_out(self, node: int | None = None) -> float | None:
        """Share of the long-time variance of a node's sway that is too slow for the loop; None where it is not known.

        By default of the highest node.
        """
        del node
        return None

    def frame_times(self, fps: float) -> FloatArray:
        """(frames,) the times of the frames of one period, at `fps` frames a second or as near as a loop allows."""
        if not (np.isfinite(fps) and fps > 0):
            raise MotionError(f"frames a second must be a positive number; it is {fps:g}. 30 is usual.")
        frames = max(1, round(self.period * fps))
        return np.asarray(np.arange(frames) * (self.period / frames))

    def path(self, node: int, fps: float) -> FloatArray:
        """(frames, 3) positions of one node at the times of `frame_times`; many frames come of one transform, m."""
        node, times = self.watched(node), self.frame_times(fps)
        if self.reading == "exact" and len(times) >= self.loop.samples:
            amounts = self.loop.table(len(times))
        else:
            amounts = self._read(self.loop, times)
        parts = np.array_split(amounts, -(-len(times) // TOGETHER))  # so that not all poses are kept
        return np.concatenate([self._pose.points(part)[:, node] for part in parts])

    def with_clips(self, clips: Sequence[Clip]) -> "LoopMotion":
        """The same plant and pose with other clips; nothing is worked out anew."""
        other = object.__new__(LoopMotion)
        for name in ("_plant", "shapes", "pose_name", "reading", "_pose", "_read"):
            setattr(other, name, getattr(self, name))
        other.clips = tuple(clips)
        return other

    def pose(self, state: LoopState, *, out: FloatArray | None = None) -> FloatArray:
        """(count, nodes, 3) node positions in the plant's own frame, m; written into `out` if given."""
        return self._pose.points(self.amount(state), out)

    def amount(self, state: LoopState) -> FloatArray:
        """(count, shapes) how much there is of each shape.

        All instances keep the table's own pace, so that the whole stand repeats; a stiffer one sways less.
        """
        amounts = self.by_heading(state, [partial(self._read, clip.amount) for clip in self.clips])
        return amounts / state.places.stiffness[:, None]

    def shape_state(self, state: LoopState) -> ShapeState:
        """Amounts of shapes, and how fast they change."""
        now, soon = (self.amount(replace(state, time=state.time + later)) for later in (0.0, SOON))
        return ShapeState(self.plant, state.places, self.shapes, now, (soon - now) / SOON)

    def air(self, state: LoopState, air: FloatArray | None = None) -> FloatArray:  # noqa: ARG002 - it has its own
        """(count, 3) the wind that each instance sways in, mean over its crown, in the world, m/s."""
        return self.by_heading(state, [partial(self._read, clip.air) for clip in self.clips])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write plant, shapes and table as a NumPy archive, which `read_loop` reads back bit by bit."""
        arrays = {f"plant_{name}": getattr(self.plant, name) for name in PLANT}
        arrays |= {f"leaf_{name}": getattr(self.plant.leaves, name) for name in LEAVES}
        for name in ("amount", "air"):
            loops = [getattr(clip, name) for clip in self.clips]
            arrays |= {f"{name}_{part}": np.stack([getattr(loop, part) for loop in loops]) for part in ("mean", "wave")}
        facts = {
            "species": self.plant.species,
            "seed": self.plant.seed,
            "period": self.period,
            "pose": self.pose_name,
            "reading": self.reading,
        }
        write_archive(path, "loop", arrays | {"shapes": self.shapes}, facts)


def _checked_period(period: object) -> float:
    if not isinstance(period, int | float) or not 1 / LARGEST < period < LARGEST:
        raise ValueError("a period is a number of seconds")
    return float(period)


def _check_arrays(arrays: dict[str, NDArray[np.generic]], nodes: int) -> None:
    """Refuse shapes, means and waves of a file that do not fit together or are not finite."""
    shapes = len(arrays["shapes"])
    clips, waves, _ = arrays["amount_wave"].shape
    wanted = {
        "shapes": (shapes, nodes, 3 if arrays["shapes"].shape[-1:] == (3,) else 6),
        "amount_mean": (clips, shapes),
        "amount_wave": (clips, waves, shapes),
        "air_mean": (clips, 3),
        "air_wave": (clips, waves, 3),
    }
    for name, shape in wanted.items():
        kinds = "fc" if name.endswith("wave") else "f"
        if arrays[name].shape != shape or 0 in shape or arrays[name].dtype.kind not in kinds:
            raise ValueError(f"{name} does not fit")
        if not np.abs(arrays[name].astype(complex)).max() < LARGEST:
            raise ValueError(f"{name} is not finite")


def read_loop(path: str | os.PathLike[str]) -> LoopMotion:
    """Read what `LoopMotion.save` wrote.

    path  the .npz file
    """
    arrays, facts = read_archive(path, "loop")
    try:
        plant = Plant(
            **{name: arrays[f"plant_{name}"] for name in PLANT},
            leaves=Leaves(**{name: arrays[f"leaf_{name}"] for name in LEAVES}),
            species=facts["species"],
            seed=facts["seed"],
        )
        parts = zip(*(arrays[name] for name in ("amount_mean", "amount_wave", "air_mean", "air_wave")), strict=True)
        period = _checked_period(facts["period"])
        _check_arrays(arrays, plant.nodes)
        clips = [Clip(Loop(period, mean, wave), Loop(period, *air)) for mean, wave, *air in parts]
        return LoopMotion(plant, arrays["shapes"], clips, pose=facts["pose"], reading=facts["reading"])
    except (AttributeError, IndexError, KeyError, TypeError, ValueError, WindflowerError):
        raise FileError(f"{path} lacks a part of the loop, or has a wrong one. Save it again.") from None
