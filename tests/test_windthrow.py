"""Critical winds of trees and stands: what breaks, what is overturned, and at which published moments."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import windflower
from windflower.cli.commands import app
from windflower.errors import WindflowerError
from windflower.mechanics.strength import breaking_moment, green_strength
from windflower.mechanics.wood import Wood, wood_of
from windflower.plant.graph import Plant
from windflower.scene import build, parse_scene
from windflower.validate.windthrow import STANDS, check_windthrow
from windflower.windthrow import Exposure, risk, stand_risk
from windflower.windthrow.critical import Tree
from windflower.windthrow.exposure import gust_factor
from windflower.windthrow.response import softened

RUN = CliRunner()
WOOD = Wood(E=8e9, density=850, name="pole")


def pole(lean: float = 0.0) -> Plant:
    """A stem of 12 m and 24 cm that leans toward +x."""
    up = np.linspace(0, 12, 13)
    return Plant(parent=range(-1, 12), position=np.column_stack([lean * up, up, 0 * up]), radius=0.12 - 0.005 * up)


def test_moments_and_winds_are_those_published() -> None:
    checks = list(check_windthrow())
    assert len([one for one in checks if "moment" in one.what]) >= 2 * len(STANDS)
    assert len({one.source for one in STANDS}) > 1  # two models, made by others
    assert all(one.passed for one in checks), [one for one in checks if not one.passed]


def test_a_bare_pole_breaks_where_drag_over_its_height_says() -> None:
    """Without weight and gusts' resonance, the moment at the foot is the drag times its arm."""
    found = risk(pole(), wood=WOOD, gravity=False, directions=1, strength=40e6)
    bears = breaking_moment(np.array(2 * 0.12), 40e6)
    assert found.node_height[0] < 1e-9
    assert found.breaking_moment[0] == pytest.approx(float(bears), rel=0.01)


def test_weight_lowers_the_critical_wind() -> None:
    with_weight, without = (risk(pole(), wood=WOOD, directions=1, gravity=g, strength=40e6) for g in (True, False))
    assert with_weight.overturns[0] < without.overturns[0]


def test_a_leaning_tree_falls_more_easily_the_way_it_leans() -> None:
    found = risk(pole(0.15), wood=WOOD, directions=[90.0, 270.0])  # from the east, and from the west: toward +x
    assert found.overturns[1] < 0.98 * found.overturns[0]
    assert found.breaks[1] < found.breaks[0]


def test_the_edge_is_more_dangerous_than_the_inside() -> None:
    edge, inside = (
        risk(pole(), wood=WOOD, directions=1, exposure=where)
        for where in (Exposure(kind="edge", spacing=2.0), Exposure(kind="inside", spacing=2.0))
    )
    assert edge.critical < 0.7 * inside.critical
    assert "10 m over open country" in edge.terms
    assert "60 minutes" in edge.terms
    assert "edge" in edge.terms


@lru_cache
def spruce() -> Plant:
    return windflower.grow("spruce", detail=0.05)


def inside(spacing: float) -> Exposure:
    return Exposure(kind="inside", spacing=spacing)


def test_thinning_makes_the_trees_that_are_left_weaker() -> None:
    wind = [risk(spruce(), directions=1, exposure=inside(spacing)).critical for spacing in (2.5, 3.5, 5.0)]
    assert wind[1] < 0.85 * wind[0]
    assert wind[2] < 0.85 * wind[1]


@pytest.mark.parametrize("spacing", [2.0, 3.5])
def test_the_trees_of_a_stand_bear_all_momentum_that_comes_down_on_it(spacing: float) -> None:
    """ρ u*² on each m² of ground, u* by the shear high above the canopy: κ (z - d) dU/dz."""
    tree, where, speed = Tree(spruce()), inside(spacing), 20.0
    h, high = tree.top, np.array([2.6, 2.8]) * tree.top
    wind = speed * where.speeds(high, h)
    friction = 0.4 * (high.mean() - 0.75 * h) * np.diff(wind)[0] / np.diff(high)[0]
    force = tree.mean_force(where, np.array([speed]))[0]
    assert force == pytest.approx(1.225 * friction**2 * spacing**2, rel=0.05)


def test_a_sparse_stand_drags_its_trees_less_than_the_open() -> None:
    tree, speed = Tree(spruce()), np.array([20.0])
    far, further = (tree.mean_force(inside(spacing), speed)[0] for spacing in (12.0, 24.0))
    assert far == further  # each by itself
    at_top = speed * inside(12.0).speeds(np.array([tree.top]), tree.top)
    assert 0.2 < far / (tree.breaking.drag.sum() * at_top[0] ** 2 * tree.modes.streamlined(at_top)[0]) < 0.4


def log_law(roughness: float, displaced: float) -> Callable[[float], float]:
    return lambda z: np.log((z - displaced) / roughness) / 0.4


@pytest.mark.parametrize("h", [10.0, 17.5, 25.0])
def test_the_step_from_a_stand_to_open_country_is_that_of_two_log_laws_that_meet_aloft(h: float) -> None:
    """Grass of z0 = 0.03 m and a forest of z0 = 0.08 h, d = 0.75 h have the same wind at 60 m, or 3 h."""
    grass, forest, aloft = log_law(0.03, 0.0), log_law(0.08 * h, 0.75 * h), max(60.0, 3 * h)
    friction = grass(aloft) / forest(aloft)  # over the forest, over that of grass
    where = inside(0.15 * h)
    at_top = float(where.speeds(np.array([h]), h)[0])
    assert at_top == pytest.approx(3.3 * friction / grass(10.0), rel=0.08)
    assert where.above_zero_plane(h) == pytest.approx(friction * forest(0.75 * h + 10) / grass(10.0), rel=0.08)
    # Between a forest without end, whose u* follows the roughness as in building codes, and no forest at all.
    endless = 3.3 * (0.08 * h / 0.03) ** 0.07 / grass(10.0)
    assert endless < at_top < grass(h) / grass(10.0)
    assert Exposure().above_zero_plane(h) == 1


def test_gusts_fade_behind_the_edge_and_with_a_narrower_gap() -> None:
    factor = gust_factor(0.15, np.array([0.0, 1.0, 3.0, 9.0]), np.array([10.0]))
    assert (np.diff(factor) < 0).all()
    assert gust_factor(0.15, np.array(0.0), np.array(1.0)) < factor[0]


def test_roots_soften_to_half_their_stiffness_at_their_limit() -> None:
    turn = 0.04
    assert softened(2 / turn * 1000, 0.0, 1000, turn) == pytest.approx(50_000)
    assert softened(2 / turn * 1000, 1000, 1000, turn) == pytest.approx(25_000)


def test_strength_is_that_of_the_wood_or_a_strain() -> None:
    assert green_strength(pole(), wood_of("norway-spruce")) == pytest.approx(0.9 * 36e6)
    assert green_strength(pole(), WOOD) == pytest.approx(0.006 * 8e9)
    assert green_strength(pole(), replace(WOOD, bending=0.5)) == pytest.approx(0.003 * 8e9)


DEEP = """
[wind]
canopy = true
[[stands]]
plant = "spruce"
detail = 0.05
scale = 0.3
scale_variation = 0.0
count = 498
area = { kind = "rectangle", size = [16, 70] }
"""


def test_every_tree_of_a_scene_has_its_winds_and_deep_inside_those_of_a_stand_of_its_spacing() -> None:
    """498 trees on 1120 m² have 1.5 m of distance, which is 5 m for trees of their whole size."""
    found = stand_risk(build(parse_scene(DEEP)), directions=2)
    assert found.breaks.shape == (len(found.name), 2) == found.reaching.shape
    edge, deep = found.position[:, 2] < -33, found.position[:, 2] > 30  # of a wind from the north
    at_top, lower = found.reaching[deep, 0], np.minimum(found.breaks, found.overturns)[:, 0]
    assert at_top.max() < 0.6
    assert found.reaching[edge, 0].min() > 0.7
    assert np.median(lower[edge]) < 0.7 * np.median(lower[deep])
    alone = risk(spruce(), exposure=inside(5.0), directions=1)
    assert np.median(found.breaks[deep, 0] * at_top) == pytest.approx(alone.breaks_at_top[0], rel=0.15)
    assert np.median(found.overturns[deep, 0] * at_top) == pytest.approx(alone.overturns_at_top[0], rel=0.15)


def test_a_tree_that_is_a_forest_by_itself_has_its_winds() -> None:
    found = stand_risk(build(parse_scene(DEEP.replace("498", "1"))), directions=1)
    assert 1 < found.critical[0] < 60


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ({"exposure": {"kind": "edge"}}, "apart"),
        ({"exposure": {"kind": "shore"}}, "open, edge or inside"),
        ({"strength": 1.0}, "MPa"),
        ({"anchorage": 0.0}, "anchorage"),
        ({"directions": []}, "directions"),
    ],
)
def test_bad_questions_are_refused_in_one_sentence(given: dict[str, Any], rule: str) -> None:
    def ask() -> None:
        asked: dict[str, Any] = {key: Exposure(**value) if key == "exposure" else value for key, value in given.items()}
        risk(pole(), wood=WOOD, **asked)

    with pytest.raises(WindflowerError, match=rule):
        ask()


def test_the_command_prints_json_alone_and_draws(tmp_path: Path) -> None:
    line = ["risk", "spruce", "--detail", "0.05", "--stand", "inside", "--directions", "2", "--json"]
    done = RUN.invoke(app, [*line, "-o", str(tmp_path / "risk.png")])
    assert done.exit_code == 0, done.output
    facts = json.loads(done.stdout)
    assert facts["stands"] == "inside"
    assert len(facts["breaks"]) == 2
    assert (tmp_path / "risk.png").stat().st_size > 1000
    assert windflower.risk is risk
