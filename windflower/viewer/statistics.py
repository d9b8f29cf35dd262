"""Frame statistics: times and counts, as lines of text."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from windflower.render.frame import Frame
from windflower.scene import Scene

__all__ = ["FrameStatistics"]

NEWEST_WEIGHT = 0.1  # weight of the newest frame in a running mean


@dataclass
class FrameStatistics:
    """Counts of the latest frame, and running means of times.

    frame     time from frame to frame, s
    motion    time that the motion took, s
    passes    time of each render pass, s
    counts    counts that motions report, by name: branches by what moves them
    """

    frame: float = 0.0
    motion: float = 0.0
    passes: dict[str, float] = field(default_factory=dict)
    drawn: Frame | None = None
    scene: Scene | None = None
    counts: dict[str, float] = field(default_factory=dict)

    def add(self, frame: float, motion: float) -> None:
        """Add the times of a frame, s."""
        self.frame += (NEWEST_WEIGHT if self.frame else 1.0) * (frame - self.frame)
        self.motion += (NEWEST_WEIGHT if self.motion else 1.0) * (motion - self.motion)

    def lines(self) -> Iterator[tuple[str, str]]:
        """Pairs of name and value, as text."""
        yield "frame rate", f"{1 / self.frame:.1f} fps" if self.frame > 0 else "–"
        yield "motion", f"{1000 * self.motion:.1f} ms"
        for name, seconds in self.passes.items():
            yield f"{name} pass", f"{1000 * seconds:.1f} ms"
        if self.drawn and self.scene:
            yield "trees", f"{self.drawn.trees:,} of {self.scene.trees:,}"
            yield "nodes", f"{self.drawn.nodes:,}"
            yield "modes", f"{self.scene.modes:,}"
            yield "triangles", f"{self.drawn.triangles:,}"
            yield "detail factor", f"{self.drawn.factor:.2f}"
        for name, count in self.counts.items():
            yield name, f"{count:,.0f}" if count == int(count) else f"{count:,.1f}"
