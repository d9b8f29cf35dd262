"""Critical winds of trees and stands: what breaks, what is overturned, and at which published moments."""

import json
from dataclasses import replace
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


FOREST = """
[wind]
canopy = true
[[stands]]
plant = "spruce"
detail = 0.05
count = 160
area = { kind = "rectangle", size = [60, 60] }
"""


def test_every_tree_of_a_stand_has_its_winds_and_edges_are_weakest() -> None:
    found = stand_risk(build(parse_scene(FOREST)), directions=4)
    assert found.breaks.shape == (len(found.name), 4) == found.reaching.shape
    lower = np.minimum(found.breaks, found.overturns)
    met, behind = found.reaching > 0.9, found.reaching < 0.6
    assert met.any()
    assert behind.any()
    assert np.median(lower[met]) < 0.6 * np.median(lower[behind])


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
