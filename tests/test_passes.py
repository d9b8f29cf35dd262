"""Data passes against rays cast through triangles that NumPy poses, against the simulation, and against themselves."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest
from scipy.ndimage import map_coordinates, maximum_filter, minimum_filter

from tests.pass_truth import (
    ABOUT,
    GRASS,
    GROUND,
    LEAF,
    SHEET,
    SIZE,
    START,
    WALNUT,
    WATER,
    WOOD_PART,
    Truth,
    passes_of,
    scene_of,
)
from windflower.core.arrays import FloatArray, IntArray
from windflower.core.device import Gpu
from windflower.render.film import Film
from windflower.render.passes.frame_data import FrameData
from windflower.render.passes.registry import PARTS
from windflower.scene import build, read_scene


class Compared(NamedTuple):
    """What pixels show, and how wrong they are: depths (relative), flow (pixels), normals (cosine)."""

    part: IntArray
    depth: FloatArray
    flow: FloatArray
    normal: FloatArray


def compared(truth: Truth, frame: FrameData, count: int) -> Compared:
    """Pixels with parts of plants, against rays."""
    triangles, parts = truth.triangles(), (WOOD_PART, LEAF, SHEET)
    pixels = np.argwhere(np.isin(frame["part"], parts))
    pixels = pixels[np.random.default_rng(5).permutation(len(pixels))[:count]]
    eye, found = truth.scene.camera.view(START).eye, []
    for (row, column), ray in zip(pixels, truth.rays(pixels), strict=True):
        met = triangles.hit(eye, ray)
        if met is None:
            continue
        at, share, depth = met
        normal = np.cross(*(plane[at] for plane in triangles.planes))
        after = truth.projected(share[None] @ triangles.after[at], truth.times[1])[0] - (column + 0.5, row + 0.5)
        found.append((
            triangles.part[at],
            abs(frame["depth"][row, column] / depth - 1),
            np.linalg.norm(frame["flow"][row, column] - after),
            abs(frame["normal"][row, column] @ normal) / max(np.linalg.norm(normal), 1e-12),
            frame["part"][row, column] == triangles.part[at],
        ))  # fmt: skip
    every = [np.array(one) for one in zip(*found, strict=True)]
    same = every[4]
    assert len(found) > 0.99 * len(pixels)
    assert same.mean() > 0.98, "what is drawn is what a ray meets"
    return Compared(*(one[same] for one in every[:4]))


@dataclass
class Take:
    """A clip of a plant, and the truth about its first frame."""

    frames: list[FrameData]
    truth: Truth
    film: Film


ALL = ("albedo", "depth", "normal", "flow", "instance", "part", "species", "wind", "strain")


@pytest.fixture(scope="module")
def walnut(gpu: Gpu) -> Take:
    """A walnut in a gale, filmed by a camera that goes around it."""
    scene = scene_of(WALNUT)
    film = Film(scene, quality="draft", gpu=gpu)
    film.drawn.stands[0].finest = np.array([0])
    return Take(passes_of(film, *ALL, frames=2), Truth(gpu, scene), film)


def test_depth_and_flow_of_leaves_are_those_of_rays_through_posed_leaves(walnut: Take) -> None:
    found = compared(walnut.truth, walnut.frames[0], 120)
    leaf = found.part == LEAF
    assert leaf.sum() > 80
    assert (found.depth[leaf] < 1e-4).mean() > 0.98, "what is seen nearly edgewise is a little astray"
    assert (found.depth[leaf] < 1e-3).mean() > 0.985, "a ray along a leaf's rim may miss it"
    near = leaf & (found.depth < 1e-3)
    assert found.flow[near].max() < 0.05
    assert found.normal[near].min() > 0.999
    moved = np.linalg.norm(walnut.frames[0]["flow"][walnut.frames[0]["part"] == LEAF], axis=-1)
    assert np.median(moved) > 0.4, "a test of what stands still says nothing"
    wood = found.part == WOOD_PART
    assert wood.sum() > 5
    assert found.depth[wood].max() < 1e-4, "twigs are ribbons about their axes, bark has relief"
    assert found.flow[wood].max() < 0.05


@pytest.mark.slow
@pytest.mark.parametrize("plant", ["oak", "silver-birch", "hazel-bush", "spruce"])
def test_leaves_of_other_plants_are_those_of_rays_too(gpu: Gpu, plant: str) -> None:
    scene = scene_of(WALNUT.replace("walnut", plant), ABOUT.replace("distance = 5", "distance = 12"), speed=12.0)
    film = Film(scene, quality="draft", gpu=gpu)
    film.drawn.stands[0].finest = np.array([0])
    found = compared(Truth(gpu, scene), passes_of(film, "depth", "normal", "flow", "part")[0], 300)
    near = found.depth < 1e-4
    assert near.mean() > 0.98
    assert (found.part == LEAF).sum() > 150
    assert found.flow[near].max() < 0.05


def test_a_flag_is_as_far_and_goes_where_its_points_do(gpu: Gpu) -> None:
    scene = scene_of('[[stands]]\nplant = "flag"', 'kind = "orbit"\nturn = 24')
    frame = passes_of(Film(scene, quality="draft", gpu=gpu), "depth", "normal", "flow", "part")[0]
    found = compared(Truth(gpu, scene), frame, 60)
    assert (found.part == SHEET).sum() > 30
    assert found.depth.max() < 1e-4
    assert found.flow.max() < 0.05
    assert found.normal[found.part == SHEET].min() > 0.99, "sheets are shaded smoothly"


def test_the_ground_is_where_rays_meet_it(walnut: Take) -> None:
    frame = walnut.frames[0]
    pixels = np.argwhere(frame["part"] == GROUND)
    ray = walnut.truth.rays(pixels)
    depth = -walnut.film.scene.camera.view(START).eye[1] / ray[:, 1]
    wrong = np.abs(frame["depth"][tuple(pixels.T)] / depth - 1)
    assert np.percentile(wrong, 95) < 1e-4, "stones stand out of it"
    assert (frame["depth"][frame["part"] == 0] == np.inf).all()


def grey(albedo: FloatArray) -> FloatArray:
    """Linear light as grey levels of a display, 0 to 255."""
    return np.asarray(255 * np.where(albedo < 0.0031308, 12.92 * albedo, 1.055 * albedo ** (1 / 2.4) - 0.055))


class Warped(NamedTuple):
    """Mean errors on plants, grey levels, of the second frame's albedo brought back to the first by its flow.

    alike    where the middles of nine neighbours show one part of one plant, whatever is hidden
    seen     of these, where all nine are seen in the second frame, and nothing that is new there is about their place:
             a pixel is a mean over its neighbours, and no flow tells what comes before one, or what was behind it
    unmoved  the same as `seen`, without the flow
    share    how many of `alike` are `seen`
    """

    alike: float
    seen: float
    unmoved: float
    share: float


def warped(first: FrameData, second: FrameData) -> Warped:
    height, width = first["part"].shape
    row, column = np.mgrid[:height, :width]
    x, y = column + first["flow"][..., 0], row + first["flow"][..., 1]
    here, there = grey(first["albedo"]), grey(second["albedo"])
    back = np.stack([map_coordinates(there[..., k], [y, x], order=1, mode="nearest") for k in range(3)], axis=-1)
    own = first["instance"].astype(int) * len(PARTS) + first["part"]
    alike = (minimum_filter(own, 3) == maximum_filter(own, 3)) & (first["instance"] > 0)
    place = np.clip(np.rint(y).astype(int), 0, height - 1), np.clip(np.rint(x).astype(int), 0, width - 1)
    seen = alike & ~maximum_filter(first["occluded"], 3) & ~maximum_filter(second["occluded_back"], 3)[place]
    assert seen.sum() > 50
    wrong, unmoved = np.abs(back - here), np.abs(there - here)
    return Warped(*(float(one.mean()) for one in (wrong[alike], wrong[seen], unmoved[seen], seen[alike])))


def test_the_next_frame_brought_back_by_the_flow_is_this_one(walnut: Take) -> None:
    found = warped(*walnut.frames)
    assert found.share > 0.1
    assert found.seen < 1.5
    assert found.seen < 0.5 * found.unmoved


@pytest.mark.slow
@pytest.mark.parametrize("speed", [3.0, 9.0, 18.0])
@pytest.mark.parametrize("size", [(240, 180), (480, 360)])
@pytest.mark.parametrize("plant", ["walnut", "oak", "silver-birch", "hazel-bush", "palm", "banana", "spruce"])
def test_flow_brings_back_small_and_large_pictures_of_any_plant_in_breeze_and_gale(
    gpu: Gpu, plant: str, size: tuple[int, int], speed: float
) -> None:
    scene = scene_of(
        WALNUT.replace("walnut", plant), ABOUT.replace("distance = 5", "distance = 8"), speed=speed, size=size
    )
    found = warped(*passes_of(Film(scene, quality="draft", gpu=gpu), "albedo", "flow", "instance", "part", frames=2))
    assert found.seen < 1.5, found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["birch-grove", "forest", "palms-in-a-gale", "oak-in-a-storm", "hollyhock"])
def test_flow_brings_back_pictures_of_scenes(gpu: Gpu, name: str) -> None:
    scene = build(read_scene(name).model_copy(update={"size": (320, 240)}))
    found = warped(*passes_of(Film(scene, quality="draft", gpu=gpu), "albedo", "flow", "instance", "part", frames=2))
    assert found.seen < 1.5, found


def test_strain_is_that_of_the_simulation(walnut: Take) -> None:
    frame, truth = walnut.frames[0], walnut.truth
    strain, mesh = truth.poses[0][2], truth.mesh
    wood = frame["part"] == WOOD_PART
    assert (frame["strain"][~wood] == 0).all()
    # Segments thick enough to be found: the pixel at the middle of each, where nothing is before it.
    node = mesh.segments["node"][: mesh.tubes[0].count + mesh.tubes[1].count].astype(int)
    place = truth.stand.places.some(np.array([0])).to_world(truth.poses[0][0])[0]
    middle = (place[node[:, 1]] + place[node[:, 2]]) / 2
    column, row = np.floor(truth.projected(middle, START)).astype(int).T
    view = truth.scene.camera.view(START)
    ahead = (view.target - view.eye) / np.linalg.norm(view.target - view.eye)
    away = (middle - view.eye) @ ahead
    radius = (mesh.segments["tangent_a"] + mesh.segments["tangent_b"])[: len(node), 3] / 2
    inside = (column >= 0) & (column < SIZE[0]) & (row >= 0) & (row < SIZE[1])
    column, row, away, node, radius = (one[inside] for one in (column, row, away, node, radius))
    # What is seen there is its own bark: nearer than its axis, by no more than a slant makes of its radius.
    near = away - frame["depth"][row, column]
    seen = wood[row, column] & (near > 0) & (near < 1.5 * radius + 0.005)
    assert seen.sum() >= 5
    low, high = np.sort(np.stack([strain[node[seen, 2]], strain[node[seen, 3]]]), axis=0)
    found = frame["strain"][row, column][seen]
    right = (found > 0.98 * low - 1e-7) & (found < 1.02 * high + 1e-7)
    assert right.mean() > 0.95, (low, found, high)  # two boughs may meet there
    assert found.max() > 1e-5


def test_wind_is_that_of_the_field_where_the_pixel_is(walnut: Take) -> None:
    frame, truth = walnut.frames[0], walnut.truth
    pixels = np.argwhere(np.isfinite(frame["depth"]))[::501]
    at = tuple(pixels.T)
    point = truth.scene.camera.view(START).eye + truth.rays(pixels) * frame["depth"][at][:, None]
    point[:, 1] = np.where(frame["part"][at] == GROUND, 0, np.maximum(point[:, 1], 0))
    np.testing.assert_allclose(frame["wind"][at], truth.scene.wind.velocity(point, START), atol=2e-3)
    assert np.linalg.norm(frame["wind"][at], axis=1).max() > 5
    assert not frame["wind"][np.isin(frame["part"], (0, GROUND))].any(), "near and far, the ground is still air"
    np.testing.assert_allclose(frame.wind[1], truth.poses[0][1][0], atol=1e-4)


def test_flow_back_leads_to_where_flow_came_from(walnut: Take) -> None:
    assert_round_trip(*walnut.frames)


def assert_round_trip(first: FrameData, second: FrameData) -> None:
    """Going forth and back again leads to the same place, where both frames show the same thing."""
    height, width = first["part"].shape
    row, column = np.mgrid[:height, :width]
    there = np.round(np.stack([row, column], axis=-1) + first["flow"][..., ::-1]).astype(int)
    seen = ~first["occluded"] & (there >= 0).all(axis=-1) & (there < (height, width)).all(axis=-1)
    at = tuple(there[seen].T)
    known = ~second["occluded_back"][at]
    wrong = np.linalg.norm(first["flow"][seen] + second["flow_back"][at], axis=-1)[known]
    assert (wrong < 0.5).mean() > 0.85, np.percentile(wrong, [50, 80, 90, 95])


def test_the_same_frame_twice_is_the_same_to_the_bit(walnut: Take) -> None:
    again = Film(walnut.film.scene, quality="draft", gpu=walnut.film.gpu)
    again.drawn.stands[0].finest = np.array([0])
    (frame,) = passes_of(again, *ALL)
    for name, array in walnut.frames[0].items():
        assert array.tobytes() == frame[name].tobytes(), name


POND = """
[[stands]]
plant = "hazel-bush"
detail = 0.1
motion = { kind = "modal", modes = 6 }
positions = [[-3, 0], [3, 0], [0, 60]]
[[stands]]
plant = "oak"
detail = 0.1
motion = { kind = "modal", modes = 6 }
positions = [[-60, -500], [0, -500], [60, -500]]
"""


@pytest.fixture(scope="module")
def pond(gpu: Gpu) -> list[FrameData]:
    """Bushes on a meadow, a pond behind them, one bush behind the camera, and far trees that are cards."""
    camera = 'kind = "orbit"\ntarget = [0, 1.5, 0]\ndistance = 9\nelevation = 9\nturn = 12'
    scene = scene_of(POND, camera, ground='meadow"\npond = { centre = [0, -6], size = [14, 8] }  #', speed=9.0)
    return passes_of(Film(scene, quality="draft", gpu=gpu), "depth", "flow", "instance", "part", "species", frames=2)


def test_ids_count_the_plants_in_view_and_stay(pond: list[FrameData]) -> None:
    for frame in pond:
        assert set(np.unique(frame["instance"])) == {0, 1, 2, 4, 5, 6}, "the third bush is behind the camera"
        named = {(int(one), int(two)) for one, two in zip(frame["instance"].flat, frame["species"].flat, strict=True)}
        assert named == {(0, 0), (1, 1), (2, 1), (4, 2), (5, 2), (6, 2)}, "hazel-bush is 1, oak 2"
        plants = np.isin(frame["part"], (WOOD_PART, LEAF))
        assert ((frame["instance"] > 0) == plants).all()
    first, second = ([np.argwhere(frame["instance"] == one)[:, 1].mean() for one in (4, 5, 6)] for frame in pond)
    assert first == sorted(first), "from left to right"
    assert np.abs(np.subtract(first, second)).max() < 12


def test_parts_are_told_apart(pond: list[FrameData]) -> None:
    shown = set(np.unique(pond[0]["part"]).tolist())
    assert shown == {0, GROUND, WOOD_PART, LEAF, GRASS, WATER}
    far = pond[0]["instance"] >= 4
    assert (pond[0]["part"][far] == LEAF).mean() > 0.5, "cards of far trees are mostly leaves"
    assert np.median(pond[0]["depth"][far]) > 400


def test_the_sky_and_the_ground_flow_as_the_camera_turns(pond: list[FrameData]) -> None:
    """What stands still is where a camera sees it that is known to both frames."""
    first, second = pond
    lens = first.camera["intrinsics"]
    row, column = np.mgrid[: SIZE[1], : SIZE[0]] + 0.5
    ray = np.stack([(column - lens["cx"]) / lens["fx"], (lens["cy"] - row) / lens["fy"], -np.ones_like(row)], axis=-1)
    turn = np.array(second.camera["view"])[:3, :3] @ np.array(first.camera["view"])[:3, :3].T
    come = np.array(second.camera["view"])[:3, :3] @ np.subtract(first.camera["eye"], second.camera["eye"])
    for part, close in ((0, 1e-3), (GROUND, 5e-3)):
        shown = first["part"] == part
        assert shown.sum() > 500
        there = ray[shown] @ turn.T
        if part == GROUND:
            there = there * first["depth"][shown][:, None] + come
        x, y = (lens["fx"] * there[:, :2] / -there[:, 2:] * (1, -1) + (lens["cx"], lens["cy"])).T
        flow = np.column_stack([x - column[shown], y - row[shown]])
        assert np.abs(flow).max() > 0.3, "the camera turns"
        assert np.abs(first["flow"][shown] - flow).max() < close


def test_grass_water_and_cards_go_forth_and_back(pond: list[FrameData]) -> None:
    assert_round_trip(*pond)
    for some in (pond[0]["part"] == GRASS, pond[0]["part"] == WATER, pond[0]["instance"] >= 4):
        assert np.abs(pond[0]["flow"][some]).max() > 0.3, "the camera turns"
    for one in (4, 5, 6):
        assert pond[0]["occluded"][pond[0]["instance"] == one].mean() < 0.5, "a card stays in view"
