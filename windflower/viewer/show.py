"""What a window shows of a scene besides the scene: maps, marks, and how finely it is drawn."""

from dataclasses import dataclass

from windflower.render.stand_on_stage import Paint

__all__ = ["BREAKS", "PAINTS", "SHADOWS", "Show"]

BREAKS = 0.006
"""Strain at which green wood breaks, about: 60 MPa over 10 GPa."""

PAINTS = ("natural", "strain", "levels of detail", "branches")
SHADOWS = ("map", "planar", "off")


@dataclass
class Show:
    """Choices of the person who looks.

    paint         natural colours, or a map on the wood; branches are painted by what moves them
    strain_scale  strain that the map shows in red
    disks         of wind, as circles on the ground
    resolution    of the picture over that of the window
    """

    paint: str = "natural"
    strain_scale: float = BREAKS / 4
    skeleton: bool = False
    arrows: bool = False
    disks: bool = False
    shadows: str = "map"
    statistics: bool = True
    panel: bool = True
    quality: str = "good"
    resolution: float = 1.0

    @property
    def painting(self) -> Paint:
        """As the stage wants it."""
        return Paint(PAINTS.index(self.paint), self.strain_scale)
