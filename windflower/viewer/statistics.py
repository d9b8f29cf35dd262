"""What a frame costs and what it draws, as lines of text."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from windflower.motion.hybrid.branch_kinds import Statistics as BranchCounts
from windflower.render.stage import Drawn
from windflower.scene import Scene

__all__ = ["FrameStatistics"]

BRANCHES = {
    "branches fixed": "fixed",
    "animated": "animated",
    "in transition": "transition",
    "physical": "physical",
    "held": "held",
}
NEWEST_WEIGHT = 0.1  # of the newest frame in a running mean


@dataclass
class FrameStatistics:
    """Counts of the latest frame, and running means of times.

    frame     time from frame to frame, s
    motion    time that the motion took, s
    passes    time of each render pass, s
    branches  counts of branches by what moves them, one for each block of different trees
    """

    frame: float = 0.0
    motion: float = 0.0
    passes: dict[str, float] = field(default_factory=dict)
    drawn: Drawn | None = None
    scene: Scene | None = None
    branches: list[BranchCounts] = field(default_factory=list)

    def add(self, frame: float, motion: float) -> None:
        """Add the times of a frame, s."""
        self.frame += (NEWEST_WEIGHT if self.frame else 1.0) * (frame - self.frame)
        self.motion += (NEWEST_WEIGHT if self.motion else 1.0) * (motion - self.motion)

    def lines(self) -> Iterator[tuple[str, str]]:
        """Names and values."""
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
        if self.branches:
            yield from self._branches()

    def _branches(self) -> Iterator[tuple[str, str]]:
        """Counts of branches by what moves them, and the memory of the physical ones."""
        for name, key in BRANCHES.items():
            yield name, f"{sum(getattr(block, key) for block in self.branches):,}"
        yield "physical state", f"{sum(block.physical_bytes for block in self.branches) / 1000:,.1f} kB"
