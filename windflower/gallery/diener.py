"""Figures of Diener, Rodriguez, Baboud & Reveret 2009, *Wind Projection Basis for Real-Time Animation of Trees*."""

from pathlib import Path
from typing import Any

import numpy as np

from windflower.gallery import Entry
from windflower.gallery.pictures import SMALL, filmed, looking_at, save_loop, save_small_plot, save_strip, scene_of
from windflower.mechanics import Modes, analyse
from windflower.plant.growth import grow
from windflower.plots.modes import plot_modes, plot_trajectories
from windflower.plots.plant import plot_plant
from windflower.plots.poses import plot_poses
from windflower.scene import read_scene
from windflower.scene.thinning import with_trees

__all__ = ["DIENER"]

SEED = 3  # of the walnut in all figures


def _modes(count: int) -> Modes:
    return analyse(grow("walnut", seed=SEED, detail=0.5), count=count)


def _tree(path: Path) -> None:
    _swaying(path, {"plant": "walnut", "seed": SEED}, modes=25, beaufort=6, height=8.2)


def _oak(path: Path) -> None:
    _swaying(path, {"plant": "oak", "seed": 2, "detail": 0.6}, modes=50, beaufort=8, height=12.5)


def _swaying(path: Path, stand: dict[str, Any], *, modes: int, beaufort: int, height: float) -> None:
    settings = scene_of(
        {**stand, "motion": {"kind": "modal", "modes": modes, "cells": 4}},
        wind={"beaufort": beaufort},
        camera=looking_at(height),
        sun={"hour": 15.0},
    )
    save_loop(path, list(filmed(settings, np.arange(20) / 10, SMALL)), fps=10)


def _forest(path: Path) -> None:
    save_strip(path, list(filmed(with_trees(read_scene("forest"), 600), [3.2])))


def _walnut(path: Path) -> None:
    save_small_plot(path, plot_plant(grow("walnut", seed=SEED), leaves=False), width=800)


DIENER = (
    Entry(
        "diener-1a",
        "Diener et al. 2009, figure 1, a tree",
        "A walnut in a strong breeze, moved by 25 modes: trunk, limbs and twigs each at their own pace.",
        _tree,
        "windflower view walnut-in-a-breeze",
    ),
    Entry(
        "diener-1b",
        "Diener et al. 2009, figure 1, a forest",
        "A gust crosses a forest; where it has arrived, crowns lean and show the pale side of their leaves.",
        _forest,
        "windflower demo",
    ),
    Entry(
        "diener-4",
        "Diener et al. 2009, figure 4",
        "Modes of a walnut by rising frequency: the first move the whole tree, later ones single limbs, the last "
        "only twigs.",
        lambda path: save_small_plot(path, plot_modes(_modes(50))),
        "windflower modes walnut --count 50 -o modes.png",
    ),
    Entry(
        "diener-6",
        "Diener et al. 2009, figure 6",
        "The paths of branch tips when one mode after another is at work, a colour for each: curves, because "
        "lengths are kept.",
        lambda path: save_small_plot(path, plot_trajectories(_modes(8))),
    ),
    Entry(
        "poses",
        "Diener et al. 2009, section 5.2",
        "One state in three poses: the linear one stretches branches, the paper's correction stretches most of them "
        "less, and a few more; the rotated one stretches none.",
        lambda path: save_small_plot(path, plot_poses(analyse(grow("walnut", seed=SEED), count=25), speed=30.0)),
    ),
    Entry(
        "diener-7",
        "Diener et al. 2009, figure 7",
        "An oak with 50 modes in a gale: its limbs sway against one another.",
        _oak,
    ),
    Entry(
        "diener-8",
        "Diener et al. 2009, figure 8",
        "A walnut without its leaves. The paper's is digitised; this one is grown, and "
        "`windflower show noylum2.mtg -o walnut.png` draws the other.",
        _walnut,
        f"windflower show walnut --seed {SEED} --no-leaves -o walnut.png",
    ),
)
