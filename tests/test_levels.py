"""Levels of detail: no level is seen to change, the cost is held, and what is far moves as what is near."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from windflower import grow
from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.geometry.culling import Culling, reach_of_shadows
from windflower.geometry.lod import BAND, Candidates, Controller, Shown, beyond, choose, fitting_factor
from windflower.geometry.lod_meshes import stand_meshes
from windflower.motion.modal import ModalSettings
from windflower.plant.detail import on_nodes
from windflower.render.daylight import daylight
from windflower.render.drawn_scene import Detail
from windflower.render.film import Film
from windflower.render.frame import Around, Frame
from windflower.scene import Scene, View, build, parse_scene, read_scene
from windflower.scene.camera import look_at, perspective

GROVE = """
seed = 5
size = [128, 96]
[[stands]]
plant = "silver-birch"
detail = 0.3
count = 10
spacing = 4.0
area = { kind = "circle", radius = 14.0 }
motion = { kind = "modal", modes = 12, cells = 1 }
[wind]
speed = 7.0
[sun]
azimuth = 220.0
elevation = 40.0
"""
UP_TO, COST = np.array([np.inf, 400.0, 200.0, 100.0, 50.0]), np.array([16_000, 6000, 2500, 1000, 4])
EYE = np.zeros(3)
FRAMES = 241  # of a flight at 24 frames a second


def some(pixels: FloatArray) -> Candidates:
    return Candidates(np.arange(len(pixels)), pixels, np.ones(len(pixels)), UP_TO, COST)


def drawn_at(pixels: FloatArray, factor: float) -> tuple[Shown, ...]:
    return some(pixels).shown(some(pixels).place(factor))


def test_each_plant_is_drawn_whole_between_bands_and_in_two_parts_that_make_one_within() -> None:
    pixels = np.geomspace(5, 4000, 500)
    total = np.zeros(500)
    levels = drawn_at(pixels, 1.0)
    for shown in levels:
        assert (np.abs(shown.fade) <= 1).all()
        assert (shown.fade != 0).all()
        total[shown.instance] += np.abs(shown.fade)
    meshes = np.log2(pixels) > np.log2(50) + BAND / 2
    assert total[meshes] == pytest.approx(1.0)
    drawn = np.bincount(np.concatenate([shown.instance for shown in levels]), minlength=500)
    assert drawn.max() == 2
    octaves_in_bands = 3 * BAND / np.log2(4000 / 5)
    assert np.mean(drawn == 2) == pytest.approx(octaves_in_bands, abs=0.02)


def test_the_last_mesh_is_whole_until_its_card_is_and_gone_soon_after() -> None:
    octaves = np.linspace(-0.6, 0.6, 97) * BAND
    last = drawn_at(50 * 2.0**octaves, 1.0)[-1]
    fade = np.zeros(97)
    fade[last.instance] = last.fade
    assert fade[octaves >= 0] == pytest.approx(1.0)
    assert fade[octaves <= -BAND / 2] == pytest.approx(0.0, abs=1e-9)
    assert (np.diff(fade) >= 0).all()


def test_the_place_among_levels_is_continuous_and_falls_with_size() -> None:
    place = some(np.geomspace(5, 4000, 4000)).place(1.0)
    assert (np.diff(place) <= 0).all()
    assert place[0] == len(UP_TO) - 1
    assert place[-1] == 0
    assert np.abs(np.diff(place)).max() < 0.01


def level_by_level(stand: Candidates, factor: float) -> tuple[FloatArray, list[Shown]]:
    """Places and levels of one stand by interpolation, level after level."""
    ends = -np.log2(stand.up_to[1:])[:, None] + np.array([-0.5, 0.5]) * BAND
    knots = ends.ravel(), (np.arange(len(ends))[:, None] + np.array([0.0, 1.0])).ravel()
    smallness, last = -np.log2(stand.pixels * factor), len(stand.up_to) - 2
    relieved = np.minimum(np.interp(smallness - np.log2(stand.relief), *knots), last)
    place, shown = np.maximum(np.interp(smallness, *knots), relieved), []
    for level in range(last + 1):
        mine = np.flatnonzero(np.abs(place - level) < 1)
        past = place[mine] - level
        less = np.minimum(2 - 2 * past, 1) if level == last else 1 - past
        shown.append(Shown(stand.instance[mine], np.where(past >= 0, less, -1 - past)))
    return place, shown


@pytest.mark.parametrize("factor", [0.1, 0.7, 2.0])
def test_levels_of_all_stands_together_are_those_of_each_level_by_level(factor: float) -> None:
    rng = np.random.default_rng(1)
    ladders = ((500, UP_TO, 5), (0, [np.inf, 64.0], 0), (300, [np.inf, 300.0, 1e-6], 0), (7, [np.inf, 1e-6], 0))
    stands = [
        Candidates(
            rng.permutation(3 * count)[:count],
            rng.lognormal(4.5, 1.2, count),
            rng.uniform(0.2, 1, count),
            np.array(up_to),
            COST[-len(up_to) :],
            far,
        )
        for count, up_to, far in ladders
    ]
    choice = choose(stands, factor, camera=EYE, pixel=1e-3)
    cost, shares = 0, 0.0
    for stand, levels, cards in zip(stands, choice.levels, choice.cards, strict=True):
        place, expected = level_by_level(stand, factor)
        for mine, theirs in zip(levels, expected, strict=True):
            assert np.array_equal(mine.instance, theirs.instance)
            assert mine.fade == pytest.approx(theirs.fade, abs=1e-12)
        assert cards == bool(stand.far or (place > len(stand.up_to) - 2).any())
        cost += sum(len(one.instance) * int(price) for one, price in zip(expected, stand.cost, strict=False))
        cost += (len(stand.instance) + stand.far) * int(stand.cost[-1]) * cards
        shares += np.interp(place, np.arange(len(stand.cost)), stand.cost).sum() + stand.far * stand.cost[-1]
    assert choice.cost == cost
    assert choice.shares == pytest.approx(shares)


def test_a_plant_that_a_hand_holds_is_drawn_in_full_wherever_it_is() -> None:
    levels = drawn_at(np.array([np.inf, 20.0]), 0.01)
    assert levels[0].instance.tolist() == [0]
    assert levels[0].fade.tolist() == [1.0]


@pytest.mark.parametrize("target", [600_000, 1_500_000, 4_000_000])
def test_the_fitting_factor_comes_near_the_target(target: int) -> None:
    forest = [some(np.random.default_rng(k).lognormal(4.5, 1.0, 400)) for k in range(2)]
    choice = choose(forest, fitting_factor(forest, target), camera=EYE, pixel=1e-3)
    assert choice.cost == pytest.approx(target, rel=0.12)


def test_a_scene_below_its_target_is_drawn_as_finely_as_can_be_seen() -> None:
    assert fitting_factor([some(np.array([300.0]))], 10**9) == 2.0


def flown_over(frames: int) -> Iterator[list[Candidates]]:
    """What is seen on a flight from high above a forest down among its trees and up again."""
    rng = np.random.default_rng(2)
    trees = np.column_stack([rng.uniform(-400, 400, 10_000), np.full(10_000, 6.0), rng.uniform(-400, 400, 10_000)])
    for k in range(frames):
        share = k / frames
        around = np.array([np.cos(4 * share), 0.0, np.sin(4 * share)])
        eye = 250 * around + np.array([0.0, 8 + 140 * np.cos(np.pi * share) ** 2, 0.0])
        look = perspective(45.0, 16 / 9) @ look_at(eye, -80 * around)
        seen = np.flatnonzero(beyond(trees, np.full(10_000, 7.0), look) == 0)
        distance = np.maximum(np.linalg.norm(trees[seen] - eye, axis=1) - 3, 0.5)
        yield [some(12.0 / (0.0008 * distance))]


def test_the_controller_holds_the_cost_over_a_flight() -> None:
    controller, target, costs, factors = Controller(), 2_500_000, [], []
    for seen in flown_over(480):
        factor = fitting_factor(seen, target) if controller.factor is None else controller.factor
        choice = choose(seen, factor, camera=EYE, pixel=1e-3)
        controller.learn(choice, target)
        costs.append(choice.cost)
        factors.append(factor)
    means = np.convolve(costs[48:], np.ones(30) / 30, mode="valid")
    assert np.abs(means / target - 1).max() < 0.15
    assert np.ptp(np.log2(factors)) > 0.5  # it had something to do
    assert np.abs(np.diff(np.log2(factors))).max() <= 0.05 + 1e-9


def hills_from_the_air(specimens: int) -> tuple[Scene, list[Culling]]:
    """The ten thousand trees on hills; their motion is not needed."""
    settings = read_scene("hills")
    still = {"motion": ModalSettings(kind="modal", modes=2, cells=1), "specimens": specimens}
    scene = build(
        settings.model_copy(update={"stands": tuple(one.model_copy(update=still) for one in settings.stands)})
    )
    return scene, [Culling(stand.parts, stand_meshes(stand)) for stand in scene.stands]


def costs_over(scene: Scene, cullings: list[Culling], target: int, fps: float) -> FloatArray:
    """(frames,) the counted cost of each frame of the scene's own flight at 1920x1080."""
    controller, costs, sun = Controller(), [], scene.sun.direction(0.0)
    reach = reach_of_shadows(max(float(culling.height.max()) for culling in cullings), sun)
    for t in np.arange(0, scene.seconds, 1 / fps):
        view = scene.camera.view(t)
        look = perspective(view.field_of_view, 16 / 9) @ look_at(view.eye, view.target)
        pixel = 2 * float(np.tan(np.radians(view.field_of_view) / 2)) / 1080
        seen = [culling.candidates(view.eye, look, pixel, reach) for culling in cullings]
        factor = fitting_factor(seen, target) if controller.factor is None else controller.factor
        choice = choose(seen, factor, camera=view.eye, pixel=pixel)
        controller.learn(choice, target)
        costs.append(choice.cost)
    return np.array(costs, float)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("specimens", "targets", "fps"),
    [(1, (2_000_000,), 30.0), pytest.param(2, (600_000, 2_000_000, 6_000_000), 60.0, marks=pytest.mark.slow)],
)
def test_the_controller_holds_the_cost_through_ten_thousand_trees_on_hills(
    specimens: int, targets: tuple[int, ...], fps: float
) -> None:
    scene, cullings = hills_from_the_air(specimens)
    assert scene.trees == 10_000
    for target in targets:
        costs = costs_over(scene, cullings, target, fps)
        means = np.convolve(costs[round(2 * fps) :], np.ones(30) / 30, mode="valid")
        assert np.abs(means / target - 1).max() < 0.15


def test_the_controller_does_not_hunt_where_the_count_jumps() -> None:
    """One large tree whose number of triangles jumps as it begins to be drawn twice."""
    controller, target, factors = Controller(), 9000, []
    tree = [some(np.array([390.0]))]
    controller.factor = 1.0
    for _ in range(200):
        choice = choose(tree, controller.factor, camera=EYE, pixel=1e-3)
        controller.learn(choice, target)
        factors.append(controller.factor)
    assert np.ptp(factors[-50:]) < 0.02 * factors[-1]


class Flight(NamedTuple):
    """A film whose eye goes where a test says."""

    scene: Scene
    film: Film

    def draw(
        self, eye: FloatArray, t: float, levels: Frame | None = None, *, budget: int = 60_000
    ) -> tuple[Frame, NDArray[np.float64]]:
        """A frame with its own levels, or with those of another."""
        view = View(eye, np.array([0.0, 5.0, 0.0]), 45.0, np.array([0.0, 1.0, 0.0]))
        renderer, light = self.film.renderer, daylight(self.scene.sun.direction(0.0), clouds=0.0)
        detail = Detail(renderer.size, budget, alone=True, levels=levels.choice if levels else None)
        frame = self.film.drawn.frame(view, light, t, detail)
        renderer.draw(replace(frame, around=Around(self.scene.ground, np.zeros(3))))
        return frame, renderer.read().astype(float)

    def changes(self, number: int) -> tuple[float, float]:
        """How much a frame differs from the one before, and how much of that is by its levels."""
        distance = np.geomspace(2, 500, FRAMES)[[number, number + 1]]
        eyes = [np.array([0.2, 1.6 + 0.12 * d, d]) for d in distance]
        self.film.simulation.advance(number / 24)
        before, first = self.draw(eyes[0], number / 24)
        self.film.simulation.advance((number + 1) / 24)
        _, own = self.draw(eyes[1], (number + 1) / 24)
        _, same = self.draw(eyes[1], (number + 1) / 24, before)
        return float(np.abs(own - first).mean()), float(np.abs(own - same).mean())


@pytest.fixture(scope="module")
def grove() -> Scene:
    return build(parse_scene(GROVE))


@pytest.mark.parametrize("numbers", [range(4, FRAMES - 1, 14), pytest.param(range(FRAMES - 1), marks=pytest.mark.slow)])
def test_no_level_is_seen_to_change_from_two_metres_to_five_hundred(gpu: Gpu, grove: Scene, numbers: range) -> None:
    flight = Flight(grove, Film(grove, quality="draft", gpu=gpu))
    changes, by_levels = np.array([flight.changes(number) for number in numbers]).T
    assert by_levels.max() > 0, "levels do change on the way"
    assert by_levels.max() < 0.5 * np.median(changes)


def test_cards_have_the_colours_of_the_plants_that_they_show(gpu: Gpu, grove: Scene) -> None:
    flight = Flight(grove, Film(grove, quality="draft", gpu=gpu))
    eye = np.array([0.0, 6.0, 46.0])
    plants, near = flight.draw(eye, 0.0, budget=10**7)
    cards, far = flight.draw(eye, 0.0, budget=1)
    _, bare = flight.draw(eye + np.array([0.0, 0.0, 3000.0]), 0.0)
    assert plants.drawables.plants
    assert cards.drawables.impostors
    assert not cards.drawables.plants
    crowns = (slice(30, 45), slice(34, 110))
    greenness = [float(picture[crowns].mean(axis=(0, 1)) @ [-0.5, 1.0, -0.5]) for picture in (near, far, bare)]
    assert greenness[1] - greenness[2] > 0.6 * (greenness[0] - greenness[2]) > 0


def test_any_nodes_of_a_plant_are_a_plant() -> None:
    """Also where the axes between a twig and the trunk are gone."""
    plant = grow("weeping-willow", detail=0.2)
    twig = int(np.flatnonzero(plant.order == plant.order.max())[0])
    few = on_nodes(plant, np.array([0, twig]))
    assert few.order.tolist() == [0, 1]
    assert (few.position[1] == plant.position[twig]).all()
