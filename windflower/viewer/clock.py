"""The time of the motion: played, paused, slowed down, or moved step by step."""

from dataclasses import dataclass

__all__ = ["PACES", "Clock"]

PACES = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0)
"""Seconds of motion in a second, slow motion first."""

LONGEST = 0.25  # s of motion in a frame: a slow computer shows slower motion and no jumps
SINGLE = 1 / 60  # s of a single step


@dataclass
class Clock:
    """How far the motion has come, s, and how fast it goes on."""

    time: float = 0.0
    playing: bool = True
    pace: float = 1.0
    pending: float = 0.0
    """Of single steps that were asked for, s."""

    def forward(self, seconds: float) -> float:
        """Let so many seconds pass for the person who looks; returns those by which the motion goes on."""
        passed = self.pending
        if self.playing:
            passed += min(max(seconds, 0.0) * self.pace, LONGEST)
        self.pending = 0.0
        self.time += passed
        return passed

    def step(self) -> None:
        """Pause, and go on by one step."""
        self.playing, self.pending = False, self.pending + SINGLE

    def reset(self) -> None:
        """Begin again."""
        self.time, self.pending = 0.0, 0.0
