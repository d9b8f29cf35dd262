"""Loops in scenes: from a table of a scene file to what a stand plays."""

import pytest

from windflower.errors import SceneError
from windflower.motion import NoiseFilter, SpectralMotion
from windflower.scene import Scene, build, parse_scene
from windflower.wind import Profile, Turbulence

OAK = '[[stands]]\nplant = "oak"\ndetail = 0.03\n'


def scene(stand: str, rest: str = "") -> Scene:
    return build(parse_scene(f"seconds = 4\n{OAK}{stand}\n{rest}"))


def loop_of(built: Scene) -> SpectralMotion:
    loop = built.stands[0].motion
    assert isinstance(loop, SpectralMotion)
    return loop


def test_a_modal_stand_plays_no_loop() -> None:
    assert scene("").stands[0].motion.period is None
    assert scene("").period is None


def test_by_default_a_loop_is_as_long_as_the_clip_and_blows_like_the_scene() -> None:
    wind = "[wind]\nspeed = 7\ndirection = 200\nturbulence = 0.25\nspectrum = 'karman'\nprofile = { law = 'uniform' }"
    loop = loop_of(scene('motion = { kind = "spectral", modes = 6, cells = 2 }', wind))
    assert loop.period == 4
    assert len(loop.shapes) == 12
    assert len(loop.clips) == 8
    assert isinstance(loop.wind, Turbulence)
    assert (loop.wind.speed, loop.wind.direction, loop.wind.intensity, loop.wind.form) == (7, 200, 0.25, "karman")
    assert loop.wind.profile == Profile(law="uniform")


def test_the_papers_filter_may_take_the_place_of_the_spectrum() -> None:
    loop = loop_of(
        scene("motion = { kind = 'spectral', correlation_time = 2, correlation_distance = 0.7, period = 9 }")
    )
    assert isinstance(loop.wind, NoiseFilter)
    assert (loop.wind.correlation_time, loop.wind.correlation_distance, loop.period) == (2, 0.7, 9)


def test_a_calm_scene_has_no_loop() -> None:
    with pytest.raises(SceneError, match=r"needs a mean wind.*Give the wind a speed"):
        scene("motion = 'spectral'", "[wind]\npreset = 'calm'")
