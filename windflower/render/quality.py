"""Rendering quality: budgets of a frame."""

from dataclasses import dataclass

from windflower.errors import GpuError

__all__ = ["BLADES", "CARPETS", "QUALITIES", "Quality", "quality_of"]

BLADES, CARPETS = 200 * 200, 4  # blades of grass in a carpet, and number of carpets, as in grass.wgsl
GRASS = BLADES * CARPETS


@dataclass(frozen=True)
class Quality:
    """Budget of a frame: triangles per pass, shadow-map size in texels, samples per pixel, and blades of grass."""

    triangles: int
    shadow: int
    samples: int
    grass: bool = True

    @property
    def for_plants(self) -> int:
        """Triangles per pass for plants, without those of the grass."""
        return self.triangles - (GRASS if self.grass else 0)


QUALITIES = ("draft", "good", "best")


def quality_of(name: str, *, software: bool) -> Quality:
    """Budget of a quality by name; smaller for a software driver."""
    if name not in QUALITIES:
        raise GpuError(f"quality is one of {', '.join(QUALITIES)}; it is '{name}'.")
    if software:
        return {
            "draft": Quality(100_000, 1024, 1, grass=False),
            "good": Quality(400_000, 2048, 4),
            "best": Quality(1_000_000, 4096, 4),
        }[name]
    return {
        "draft": Quality(1_000_000, 2048, 1, grass=False),
        "good": Quality(3_000_000, 4096, 4),
        "best": Quality(15_000_000, 8192, 4),
    }[name]
