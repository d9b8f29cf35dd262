"""The colour of leaves in files, with which readers show them as bright as our renderer does."""

import re
from pathlib import Path

import numpy as np
import pytest

import windflower
from windflower import grow
from windflower.core.arrays import FloatArray
from windflower.export import leaf_light
from windflower.export.leaf_light import reader_colour, reader_normals
from windflower.geometry.mesh import Mesh, mesh_of
from windflower.mechanics.foliage import leaf_of
from windflower.render.daylight import daylight

SHADERS = Path(windflower.__file__).parent / "render/wgsl"


def mesh(name: str) -> Mesh:
    return mesh_of(grow(name, detail=0.1))


@pytest.mark.parametrize("name", ["silver-birch", "spruce", "wheat"])
def test_leaves_in_files_are_brighter_than_their_upper_sides_and_of_their_hue(name: str) -> None:
    plant = mesh(name)
    leaf = leaf_of(plant.foliage.plant)
    colour = reader_colour(plant, leaf)
    assert (colour <= 1).all()
    assert (colour[:2] > 1.2 * np.array(leaf.colour[:2])).all()  # light goes through
    assert (colour[0] > colour[1]) == (leaf.colour[0] > leaf.colour[1])
    assert colour[2] < colour[:2].min()


def test_leaves_that_are_paler_below_are_paler_in_files() -> None:
    birch = mesh("silver-birch")
    leaf = leaf_of(birch.foliage.plant)
    plain, pale = (reader_colour(birch, leaf.model_copy(update={"underside": share})) for share in (0.0, 0.9))
    assert pale[2] / pale[1] > 1.3 * plain[2] / plain[1]


def test_the_picture_of_leaves_does_not_depend_on_how_many_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    birch = mesh("silver-birch")
    leaf = leaf_of(birch.foliage.plant)
    few = reader_colour(birch, leaf)
    monkeypatch.setattr(leaf_light, "SAMPLED", len(birch.leaves))
    assert few == pytest.approx(reader_colour(birch, leaf), rel=0.06, abs=0.005)


def test_normals_of_outer_sides_are_nearly_level_and_look_outward() -> None:
    out = np.array([[0.8, 0.0, 0.0], [0.0, 0.9, 0.1], [-0.5, 0.2, 0.3]])
    normal = reader_normals(np.array([[0.6, 0.8, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]]), out)
    assert np.linalg.norm(normal, axis=1) == pytest.approx(1)
    assert ((normal * out).sum(axis=1) > 0).all()
    assert normal[0, 0] > 0.8


def test_light_of_leaves_has_the_numbers_of_the_shaders() -> None:
    shading, plants = ((SHADERS / name).read_text() for name in ("leaf_shading.wgsl", "plant_shading.wgsl"))
    assert f"const VOLUME = {leaf_light.VOLUME};" in shading
    assert f"const GLOSS = {leaf_light.GLOSS};" in shading
    assert vector(shading, r"const THROUGH = ") == pytest.approx(leaf_light.THROUGH)
    assert vector(plants, r"return sun \* ") == pytest.approx(leaf_light.THROWN)
    assert vector(plants, r"return mix\(") == pytest.approx(leaf_light.INSIDE)


def test_light_of_leaves_is_that_of_a_fair_day() -> None:
    height = leaf_light.HEIGHTS[1]
    light = daylight([0.0, np.sin(height), np.cos(height)])
    assert light.sun_colour == pytest.approx(leaf_light.SUN, rel=0.15)
    assert light.ambient[0] == pytest.approx(leaf_light.AROUND, rel=0.2)
    assert light.ambient[1] == pytest.approx(leaf_light.ABOVE, rel=0.3)


def vector(shader: str, before: str) -> FloatArray:
    found = re.search(before + r"vec3f\(([^)]*)\)", shader)
    assert found
    return np.array([float(number) for number in found.group(1).split(",")])
