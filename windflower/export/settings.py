"""What can be said of an export; each format names what of it applies."""

from collections.abc import Callable
from dataclasses import dataclass, fields

from windflower.errors import FileError

__all__ = ["ExportSettings", "Report"]

Report = Callable[[str, float], None]
"""Told what is being done, and how much of the whole is done, 0 to 1."""

LIMITS = {
    "winds": (0.01, 100.0, "m/s"),
    "seconds": (0.5, 600.0, "s"),
    "fps": (1.0, 120.0, "keys a second"),
    "joints": (1, 65_535, "joints"),
    "within": (1e-6, 100.0, "m"),
    "within_share": (1e-3, 10.0, "of the motion"),
    "triangles": (1, 100_000_000, "triangles"),
    "pixels": (16, 8192, "pixels"),
    "at": (0.0, 1e6, "s"),
    "levels": (1, 8, "levels"),
    "shapes": (1, 256, "shapes"),
}


@dataclass(frozen=True, kw_only=True)
class ExportSettings:
    """How a moving plant is written.

    winds      mean winds, m/s, or words that `wind_speed` reads, such as "b5"; one clip for each. One clip is bound at
               its mean lean, several at rest. By default one: 8 m/s, a slow current in water, in a scene its own wind
    seconds    period of the clips, s
    fps        keys a second
    joints     of the skeleton, at most
    within     rms error over the vertices, m, that joints are added for, up to 4,096; by default as many as `joints`
    within_share  the same, over the rms motion of the vertices about their mean: 0.1 is 10 %
    triangles  at most, if a level of detail has so few; by default the whole plant
    pixels     side of the bark's textures
    at         moment of a still, s, in the wind; by default the plant is at rest
    shapes     principal shapes of a mesh that is moved by them, at most
    levels     levels of detail, from the finest that is asked for on
    compat     whether only what every reader takes is written
    form       which of the ways in which the format is written, such as "points"; by default the usual one
    """

    winds: tuple[float, ...] | None = None
    seconds: float = 8.0
    fps: float = 15.0
    joints: int = 64
    within: float | None = None
    within_share: float | None = None
    triangles: int | None = None
    pixels: int = 512
    at: float | None = None
    shapes: int = 16
    levels: int = 1
    compat: bool = False
    form: str | None = None

    def __post_init__(self) -> None:
        if self.winds is not None:
            from windflower.wind import wind_speed  # `import windflower` loads this module, and is quick

            object.__setattr__(self, "winds", tuple(map(wind_speed, self.winds)))
        for name, (least, most, unit) in LIMITS.items():
            given = getattr(self, name)
            for value in given if isinstance(given, tuple) else (given,):
                if value is not None and not least <= value <= most:
                    raise FileError(f"{name} of an export lie from {least:,g} to {most:,g} {unit}; one is {value:g}.")
        if self.within is not None and self.within_share is not None:
            raise FileError("an error is a length or a share of the motion; both are named. Name one.")
        if self.winds is not None and (
            not 1 <= len(self.winds) <= 16 or len({f"{wind:.4g}" for wind in self.winds}) < len(self.winds)
        ):
            raise FileError(
                f"an export has 1 to 16 different winds; they are {', '.join(f'{w:g}' for w in self.winds)}. "
                "Name each once."
            )

    def changed(self) -> list[str]:
        """Names of what is not as by default."""
        return [one.name for one in fields(self) if getattr(self, one.name) != one.default]
