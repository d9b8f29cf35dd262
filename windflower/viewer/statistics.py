"""What a frame costs and what it shows, as lines for people."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from windflower.motion.hybrid.branch_kinds import Statistics as Kinds
from windflower.render.stage import Drawn
from windflower.scene import Scene

__all__ = ["Statistics"]

KINDS = {
    "branches fixed": "fixed",
    "animated": "animated",
    "in transition": "transition",
    "physical": "physical",
    "held": "held",
}
SMOOTH = 0.1  # weight of the newest frame


@dataclass
class Statistics:
    """Counts and times of the latest frames; times are in seconds."""

    frame: float = 0.0
    motion: float = 0.0
    passes: dict[str, float] = field(default_factory=dict)
    drawn: Drawn | None = None
    scene: Scene | None = None
    device: str = ""
    branches: list[Kinds] = field(default_factory=list)

    def add(self, frame: float, motion: float) -> None:
        """One more frame, and how long its motion took."""
        self.frame += (SMOOTH if self.frame else 1.0) * (frame - self.frame)
        self.motion += (SMOOTH if self.motion else 1.0) * (motion - self.motion)

    def lines(self) -> Iterator[tuple[str, str]]:
        """Names and values."""
        yield "frames a second", f"{1 / self.frame:.1f}" if self.frame > 0 else "–"
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
        """How many branches move how, of all blocks of different trees, and the memory of those that are physical."""
        for name, key in KINDS.items():
            yield name, f"{sum(getattr(block, key) for block in self.branches):,}"
        yield "physical state", f"{sum(block.physical_bytes for block in self.branches) / 1000:,.1f} kB"
