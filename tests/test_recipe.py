"""Recipes of data sets: what a sample draws is a function of the recipe and its number alone."""

import contextlib
from collections import Counter
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from windflower.batch.distributions import DISTRIBUTIONS, LIKE, Draws
from windflower.batch.recipe import Recipe, parse_recipe, read_recipe
from windflower.errors import SceneError
from windflower.scene import SceneSettings

STANDS = [{"plant": "oak"}]


def drawn(value: Any, count: int = 4000, seed: int = 3) -> list[Any]:
    return [Draws(seed, sample).of({"x": value})["x"] for sample in range(count)]


def test_a_uniform_draw_fills_its_range_evenly() -> None:
    found = np.array(drawn({"uniform": [2, 12]}))
    assert found.min() >= 2
    assert found.max() < 12
    assert np.abs(np.histogram(found, 10, (2, 12))[0] / 400 - 1).max() < 0.2


def test_a_log_draw_has_equal_factors_equally_likely() -> None:
    found = np.log10(drawn({"log": [0.1, 10]}))
    assert np.abs(np.histogram(found, 4, (-1, 1))[0] / 1000 - 1).max() < 0.12


def test_a_normal_draw_has_its_mean_and_deviation_and_no_far_tails() -> None:
    found = np.array(drawn({"normal": [8, 2]}))
    assert found.mean() == pytest.approx(8, abs=0.1)
    assert found.std() == pytest.approx(2, rel=0.05)  # 1.97 with its tails cut off
    assert np.abs(found - 8).max() <= 6


def test_whole_numbers_include_both_limits() -> None:
    counts = Counter(drawn({"whole": [1, 4]}))
    assert set(counts) == {1, 2, 3, 4}
    assert min(counts.values()) > 850


def test_weights_say_how_often_each_value_is_chosen() -> None:
    counts = Counter(drawn({"choose": ["oak", "spruce", "never"], "weights": [3, 1, 0]}))
    assert counts["oak"] / counts["spruce"] == pytest.approx(3, rel=0.1)
    assert "never" not in counts


def test_several_are_drawn_each_by_itself() -> None:
    lists = drawn({"several": [1, 3], "of": {"plant": "oak", "seed": {"whole": [0, 99]}}}, 300)
    assert {len(one) for one in lists} == {1, 2, 3}
    assert any(one[0]["seed"] != one[1]["seed"] for one in lists if len(one) > 1)


def test_what_is_chosen_may_be_drawn_in_turn() -> None:
    found = drawn({"choose": [{"uniform": [0, 1]}, {"uniform": [10, 11]}]}, 1000)
    low, high = [x for x in found if x < 5], [x - 10 for x in found if x > 5]
    assert np.std(low) == pytest.approx(np.std(high), rel=0.15) == pytest.approx(12**-0.5, rel=0.15)


def test_another_key_changes_no_other_draw() -> None:
    one = {"speed": {"uniform": [2, 12]}, "stands": [{"seed": {"whole": [0, 99]}}]}
    more = {"first": {"uniform": [0, 1]}, **one, "sun": {"hour": {"uniform": [6, 20]}}}
    for sample in range(20):
        assert Draws(1, sample).of(more) | {"first": 0, "sun": 0} == Draws(1, sample).of(one) | {"first": 0, "sun": 0}


def test_what_was_drawn_is_told_by_key() -> None:
    draws = Draws(1, 0)
    draws.of({"wind": {"speed": {"uniform": [2, 2]}}, "stands": {"several": [2, 2], "of": {"seed": {"whole": [5, 5]}}}})
    assert draws.values == {"wind.speed": 2, "stands": 2, "stands[0].seed": 5, "stands[1].seed": 5}


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"uniform": [3]}, "written uniform = [low, high]; it is [3]"),
        ({"uniform": [3, 1]}, "the lower limit first"),
        ({"uniform": ["a", 1]}, "written uniform"),
        ({"uniform": [0, float("inf")]}, "written uniform"),
        ({"log": [0, 1]}, "limits above 0"),
        ({"normal": [0, 0]}, "deviation is above 0"),
        ({"whole": [0.5, 1]}, "whole numbers"),
        ({"choose": []}, "1 to 1000 values"),
        ({"choose": [1, 2], "weights": [1]}, "as many numbers"),
        ({"choose": [1, 2], "weights": [0, 0]}, "above 0"),
        ({"several": [1, 2]}, "of beside it"),
        ({"several": [1, 9999], "of": 1}, "0 to 1000"),
        ({"uniform": [0, 1], "weight": 3}, "there is 'weight'"),
        ({"unifrom": [0, 1]}, "did you mean 'uniform'?"),
    ],
)
def test_a_distribution_that_is_none_gets_a_sentence(value: dict[str, Any], said: str) -> None:
    with pytest.raises(SceneError, match=r"^x: .*[.?]$") as error:
        drawn(value, 1)
    assert said in str(error.value)


KEYS = ["uniform", "log", "normal", "whole", "choose", "weights", "several", "of", "x"]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3),
    max_leaves=8,
)


@given(JSON)
def test_whatever_a_recipe_says_is_drawn_or_refused(value: Any) -> None:
    with contextlib.suppress(SceneError):
        Draws(1, 0).of(value)


def test_sample_i_is_a_function_of_the_recipe_and_i() -> None:
    text = """
    samples = 5
    seed = 9
    [scene]
    wind = { speed = { uniform = [2, 12] } }
    [[scene.stands]]
    plant = { choose = ["oak", "palm"] }
    """
    one, other = parse_recipe(text), parse_recipe(text)
    assert [one.draws(i) for i in (3, 1)] == [other.draws(i) for i in (3, 1)]
    assert one.draws(1)[0].seed != one.draws(2)[0].seed  # the wind of each is its own
    assert parse_recipe(text.replace("samples = 5", "samples = 9")).draws(3) == one.draws(3)


EVERYTHING = """
samples = 40
passes = ["rgb", "flow"]
[scene]
season = { choose = ["winter", "summer", { uniform = [250, 300] }] }
quality = { level = { choose = ["draft", "good"] } }
sun = { hour = { uniform = [6, 20] }, clouds = { uniform = [0, 1] } }
camera = { choose = [{ kind = "orbit", turn = { uniform = [-40, 40] } }, { kind = "framed" }], weights = [2, 1] }
[scene.wind]
speed = { normal = [8, 2] }
direction = { uniform = [0, 360] }
gustiness = { uniform = [0, 1] }
gusts = { several = [0, 2], of = { at = { uniform = [0, 1] }, strength = { uniform = [2, 9] } } }
[[scene.stands]]
plant = { choose = ["oak", "palm"] }
seed = { whole = [0, 99] }
count = { whole = [1, 5] }
area = { kind = "circle", radius = { uniform = [5, 20] } }
"""


def test_species_seeds_counts_wind_gusts_sun_season_cameras_and_quality_are_drawn() -> None:
    recipe = parse_recipe(EVERYTHING)
    scenes = [recipe.draws(sample)[0] for sample in range(40)]
    for value in (
        lambda scene: scene.stands[0].plant,
        lambda scene: scene.stands[0].seed,
        lambda scene: scene.stands[0].count,
        lambda scene: scene.wind.speed,
        lambda scene: scene.wind.gustiness,
        lambda scene: len(scene.wind.gusts),
        lambda scene: scene.sun.hour,
        lambda scene: scene.season,
        lambda scene: type(scene.camera),
        lambda scene: scene.quality.level,
    ):
        assert len(set(map(value, scenes))) > 1
    assert recipe.drawn(7) == recipe.draws(7)[1]


def keys_of(schema: Any) -> set[str]:
    """All keys that a scene may have, at any place."""
    below = schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ()
    own = set(schema.get("properties", ())) if isinstance(schema, dict) else set()
    return own.union(*map(keys_of, below))


def test_no_key_of_a_scene_is_taken_for_a_distribution_or_one_that_is_misspelt() -> None:
    keys = keys_of(SceneSettings.model_json_schema())
    assert "speed" in keys
    assert not [key for key in keys if get_close_matches(key, DISTRIBUTIONS, n=1, cutoff=LIKE)]


def test_a_data_set_of_too_many_shards_gets_a_sentence() -> None:
    with pytest.raises(SceneError, match="at most 100,000 shards; shard = 100 makes more"):
        parse_recipe(EVERYTHING.replace("samples = 40", "samples = 20_000_000"))


def test_a_recipe_may_build_upon_a_stock_scene() -> None:
    recipe = parse_recipe('samples = 1\nbase = "birch-grove"\n[scene.wind]\nspeed = { uniform = [3, 3] }')
    settings, _ = recipe.draws(0)
    assert settings.wind.speed == 3
    assert settings.stands[0].plant == "silver-birch"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("samples = 0\n[[scene.stands]]\nplant = 'oak'", "samples must be at least 1"),
        ("samples = 1\nsampels = 2", "did you mean 'samples'?"),
        ("samples = 1\nbase = 'nowhere'", "'nowhere' is not one of them"),
        ("samples = 1\n[scene]\nwind = { sped = 3 }\n[[scene.stands]]\nplant = 'oak'", "did you mean 'speed'?"),
        ("samples = 1\n[[scene.stands]]\nplant = { choose = ['oka'] }", "oka"),
        ("samples = 1\n[[scene.stands]]\nplant = 'oak'\nseed = { uniform = [0, 9] }", "stands[0].seed"),
    ],
)
def test_a_wrong_recipe_gets_a_sentence_before_any_work(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "recipe.toml").write_text(text)
    with pytest.raises(SceneError) as error:
        read_recipe(tmp_path / "recipe.toml")
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_stranger_s_recipe_names_only_files_beside_it(tmp_path: Path) -> None:
    (tmp_path / "recipes").mkdir()
    file = tmp_path / "recipes" / "recipe.toml"
    file.write_text("samples = 1\n[scene.wind]\nfile = '../mast.csv'\n[[scene.stands]]\nplant = 'oak'")
    (tmp_path / "mast.csv").write_text("time,u\n0,1\n1,2\n")
    with pytest.raises(SceneError, match=r"mast\.csv"):
        read_recipe(file)
    assert isinstance(read_recipe(file, allow=[tmp_path]), Recipe)
