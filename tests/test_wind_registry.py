"""A wind source is one file and one line in a registry: here a whole one, used from a scene file."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from pydantic import Field

from windflower.core.arrays import FloatArray
from windflower.core.registry import Registry
from windflower.core.table import Length, Number
from windflower.errors import SceneError
from windflower.scene import parse_scene, read_scene, save_scene
from windflower.scene.reference import scene_reference
from windflower.scene.wind import wind_of
from windflower.wind import (
    SOURCES,
    Front,
    Gust,
    SourceSettings,
    Steady,
    Turbulence,
    Wind,
    flag_air,
    turbulence_of,
)

OAK = '[[stands]]\nplant = "oak"\n'
UPDRAUGHT = '[wind]\npreset = "calm"\n\n[[wind.sources]]\nkind = "updraught"\nspeed = 3\n'


@dataclass(frozen=True)
class Updraught(Wind):
    speed: float
    radius: float
    until: float

    def _flow(self, points: FloatArray, t: FloatArray | float) -> FloatArray:
        rising = self.speed * np.exp(-(points[:, 0] ** 2 + points[:, 2] ** 2) / self.radius**2) * (t < self.until)
        return np.multiply.outer(rising, [0.0, 1.0, 0.0])


class UpdraughtSettings(SourceSettings):
    """Air that rises over a round patch of warm ground."""

    kind: Literal["updraught"]
    speed: Number = Field(ge=0, description="in its middle, m/s")
    radius: Length = Field(5.0, description="m")
    until: Number = Field(60.0, description="when it ends, s")

    @property
    def ends(self) -> float:
        return self.until

    def wind(self) -> Updraught:
        return Updraught(**self.options)


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    SOURCES.register("updraught", UpdraughtSettings)
    yield
    SOURCES.unregister("updraught")


def test_a_registered_source_blows_in_a_scene() -> None:
    settings = parse_scene(OAK + UPDRAUGHT)
    wind = wind_of(settings.wind, seed=1)
    probes = np.array([[0.0, 4.0, 0.0], [5.0, 2.0, 0.0]])
    np.testing.assert_allclose(wind.velocity(probes, 0.0), np.array([[0.0, 3.0, 0.0], [0.0, 3 / np.e, 0.0]]))
    np.testing.assert_allclose(wind.exposure(probes, 0.0), [3 / 5, 3 / np.e / 5])
    doubled = wind + Steady(speed=2.0)
    np.testing.assert_allclose(doubled.velocity([0.0, 10.0, 0.0], 0.0), [2, 3, 0])
    assert [part for part in doubled.parts if isinstance(part, Updraught)] == [Updraught(3.0, 5.0, 60.0)]
    assert wind.disks == ()


def test_a_registered_source_survives_saving_and_stands_on_the_page_of_scene_files(tmp_path: Path) -> None:
    settings = parse_scene(OAK + UPDRAUGHT + "radius = 2.5\n")
    save_scene(settings, tmp_path / "warm.toml")
    again = read_scene(tmp_path / "warm.toml")
    assert again.wind == settings.wind
    assert again.wind.sources[0].options == {"speed": 3.0, "radius": 2.5, "until": 60.0}
    assert "## `[[wind.sources]]`, an updraught" in scene_reference()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("speed = -1", r"wind.sources\[0\].speed must be at least 0; it is -1."),
        ("spee = 1", r"wind.sources\[0\]: there is no key 'spee' here; did you mean 'speed'\?"),
    ],
)
def test_settings_of_a_registered_source_are_checked(text: str, told: str) -> None:
    with pytest.raises(SceneError, match=told):
        parse_scene(f'{OAK}[[wind.sources]]\nkind = "updraught"\n{text}\n')


def test_an_unknown_kind_is_told_all_registered_ones() -> None:
    for text, found in (('kind = "dust"', "'dust'"), ("kind = 3", "3"), ("speed = 3", "missing")):
        with pytest.raises(SceneError, match=f"vortex, fan, explosion, front, disk, updraught; it is {found}."):
            parse_scene(f"{OAK}[[wind.sources]]\n{text}\n")
    with pytest.raises(SceneError, match=r"wind.sources\[0\] must be a table; it is 3."):
        parse_scene(f"{OAK}[wind]\nsources = [3]\n")


def test_a_viewer_drops_sources_that_have_died_out() -> None:
    from windflower.viewer.scene_edits import with_puff

    settings = parse_scene(OAK + UPDRAUGHT)
    ray = np.array([0.0, 0.0, -1.0])
    one, _ = with_puff(settings, 3.0, np.zeros(3), ray, 10.0, now=0.0)
    assert [source.kind for source in one.wind.sources] == ["updraught", "front"]
    two, _ = with_puff(one, 3.0, np.zeros(3), ray, 10.0, now=70.0)
    assert [source.kind for source in two.wind.sources] == ["front"]


def test_any_wind_can_be_made_to_repeat() -> None:
    wind = Updraught(3.0, 5.0, 2.0) + Wind.beaufort(5, seed=3) + flag_air(Wind.beaufort(4), 1.5)
    points = np.array([[0.0, 4.0, 0.0], [3.0, 8.0, 1.0]])
    for period in (8.0, 40.0):  # shorter and longer than from gust to gust
        again = wind.repeating(period)
        times = np.linspace(0.0, period, 60)[:, None]
        np.testing.assert_allclose(again.velocity(points, times + 3 * period), again.velocity(points, times), atol=1e-9)
        steps = np.linalg.norm(np.diff(again.velocity(points, np.array([[-1e-6], [0.0], [1e-6]])), axis=0), axis=-1)
        assert steps.max() < 1e-3  # without a jump where it begins again


@pytest.mark.parametrize("kind", ["explosion", "front"])
def test_a_source_is_over_when_it_says_so(kind: str) -> None:
    place = {"kind": kind, "place": (1, 2, 3), "at": 2.0} | ({"toward": (1, 0, 0)} if kind == "front" else {})
    settings = SOURCES[kind].model_validate(place)
    wind, points = settings.wind(), np.random.default_rng(1).normal(0, 20, (2000, 3))
    assert not wind.velocity(points, settings.ends + 1e-6).any()
    assert any(wind.velocity(points, t).any() for t in np.linspace(2.0, settings.ends, 40)[1:-1])


def test_turbulence_is_found_among_all_parts_of_a_wind() -> None:
    eddies = Turbulence(speed=6.0, intensity=0.3, seed=4)
    gust = Gust(speed=6.0, strength=2.0)
    assert turbulence_of((Steady(speed=6.0) + eddies) + gust) is eddies
    about_mean = turbulence_of(Steady(speed=6.0, direction=90.0) + gust)
    assert about_mean is not None
    assert [about_mean.speed, about_mean.direction] == pytest.approx([6.0, 90.0])
    assert turbulence_of(Front(place=(0, 1, 0), toward=(1, 0, 0))) is None


def test_a_gust_leaves_a_scene_its_own_turbulence() -> None:
    settings = parse_scene(f"{OAK}[wind]\nspeed = 7\nturbulence = 0.31\n\n[[wind.gusts]]\nat = 2\n")
    eddies = turbulence_of(wind_of(settings.wind, seed=1))
    assert eddies is not None
    assert eddies.intensity == 0.31


def test_the_source_on_the_page_on_wind_works() -> None:
    SOURCES.unregister("updraught")
    page = (Path(__file__).parents[1] / "docs" / "wind.md").read_text(encoding="utf-8")
    code = page.split("## A source of your own")[1].split("```python\n")[1].split("```")[0]
    exec(code, {"__name__": "updraught"})
    wind = wind_of(parse_scene(OAK + UPDRAUGHT).wind, seed=1)
    np.testing.assert_allclose(wind.velocity([0.0, 4.0, 0.0], 0.0), [0.0, 3.0, 0.0])


def test_parts_are_imported_when_they_are_asked_for() -> None:
    registry: Registry[int] = Registry({"pi": "math:pi", "gone": "nowhere:nothing"})
    registry.register("one", 1)
    with pytest.raises(ValueError, match="'one' is 1 already"):
        registry.register("one", 2)
    assert (list(registry), len(registry), "gone" in registry) == (["pi", "gone", "one"], 3, True)
    assert [registry["pi"], registry["one"]] == pytest.approx([3.14159, 1], abs=1e-5)
    registry.unregister("one")
    assert "one" not in registry
    with pytest.raises(ModuleNotFoundError):
        registry["gone"]
