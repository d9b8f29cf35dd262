"""Figures of Stam 1996, *Stochastic Dynamics: Simulating the Effects of Turbulence on Flexible Structures*."""

from pathlib import Path

import numpy as np

from windflower.gallery import Entry
from windflower.gallery.pictures import SMALL, filmed, looking_at, save_loop, save_small_plot, save_strip, scene_of
from windflower.plant.detail import with_detail
from windflower.plant.growth import grow
from windflower.plots.plant import plot_plants
from windflower.scene import SceneSettings, read_scene

__all__ = ["STAM"]

BRANCHES = (2257, 692, 212, 62, 17)  # of Table 1
PERIOD, FPS = 4.0, 6  # s of a loop that is shown, and its pace


def _five_trees(path: Path) -> None:
    tree = grow("walnut", seed=1)
    bare = [with_detail(tree, (branches + 1) / tree.nodes) for branches in BRANCHES]
    save_small_plot(path, plot_plants(bare, columns=5))


def _small_tree(path: Path) -> None:
    settings = scene_of(
        {
            "plant": "silver-birch",
            "seed": 4,
            "detail": 0.2,
            "stiffness": 0.3,
            "motion": {"kind": "spectral", "modes": 10, "period": 6.0},
        },
        wind={"speed": 12.0, "gustiness": 0.0},
        camera=looking_at(13.5),
        sun={"hour": 15.0},
    )
    save_strip(path, list(filmed(settings, np.arange(8) * 0.35, (180, 300))))


def _looped(settings: SceneSettings, path: Path) -> None:
    """Write a whole period of a scene that repeats, so that the picture has no seam."""
    stands = tuple(
        stand.model_copy(update={"motion": stand.motion.model_copy(update={"period": PERIOD})})
        for stand in settings.stands
    )
    settings = settings.model_copy(update={"stands": stands, "seconds": PERIOD})
    save_loop(path, list(filmed(settings, np.arange(PERIOD * FPS) / FPS, SMALL)), fps=FPS)


STAM = (
    Entry(
        "stam-3",
        "Stam 1996, figure 3",
        "Trees with as many branches as those of his table of times; `windflower bench spectral` times theirs.",
        _five_trees,
    ),
    Entry(
        "stam-4",
        "Stam 1996, figure 4",
        "Moments of a small birch, a third of a second apart: its top swings to and fro about a lean to the right.",
        _small_tree,
    ),
    Entry(
        "stam-5",
        "Stam 1996, figure 5",
        "A forest from the motion of a single tree, read at other times by each; it repeats after four seconds "
        "without a seam.",
        lambda path: _looped(read_scene("spectral-forest"), path),
        "windflower view spectral-forest",
    ),
    Entry(
        "stam-6",
        "Stam 1996, figure 6",
        "Kelp in a slow current: the same method where water damps and floats pull upward.",
        lambda path: save_loop(path, list(filmed(read_scene("kelp"), np.arange(18) / 5, SMALL)), fps=5),
        "windflower view kelp",
    ),
    Entry(
        "stam-7",
        "Stam 1996, figure 7",
        "Other flexible structures: flags whose waves run from pole to fly end, banners, blades and a sign.",
        lambda path: _looped(read_scene("flags"), path),
        "windflower view flags",
    ),
)
