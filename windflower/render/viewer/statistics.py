"""What a frame costs and what it shows, as lines for people."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from windflower.render.stage import Drawn
from windflower.scene import Scene

__all__ = ["Statistics"]

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
