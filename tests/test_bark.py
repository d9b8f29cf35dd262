"""Bark, the foot of a trunk and its roots: drawn without seams, holes or stretched texture, and alike near and far."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from windflower import grow
from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.export.look import look_of
from windflower.geometry.bark import HIGHER, PATTERNS, mean_bark, tiles_of
from windflower.geometry.finishes import Bark, Finish, SheetLook
from windflower.geometry.flare import BUTTRESSES, buttress_angles, mean_widening, widened
from windflower.geometry.lod_meshes import plant_meshes
from windflower.geometry.mesh import Mesh, mesh_of
from windflower.geometry.triangle_mesh import WOOD, triangle_mesh
from windflower.geometry.trunks import trunks_of
from windflower.plant.graph import Plant
from windflower.plant.species import species_of
from windflower.render.daylight import daylight, even_light
from windflower.render.drawn import INSTANCE, STORAGE, Cut, DrawnMesh, InstanceBuffer
from windflower.render.frame import Around, Drawables, Frame
from windflower.render.quality import Quality
from windflower.render.renderer import Renderer
from windflower.scene import Ground, View, build, parse_scene

SIZE = (240, 180)
NEAR = Quality(triangles=100_000, shadow=256, samples=4, grass=0)
QUICK = ("ridges", "bands")
KINDS, PHYSICAL = 3, 3.0  # wood painted by its kind; the kind that is painted black


def picture_of(
    gpu: Gpu,
    mesh: Mesh,
    points: FloatArray,
    view: View,
    *,
    bark: Bark | None = None,
    cut: Cut | None = None,
    black: bool = False,
) -> NDArray[np.uint8]:
    """Wood before the sky, without a sun, in light that is even; black if wanted."""
    renderer = Renderer(gpu, SIZE, NEAR)
    drawn = DrawnMesh(gpu, renderer.layouts, mesh, None, bark=bark, cut=cut or Cut())
    nodes = np.full((len(points), 4), PHYSICAL, "<f4")
    nodes[:, :3] = points
    record = np.zeros(1, INSTANCE)
    record["place"], record["turn"], record["id"][:, 1] = [0, 0, 0, 1], [1, 0, 0.5, 1], KINDS if black else 0
    posed, air = (gpu.device.create_buffer_with_data(data=data, usage=STORAGE) for data in (nodes, np.zeros(4, "<f4")))
    block = InstanceBuffer(gpu, renderer.layouts).block(posed, air, record)
    light = replace(daylight((0.3, 0.9, 0.3), clouds=0.0), ambient=even_light(np.full(3, 0.3)), sun_colour=np.zeros(3))
    around = Around(Ground("none", (0.5, 0.5, 0.5), 200.0), np.zeros(3))
    renderer.draw(Frame(view, light, 0.0, around, Drawables([(drawn, block)]), (np.zeros(3), 3.0, 3.0)))
    return renderer.read()


def looking(eye: tuple[float, float, float], target: tuple[float, float, float], angle: float = 40.0) -> View:
    return View(np.array(eye), np.array(target), angle, np.array([0.0, 1.0, 0.0]))


def bare_trunk(bend: float = 0.0, nodes: int = 9) -> Plant:
    """A trunk of 4 m that becomes thinner in steps of half a metre."""
    height = np.linspace(0, 4, nodes)
    position = np.column_stack([bend * np.sin(1.3 * height), height, 0.5 * bend * np.sin(0.8 * height)])
    return Plant(parent=np.arange(nodes) - 1, position=position, radius=0.3 - 0.04 * height)


@pytest.mark.parametrize("name", PATTERNS)
def test_bark_repeats_without_a_seam(name: str) -> None:
    for tile in tiles_of(name):
        for part in (tile.own, tile.second, tile.height, tile.lichen):
            for axis in (0, 1):
                steps = np.abs(np.roll(part, -1, axis) - part).mean(axis=1 - axis)
                assert steps[-1] <= 1.2 * np.percentile(steps, 99)


@pytest.mark.parametrize("name", PATTERNS)
def test_bark_has_relief_and_hollows_that_see_less_of_the_sky(name: str) -> None:
    for tile in tiles_of(name):
        assert 0.1 < tile.slopes.std() < 1.5
        low = tile.height < np.percentile(tile.height, 5)
        assert tile.cavity[low].mean() < tile.cavity.mean() <= 1.0


@pytest.mark.parametrize(
    ("bend", "eye", "target"), [(0.0, (0.4, 1.2, 2.0), (0.0, 1.2, 0.0)), (0.3, (1.2, 0.3, -1.4), (0.0, 2.2, 0.0))]
)
def test_no_background_shows_through_a_trunk(
    gpu: Gpu, bend: float, eye: tuple[float, float, float], target: tuple[float, float, float]
) -> None:
    plant = bare_trunk()
    mesh = mesh_of(plant, sides=10, rings=2)
    assert len(mesh.tubes) == 2, "its foot is finer than the rest"
    picture = picture_of(gpu, mesh, bare_trunk(bend).position, looking(eye, target), black=True)
    light = picture.astype(int).max(axis=2)
    wood = light < 40
    assert wood.mean() > 0.1
    for row in np.flatnonzero(wood.sum(axis=1) > 8):
        inside = np.flatnonzero(wood[row])
        assert (light[row, inside[0] : inside[-1] + 1] < 40).all(), f"row {row}"


@pytest.mark.parametrize(
    "pattern",
    [name if name in ("ridges", "bands") else pytest.param(name, marks=pytest.mark.slow) for name in PATTERNS],
)
def test_bark_has_the_same_mean_colour_near_and_far(gpu: Gpu, pattern: str) -> None:
    """With its pattern from near, and from so far that it is lit at its corners."""
    plant, bark = bare_trunk(), Bark((0.25, 0.2, 0.15), pattern, 0.0)
    mesh = mesh_of(plant, sides=10, rings=2, flare=0.0)
    near = picture_of(gpu, mesh, plant.position, looking((0.0, 3.4, 3.0), (0.0, 3.4, 0.0)), bark=bark)
    far = picture_of(
        gpu, mesh, plant.position, looking((0.0, 3.4, 3.0), (0.0, 3.4, 0.0)), bark=bark, cut=Cut(bands=60, twigs=60)
    )
    middle = (slice(SIZE[1] // 2 - 40, SIZE[1] // 2 + 40), slice(SIZE[0] // 2 - 6, SIZE[0] // 2 + 6))
    a, b = (np.square(one[middle].astype(float) / 255).mean(axis=(0, 1)) for one in (near, far))
    assert 255 * np.sqrt(a) == pytest.approx(255 * np.sqrt(b), abs=9.0)


def test_the_lowest_metres_of_a_near_trunk_have_narrow_sides() -> None:
    plant = grow("oak", detail=0.2)
    foot, trunk = plant_meshes(plant).meshes[0].tubes[:2]
    girth = 2 * np.pi * float(plant.base_radius.max())
    assert girth / foot.sides < 0.06
    assert foot.sides % trunk.sides == 0, "or their rings would not meet"
    assert len(plant_meshes(plant).meshes[-1].tubes) <= 3, "from afar nobody sees them"


def test_roots_begin_where_buttresses_meet_the_ground() -> None:
    scene = build(parse_scene('seed = 4\n[[stands]]\nplant = "oak"\ndetail = 0.1\npositions = [[3, 5], [20, -4]]'))
    (stand,), trunks = scene.stands, trunks_of(scene.stands)
    roots = trunks.roots(trunks.corner(np.array([3.0, 0.0, 5.0])))
    mesh = plant_meshes(stand.plant).meshes[0]
    whole = triangle_mesh(mesh).placed(stand.places)
    for place in range(2):
        foot = stand.places.position[place, [0, 2]]
        mine = np.flatnonzero(np.all(np.abs(roots.foot - foot) < 1e-6, axis=1))
        assert len(mine) == 2 * BUTTRESSES
        wood = whole.position[place, np.unique(whole.triangle[whole.part == WOOD])]
        ring = wood[wood[:, 1] < 0][:, [0, 2]] - foot
        yaw, reach = np.arctan2(ring[:, 1], ring[:, 0]), np.linalg.norm(ring, axis=1)
        for root in mine[:BUTTRESSES]:
            turn = (yaw - roots.yaw[root] + np.pi) % (2 * np.pi) - np.pi
            crest = np.abs(turn) < 0.2
            assert reach[crest].max() == pytest.approx(roots.reach[root], rel=0.08)
            assert abs(turn[crest][np.argmax(reach[crest])]) < 0.12
            valley = (np.abs(turn) > 0.3) & (np.abs(turn) < 0.7)
            assert reach[valley].min() < 0.8 * roots.reach[root]


def test_a_trunk_goes_on_into_the_ground() -> None:
    whole = triangle_mesh(mesh_of(bare_trunk()))
    assert whole.position[0, :, 1].min() == pytest.approx(-0.6 * 0.3, rel=0.01)


def test_buttresses_have_their_crests_where_they_are_said_to_be() -> None:
    phase = np.linspace(0, 0.95, 20)
    angle = np.linspace(0, 2 * np.pi, 721)
    mean = []
    for own, crests in zip(phase, buttress_angles(phase), strict=True):
        wide = widened(angle, np.zeros(721), np.array(0.3), np.array(0.7), own)
        mean.append(wide[:-1].mean())
        for crest in crests:
            near = np.abs((angle - crest + np.pi) % (2 * np.pi) - np.pi) < 0.15
            assert abs((angle[near][np.argmax(wide[near])] - crest + np.pi) % (2 * np.pi) - np.pi) < 0.06
    assert np.mean(mean) == pytest.approx(float(mean_widening(np.zeros(1), np.array(0.3), np.array(0.7))[0]), rel=0.05)


def test_bark_is_not_stretched() -> None:
    """A tile is as high as its picture says for its width, along the whole of a trunk and of its branches."""
    plant = grow("oak", detail=0.2)
    whole = triangle_mesh(mesh_of(plant, flare=0.0))
    wood = whole.triangle[whole.part == WOOD]
    place, uv = whole.position[0][wood], whole.uv[wood]
    edges, turns = (part[:, [1, 2]] - part[:, :1] for part in (place, uv))
    metric = np.linalg.solve(turns, edges)  # metres to a turn, and metres to a girth along it
    around, along = np.linalg.norm(metric, axis=2).T
    area = np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1)
    even = np.abs(np.log(along / around)) < 0.3
    assert (area * even).sum() > 0.9 * area.sum()


def test_exports_have_the_bark_that_is_drawn() -> None:
    plant, species = grow("silver-birch", detail=0.05), species_of("silver-birch")
    mesh = plant_meshes(plant).meshes[0]
    bark = Bark.of(species)
    whole = triangle_mesh(mesh)
    part = look_of(whole, mesh, plant, species, Finish(SheetLook(), bark), pixels=64).parts["bark"]
    tile, second = tiles_of("bands")[0], np.array(PATTERNS["bands"].second)
    mean = tile.colour(bark.colour, second).mean(axis=(0, 1))
    low = whole.position[0, part.vertex, 1] < 0.05
    foot = (part.colour[low] * mean).mean(axis=0)
    old = np.array([0.12, 0.11, 0.102])
    assert (foot < 0.9 * old).all(), "black and cracked at its foot"
    assert (part.colour[whole.position[0, part.vertex, 1] > 4].max(axis=0) > 0.95).all(), "white above"
    stem = whole.position[0, part.vertex, 1] < 3
    turns = np.ptp(part.uv[stem], axis=0)
    assert turns[0] == pytest.approx(1.0), "once around a slender birch"
    assert turns[1] * HIGHER == pytest.approx(3 / (2 * np.pi * 0.098), rel=0.35)


def test_mean_colours_of_bark_are_those_of_its_tiles() -> None:
    for name, pattern in PATTERNS.items():
        bark, tile = Bark((0.3, 0.2, 0.1), name, 0.0), tiles_of(name)[0]
        high = mean_bark(bark, np.array([[1.0, 0.0, 0.0]]), np.array([30.0]), np.array([0.1]))[0]
        assert high == pytest.approx(tile.colour(bark.colour, pattern.second).mean(axis=(0, 1)), rel=1e-6)
