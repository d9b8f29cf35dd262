"""Figures of Yildiz, *An Implementation on Real-time Animation of Trees Swaying in Wind Fields*, after Ota et al."""

from pathlib import Path
from typing import Any

import numpy as np

from windflower.gallery import Entry
from windflower.gallery.pictures import (
    SMALL,
    filmed,
    looking_at,
    save_loop,
    save_small_plot,
    save_strip,
    scene_of,
    shown,
)
from windflower.plots.leaves import plot_leaf_turns
from windflower.plots.poses import plot_shoots
from windflower.viewer.view_state import DisplayOptions

__all__ = ["YILDIZ"]

SPRINGS = {"motion": {"kind": "cantilever"}}
WILLOW = {"plant": "weeping-willow", "seed": 2, **SPRINGS}
PALM = {"plant": "palm", "seed": 2, **SPRINGS}
TREE = {"plant": "walnut", "seed": 5, "stiffness": 0.4, **SPRINGS}
HEIGHTS = {"weeping-willow": 8.6, "palm": 11.8, "walnut": 8.0}


def _blown(path: Path, stand: dict[str, Any], *, beaufort: int) -> None:
    """Write an animation of a plant in a wind."""
    camera = looking_at(HEIGHTS[stand["plant"]])
    settings = scene_of(stand, wind={"beaufort": beaufort}, camera=camera, sun={"hour": 15.0})
    save_loop(path, list(filmed(settings, np.arange(20) / 8, SMALL)), fps=8)


def _three(path: Path) -> None:
    stands = [{**stand, "positions": [(x, 0.0)]} for stand, x in ((WILLOW, -11), (PALM, 0), (TREE, 10))]
    settings = scene_of(*stands, wind={"beaufort": 5}, camera=looking_at(13.0, target=0.42), sun={"hour": 16.0})
    save_strip(path, list(filmed(settings, [1.0], (900, 380))))


def _bend(path: Path) -> None:
    camera = {"kind": "fixed", "eye": [1.6, 3.6, 3.4], "target": [0, 3.3, 0], "field_of_view": 34.0}
    bare = {"plant": "oak", "seed": 6, "detail": 0.6, "leaves": False, **SPRINGS}
    save_strip(path, list(filmed(scene_of(bare, wind={"beaufort": 8}, camera=camera, sun={"hour": 15.0}), [1.0])))


def _foot(path: Path) -> None:
    camera = {"kind": "fixed", "eye": [1.5, 0.9, 4.4], "target": [0, 1.5, 0], "field_of_view": 46.0}
    save_strip(path, list(filmed(scene_of(TREE, wind={"beaufort": 4}, camera=camera, sun={"hour": 9.0}), [1.0])))


def _arrows(path: Path) -> None:
    camera = looking_at(HEIGHTS["walnut"], elevation=12.0)
    settings = scene_of(TREE, wind={"beaufort": 7}, camera=camera, sun={"hour": 15.0})
    save_strip(path, list(shown(settings, np.arange(1, 9) / 4, DisplayOptions(arrows=True)))[-1:])


def _dressed(path: Path) -> None:
    stands = [{**TREE, "positions": [(x, 0.0)], "leaves": leaves} for x, leaves in ((-4.2, False), (4.2, True))]
    settings = scene_of(*stands, wind={"beaufort": 2}, camera=looking_at(9.5, target=0.45), sun={"hour": 15.0})
    save_strip(path, list(filmed(settings, [1.0])))


def _shedding(path: Path) -> None:
    stand = {"plant": "quaking-aspen", "seed": 3, "detail": 0.5, "shedding": {"rate": 0.3, "fallen": 0.3}, **SPRINGS}
    settings = scene_of(stand, wind={"beaufort": 5}, camera=looking_at(13.0, target=0.42), sun={"hour": 14.0})
    save_loop(path, list(filmed(settings, np.arange(20) / 6, SMALL)), fps=6)


def _leaves(path: Path) -> None:
    camera = {"kind": "fixed", "eye": [0.5, 5.0, 5.2], "target": [0, 5.2, 0], "field_of_view": 26.0}
    save_strip(path, list(filmed(scene_of(TREE, wind={"beaufort": 3}, camera=camera, sun={"hour": 13.0}), [1.0])))


def _flat_shadow(path: Path) -> None:
    camera = looking_at(HEIGHTS["walnut"], elevation=14.0, target=0.4)
    tables = {"wind": {"beaufort": 4}, "camera": camera, "sun": {"hour": 16.0}, "quality": {"shadows": "planar"}}
    save_strip(path, list(filmed(scene_of(TREE, **tables), [1.0])))


def _evening(path: Path) -> None:
    camera = looking_at(HEIGHTS["walnut"], elevation=8.0, target=0.42)
    hours = [scene_of(TREE, wind={"beaufort": 3}, camera=camera, sun={"hour": hour}) for hour in (14, 18.5, 20.2, 21.5)]
    save_strip(path, [next(filmed(settings, [1.0], (480, 300))) for settings in hours], columns=2)


YILDIZ = (
    Entry(
        "yildiz-1",
        "Yildiz, figure 1",
        "A weeping tree, a palm and a regular tree in a fresh breeze, all of flat springs.",
        _three,
    ),
    Entry(
        "yildiz-6",
        "Yildiz, figure 6",
        "A fork from near: tubes go smoothly from segment to segment, so that bends need no spheres to close them.",
        _bend,
    ),
    Entry(
        "yildiz-7",
        "Yildiz, figure 7",
        "What surrounds a tree: sky and skyline, bark, and grass about the foot of the trunk.",
        _foot,
    ),
    Entry(
        "yildiz-8",
        "Yildiz, figure 8",
        "A tree under the wind that the arrows show: it gives way as a whole, and each branch in its own way.",
        _arrows,
        "windflower view a-tree-of-springs",
    ),
    Entry(
        "yildiz-9",
        "Yildiz, figure 9",
        "A weeping willow in a strong breeze: its shoots stream to the lee like hair.",
        lambda path: _blown(path, WILLOW, beaufort=6),
        "windflower view weeping-tree-in-wind",
    ),
    Entry(
        "yildiz-10",
        "Yildiz, figure 10",
        "Standing, leaning and hanging shoots in the same winds: all give way to the right, with no sign to turn.",
        lambda path: save_small_plot(path, plot_shoots()),
    ),
    Entry(
        "yildiz-11",
        "Yildiz, figure 11",
        "A palm in a gale: windward fronds fold back, and the others lie in the wind.",
        lambda path: _blown(path, PALM, beaufort=8),
        "windflower view palms-in-a-gale",
    ),
    Entry(
        "yildiz-12",
        "Yildiz, figure 12",
        "The same tree without and with its leaves, which grow on thin wood only.",
        _dressed,
    ),
    Entry(
        "yildiz-14",
        "Yildiz, figure 14",
        "A leaf blown aside: with the turn that follows it shows its edge and its back, and without it stays a "
        "flat card.",
        lambda path: save_small_plot(path, plot_leaf_turns()),
    ),
    Entry(
        "yildiz-15",
        "Yildiz, figure 15",
        "An aspen in autumn sheds its leaves; they rock, roll, drift and lie.",
        _shedding,
        "windflower view autumn-leaves",
    ),
    Entry(
        "yildiz-18",
        "Yildiz, figure 18",
        "Leaves from near, in any order: they cover one another rightly without being sorted.",
        _leaves,
    ),
    Entry(
        "yildiz-19",
        "Yildiz, figure 19",
        "A shadow that is the tree once more, flattened onto the ground.",
        _flat_shadow,
    ),
    Entry(
        "yildiz-20",
        "Yildiz, figure 20",
        "From afternoon to night: it gets darker, and shadows long, soft and faint.",
        _evening,
        "windflower view a-day",
    ),
)
