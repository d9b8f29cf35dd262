"""Figures of Di Giacomo, Capo & Faure 2001, *An Interactive Forest*."""

from pathlib import Path
from typing import Any

import numpy as np

from windflower.gallery import Entry
from windflower.gallery.pictures import SMALL, filmed, looking_at, save_loop, save_strip, scene_of, shown
from windflower.scene import Scene, SceneSettings, read_scene
from windflower.viewer.picking import Hand
from windflower.viewer.view_state import DisplayOptions

__all__ = ["DIGIACOMO"]

BRANCHES = DisplayOptions(paint="branches", disks=True)
HEIGHT = 12.5  # m of the tree
NEAREST = 7.0  # m from the camera to a tree that a hand takes, at least


def _tree(disk: float = -3.0) -> SceneSettings:
    """A bare tree, and a disk of wind whose middle is so far from it, m along x."""
    return scene_of(
        {"plant": "oak", "seed": 6, "detail": 0.3, "leaves": False, "motion": "hybrid"},
        wind={
            "speed": 0.0,
            "sources": [
                {"kind": "disk", "path": [[0, disk, 0]], "radius": 9.0, "strength": [9, 0, 2], "frequency": 0.5},
            ],
        },
        camera=looking_at(HEIGHT, elevation=8.0),
        sun={"hour": 11.0},
    )


def _holding(scene: Scene, pull: tuple[float, float, float]) -> Hand:
    """A hand that pulls a limb half-way up the tree nearest before the camera, by so many m in the world."""
    number, instance = _before_the_camera(scene)
    stand = scene.stands[number]
    tree = stand.tree(instance)
    limbs = np.flatnonzero(tree.order == min(1, tree.order.max()))
    node = int(limbs[np.argmin(np.abs(tree.position[limbs, 1] - 0.55 * tree.height))])
    place = stand.places.some(np.array([instance])).to_world(tree.position)[0, node]
    return Hand(number, instance, node, place + np.array(pull), np.zeros(3))


def _before_the_camera(scene: Scene) -> tuple[int, int]:
    """The stand and the instance of the tree nearest to the middle of the view."""
    view = scene.camera.view(0.0)
    ahead = (view.target - view.eye) / np.linalg.norm(view.target - view.eye)
    found = []
    for number, stand in enumerate(scene.stands):
        away = stand.places.position - view.eye
        depth = away @ ahead
        beside = np.linalg.norm((away - depth[:, None] * ahead)[:, [0, 2]], axis=1)
        score = np.where(depth > NEAREST, depth + 3 * beside, np.inf)
        found.append((float(score.min()), number, int(score.argmin())))
    return min(found)[1:]


def _held(path: Path, pull: tuple[float, float, float], show: DisplayOptions, disk: float = -8.0) -> None:
    pictures = list(shown(_tree(disk), np.arange(1, 13) / 6, show, hand=lambda scene: _holding(scene, pull)))
    save_strip(path, pictures[-1:])


def _levels(path: Path) -> None:
    pictures = [list(shown(_tree(disk), [0.5, 1.8], BRANCHES, size=(540, 405)))[-1] for disk in (-8.2, -5.0)]
    save_strip(path, pictures)


def _forest(**camera: Any) -> SceneSettings:
    settings = read_scene("interactive-forest").model_dump(exclude_unset=True)
    return SceneSettings.model_validate({**settings, **({"camera": camera} if camera else {})})


def _from_above(path: Path) -> None:
    above = _forest(kind="fixed", eye=[0, 62, 62], target=[0, 0, -30], field_of_view=50.0)
    save_strip(path, list(shown(above, [2.0], BRANCHES)))


def _walk(path: Path) -> None:
    save_loop(path, list(filmed(_forest(), np.arange(12) / 5, SMALL)), fps=5)


def _touched_forest(path: Path) -> None:
    pictures = shown(_forest(), np.arange(1, 7) / 4, BRANCHES, hand=lambda scene: _holding(scene, (1.0, -0.6, 0.6)))
    save_strip(path, list(pictures)[-1:])


DIGIACOMO = (
    Entry(
        "digiacomo-3",
        "Di Giacomo et al. 2001, figure 3",
        "What moves each branch of a tree in a hand: physics, black, from the ground to the order of the held limb, "
        "which is yellow, and a formula, red, beyond.",
        lambda path: _held(path, (0.8, -0.5, 0.3), DisplayOptions(paint="branches"), -6.5),
    ),
    Entry(
        "digiacomo-4a",
        "Di Giacomo et al. 2001, figure 4a",
        "A disk of wind on the ground and the branches that it moves, in red: where only its rim reaches the tree, "
        "few orders move, nearer to its middle all of them.",
        _levels,
    ),
    Entry(
        "digiacomo-4b",
        "Di Giacomo et al. 2001, figure 4b",
        "256 different trees from above, three disks of wind that wander over them, and what moves: only the "
        "trees within.",
        _from_above,
    ),
    Entry(
        "digiacomo-4c",
        "Di Giacomo et al. 2001, figure 4c",
        "A walk through the same forest.",
        _walk,
        "windflower view interactive-forest",
    ),
    Entry(
        "digiacomo-4d",
        "Di Giacomo et al. 2001, figure 4d",
        "A hand takes hold of a limb, and leaves it where it is.",
        lambda path: _held(path, (0.0, 0.0, 0.0), DisplayOptions()),
    ),
    Entry(
        "digiacomo-4e",
        "Di Giacomo et al. 2001, figure 4e",
        "The same limb pulled to the right: it bends with all that it bears, the wind goes on, the rest of the "
        "tree hardly notices.",
        lambda path: _held(path, (0.9, -0.6, 0.3), DisplayOptions()),
    ),
    Entry(
        "digiacomo-4f",
        "Di Giacomo et al. 2001, figure 4f",
        "The whole forest with physics where a hand is, and only there.",
        _touched_forest,
        "windflower view interactive-forest",
    ),
)
