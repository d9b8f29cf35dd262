"""How much a frame may cost."""

from dataclasses import dataclass

from windflower.errors import GpuError

__all__ = ["BLADES", "CARPETS", "QUALITIES", "Quality", "quality_of"]

BLADES, CARPETS = 200 * 200, 4  # of grass, as many as grass.wgsl lays out
GRASS = BLADES * CARPETS


@dataclass(frozen=True)
class Quality:
    """Triangles per pass, texels along a side of the shadow map, samples per pixel, and whether grass has blades."""

    triangles: int
    shadow: int
    samples: int
    grass: bool = True

    @property
    def for_plants(self) -> int:
        """Triangles per pass that are left for plants when the grass has its own."""
        return self.triangles - (GRASS if self.grass else 0)


QUALITIES = ("draft", "good", "best")


def quality_of(name: str, *, software: bool) -> Quality:
    """The budget of a quality by name; a software driver gets less."""
    if name not in QUALITIES:
        raise GpuError(f"quality is one of {', '.join(QUALITIES)}; it is '{name}'.")
    if software:
        return {
            "draft": Quality(200_000, 1024, 1, grass=False),
            "good": Quality(640_000, 2048, 4),
            "best": Quality(2_000_000, 4096, 4),
        }[name]
    return {
        "draft": Quality(2_000_000, 2048, 1, grass=False),
        "good": Quality(10_000_000, 4096, 4),
        "best": Quality(30_000_000, 8192, 4),
    }[name]
