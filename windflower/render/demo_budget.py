"""How large a demo a device can draw within a minute: settings to choose from, what their frames cost, the choice."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf

from windflower.render.quality import quality_of, with_triangles

__all__ = [
    "FLOOR",
    "FULL",
    "LADDER",
    "LIMIT",
    "SMALL",
    "Choice",
    "DemoSettings",
    "Measured",
    "choose",
    "finer_still",
    "frame_cost",
    "reachable",
]

LIMIT = 56.0
"""Seconds after the command at which a clip ends: a minute is promised, and starting and the encoder take some, too."""
AGAIN = 0.4  # of the time that the first forest took to prepare, for each plant of a species in another one
CAUTION = 1.3  # how much slower than in a moment's measurement frames may become: other programs run, too

# Fitted to Mesa's software driver, within 10 %, for 50 to 1,000 trees at 640x360 to 960x540; over the cost of `SMALL`.
TREE_TRIANGLES = 3100  # of a tree in full detail
FIXED, BY_TRIANGLE, BY_PIXEL = 0.21, 2.0e-6, 0.505 / (960 * 540)
FOUR_SAMPLES = 4.1  # cost of four samples a pixel over that of one, beside that of triangles


@dataclass(frozen=True)
class DemoSettings:
    """What a demo draws.

    size       width and height, pixels
    seconds    length of the clip, s; start: time in the scene at which it begins, s
    fps        frames a second
    specimens  different plants of a species at most
    triangles  of a frame, where the quality has fewer
    """

    trees: int
    size: tuple[int, int]
    seconds: float
    fps: float
    quality: str = "good"
    specimens: int = 1
    triangles: int = 0
    start: float = 1.5  # a little before the gust comes to a small forest

    @property
    def frames(self) -> int:
        """How many frames the clip has; at least one."""
        return max(1, round(self.seconds * self.fps))

    def draws_like(self, other: "DemoSettings") -> bool:
        """Whether one frame is like one of the other's: only length and rate of the clip may differ."""
        return replace(self, seconds=other.seconds, fps=other.fps) == other


FULL = DemoSettings(1000, (960, 540), 6.0, 24.0, specimens=3, start=0.0)
MORE = 200_000  # triangles with which a spruce near by still has its needles
SMALL = DemoSettings(50, (960, 540), 4.0, 15.0, "draft", triangles=MORE)
FLOOR = DemoSettings(50, (640, 360), 4.0, 12.0, "draft")
LADDER = (
    FULL,
    DemoSettings(400, (960, 540), 5.0, 24.0, specimens=2),
    DemoSettings(200, (960, 540), 4.0, 24.0),
    replace(SMALL, trees=200, fps=24.0),
    replace(SMALL, fps=24.0),
    SMALL,
    DemoSettings(50, (640, 360), 4.0, 15.0, "draft"),
    FLOOR,
)
"""From the full demo to the least that is worth seeing. `SMALL` is measured first where there is no graphics card."""


def frame_cost(settings: DemoSettings, *, software: bool) -> float:
    """Cost of a frame over that of one of `SMALL` on a software driver."""
    quality = with_triangles(quality_of(settings.quality, software=software), settings.triangles)
    triangles = min(TREE_TRIANGLES * settings.trees, quality.for_plants)
    pixels = FIXED + BY_PIXEL * settings.size[0] * settings.size[1]
    return BY_TRIANGLE * triangles + pixels * (1.0 if quality.samples == 1 else FOUR_SAMPLES)


@dataclass(frozen=True)
class Measured:
    """A device, by what it took to draw some settings.

    frame      seconds that one of their frames took
    preparing  seconds until the first of them
    """

    settings: DemoSettings
    frame: float
    preparing: float
    software: bool

    def frame_of(self, settings: DemoSettings) -> float:
        """Seconds that a frame of others is expected to take."""
        own = frame_cost(self.settings, software=self.software)
        return self.frame * frame_cost(settings, software=self.software) / own

    def seconds(self, settings: DemoSettings) -> float:
        """Seconds that a clip of others is expected to take, with what must be prepared for it."""
        known = settings.draws_like(self.settings)
        preparing = 0.0 if known else AGAIN * settings.specimens * self.preparing
        return self.frame_of(settings) * settings.frames + preparing


@dataclass(frozen=True)
class Choice:
    """What is drawn, and what it takes.

    frame    seconds that a frame is expected to take
    seconds  that the clip is expected to take, with what must be prepared for it
    full     the same for the full demo
    """

    settings: DemoSettings
    frame: float
    seconds: float
    full: float


def choose(ladder: Sequence[DemoSettings], device: Measured, *, left: float = inf) -> Choice:
    """The first settings of a ladder whose clip is done in the seconds that are left, or its last."""
    fitting = (settings for settings in ladder if CAUTION * device.seconds(settings) <= left)
    chosen = next(fitting, ladder[-1])
    return Choice(chosen, device.frame_of(chosen), device.seconds(chosen), device.seconds(ladder[0]))


def finer_still(settings: DemoSettings) -> DemoSettings:
    """What a still shows of a clip that was drawn as a draft: one picture may take longer than a frame."""
    return replace(settings, quality="good", triangles=0, seconds=0.0, start=settings.start + settings.seconds / 2)


def reachable(count: int, done: int, *, frame: float, left: float) -> int:
    """How many of a clip's frames there will be: all, or as many as can be drawn in the seconds that are left.

    done   frames behind; there is at least one
    frame  seconds that one takes
    """
    if left == inf or frame <= 0:
        return count
    return max(1, min(count, done + int(max(left, 0.0) / frame)))
