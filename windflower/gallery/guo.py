"""Figures of Guo, Li & Feng 2006 on broad-leaf plants in wind fields."""

from pathlib import Path
from typing import Any

from windflower.gallery import Entry
from windflower.gallery.pictures import filmed, looking_at, save_small_plot, save_strip, scene_of
from windflower.motion import BroadleafMotion
from windflower.plant.growth import grow
from windflower.plots.leaves import plot_blade

__all__ = ["GUO"]

HEIGHT = 3.7  # m of the plant
WINDS: tuple[dict[str, Any], ...] = (
    {"speed": 5.0, "gustiness": 0.0},
    {"speed": 13.0, "gustiness": 0.0},
    {"speed": 13.0, "gustiness": 0.0, "direction": 90.0},
    {"speed": 2.0, "sources": [{"kind": "vortex", "centre": [0, 0], "radius": 1.5, "speed": 14.0}]},
)


def _blade(path: Path) -> None:
    motion = BroadleafMotion(grow("banana"))
    save_small_plot(path, plot_blade(motion.blades, number=8))


def _plant(path: Path, winds: tuple[dict[str, Any], ...], size: tuple[int, int], columns: int) -> None:
    pictures = []
    for wind in winds:
        settings = scene_of(
            {"plant": "banana", "motion": "broadleaf"},
            wind=wind,
            camera=looking_at(HEIGHT, azimuth=205.0, elevation=8.0),
            sun={"hour": 9.5, "latitude": 20.0},
        )
        pictures.append(next(filmed(settings, [1.0], size)))
    save_strip(path, pictures, columns=columns)


GUO = (
    Entry(
        "guo-3",
        "Guo et al. 2006, figure 3",
        "A blade at rest: mass points in rows across a mid-rib of segments, with parallel veins that may give way "
        "but not stretch.",
        _blade,
    ),
    Entry(
        "guo-6",
        "Guo et al. 2006, figure 6",
        "The plant without wind: six stems and 54 leaves.",
        lambda path: _plant(path, ({"speed": 0.0},), (720, 405), 1),
        "windflower view broad-leaves",
    ),
    Entry(
        "guo-7",
        "Guo et al. 2006, figure 7",
        "The plant in four winds: a breeze, a strong one, the same from the other side, and a whirl that lifts "
        "one side and presses the other.",
        lambda path: _plant(path, WINDS, (480, 300), 2),
    ),
)
