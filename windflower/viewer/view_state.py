"""State of a view that is not saved in scene files: the playback clock, and display options."""

from dataclasses import dataclass, field
from typing import Any

from windflower.render.drawn_stand import Paint

__all__ = ["BREAKING_STRAIN", "PAINTS", "SHADOWS", "SPEEDS", "Clock", "DisplayOptions"]

SPEEDS = (0.05, 0.1, 0.25, 0.5, 1.0, 2.0)
"""Playback speeds: seconds of motion per second."""

MAX_FRAME_TIME = 0.25  # largest simulated time per frame, s: a slow computer shows slower motion without jumps
SINGLE_STEP = 1 / 60  # simulated time of a single step, s

BREAKING_STRAIN = 0.006
"""Strain at which green wood breaks, about: 60 MPa over 10 GPa."""

PAINTS = ("natural", "strain", "levels of detail", "branches")
SHADOWS = ("map", "planar", "off")


@dataclass
class Clock:
    """Playback of the motion.

    time     simulated time, s
    speed    simulated seconds per second
    pending  requested single steps that are not yet taken, s
    """

    time: float = 0.0
    playing: bool = True
    speed: float = 1.0
    pending: float = 0.0

    def advance(self, seconds: float) -> float:
        """Advance by real time, s; returns the simulated time that passes, s."""
        advanced = self.pending
        if self.playing:
            advanced += min(max(seconds, 0.0) * self.speed, MAX_FRAME_TIME)
        self.pending = 0.0
        self.time += advanced
        return advanced

    def step(self) -> None:
        """Pause, and advance by a single step."""
        self.playing, self.pending = False, self.pending + SINGLE_STEP

    def reset(self) -> None:
        """Go back to time 0."""
        self.time, self.pending = 0.0, 0.0


def _undone(default: Any) -> Any:
    """A display option that undo brings back."""
    return field(default=default, metadata={"undone": True})


@dataclass
class DisplayOptions:
    """Display options of a window.

    paint         natural colours, or false colours of the wood: strain, level of detail, or what moves each branch
    strain_scale  strain that is shown in red
    skeleton      nodes and segments as lines over the picture
    arrows        wind arrows on a grid
    disks         wind disks as circles on the ground
    statistics, panel, keys  whether they are shown
    resolution    resolution of the picture, as a fraction of the window's
    """

    paint: str = _undone("natural")
    strain_scale: float = _undone(BREAKING_STRAIN / 4)
    skeleton: bool = False
    arrows: bool = False
    disks: bool = False
    shadows: str = _undone("map")
    statistics: bool = True
    panel: bool = True
    keys: bool = False
    quality: str = _undone("good")
    resolution: float = _undone(1.0)

    @property
    def painting(self) -> Paint:
        """False colours for the shaders."""
        return Paint(PAINTS.index(self.paint), self.strain_scale)
