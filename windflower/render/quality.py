"""Rendering quality: budgets of a frame."""

from dataclasses import dataclass, replace

from windflower.errors import GpuError

__all__ = ["QUALITIES", "Quality", "quality_of", "window_quality", "with_triangles"]

GRASS = 300  # triangles of all grass in a usual picture, for each blade on a tile


@dataclass(frozen=True)
class Quality:
    """Budget of a frame: triangles per pass, texels of the shadow map, samples per pixel, blades of grass on a tile.

    over_time  samples of a pixel are gathered over frames that follow one another (temporal anti-aliasing)
    """

    triangles: int
    shadow: int
    samples: int
    grass: int = 256
    over_time: bool = False

    @property
    def moving(self) -> "Quality":
        """The same for frames that follow one another: one sample a pixel, gathered over time."""
        return replace(self, samples=1, over_time=True)

    def at(self, share: float) -> "Quality":
        """The same at a share of the usual resolution: so many fewer blades of grass, wider ones; coarser shadows."""
        grass, shadow = max(round(self.grass * share), 1), self.shadow if share > 0.5 else self.shadow // 2
        return replace(self, grass=grass, shadow=shadow, triangles=self.for_plants + GRASS * grass)

    @property
    def for_plants(self) -> int:
        """Triangles per pass for plants, without those of the grass."""
        return self.triangles - GRASS * self.grass


QUALITIES = ("draft", "good", "best")


def quality_of(name: str, *, software: bool) -> Quality:
    """Budget of a quality by name; smaller for a software driver."""
    if name not in QUALITIES:
        raise GpuError(f"quality is one of {', '.join(QUALITIES)}; it is '{name}'.")
    if software:
        return {
            "draft": Quality(120_000, 1024, 1, grass=192),
            "good": Quality(560_000, 2048, 4, grass=1024),
            "best": Quality(1_600_000, 4096, 4, grass=2560),
        }[name]
    return {
        "draft": Quality(1_000_000, 2048, 1, grass=512),
        "good": Quality(3_600_000, 4096, 4, grass=2048),
        "best": Quality(16_000_000, 8192, 4, grass=4096),
    }[name]


def with_triangles(quality: Quality, least: int) -> Quality:
    """The same with at least so many triangles."""
    return replace(quality, triangles=max(quality.triangles, least))


def window_quality(name: str, *, software: bool) -> Quality:
    """The same for a window, whose frames follow one another; a software driver has no time to gather samples."""
    quality = quality_of(name, software=software)
    return quality if software else quality.moving
