"""What a person does in the viewer, without a window and without a device."""

import math
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.plants import fork
from windflower import grow, species_names, species_of
from windflower.errors import FileError, SceneError, SpeciesError
from windflower.mechanics import analyse
from windflower.motion import ModalMotion, ModalState, Places
from windflower.plant.species.changes import changed
from windflower.scene import Scene, build, parse_scene, read_scene, settings_of
from windflower.viewer.background_build import SceneBuilder
from windflower.viewer.overlays import arrows, wind_arrows
from windflower.viewer.picking import Hand, nearest_segment, spheres_on_ray
from windflower.viewer.scene_edits import as_draft, growth_controls, with_number, with_stand, with_wind
from windflower.viewer.session import Session
from windflower.viewer.view_camera import ViewCamera
from windflower.viewer.view_state import MAX_FRAME_TIME, Clock
from windflower.wind import Steady

SMALL = """
seed = 5
[[stands]]
plant = "silver-birch"
detail = 0.05
motion = { kind = "modal", modes = 6, cells = 2 }
[wind]
speed = 6.0
[camera]
kind = "orbit"
turn = 0.0
"""


def camera() -> ViewCamera:
    return ViewCamera(np.array([1.0, 2.0, -3.0]), 10.0, 160.0, 12.0)


def settle(session: Session) -> None:
    """Wait for the background build, and take what it has made."""
    while session.builder.busy:
        session.builder.wait()
        session.tick(0.0)


# The camera.

moves = st.lists(
    st.tuples(st.sampled_from(["orbited", "looked", "panned", "walked"]), st.floats(-90, 90), st.floats(-90, 90)),
    max_size=12,
)


@given(moves)
def test_no_way_of_moving_the_camera_brings_it_under_the_ground_or_on_its_head(
    path: list[tuple[str, float, float]],
) -> None:
    now = camera()
    for name, one, other in path:
        share = 1.0 if name in ("orbited", "looked") else 0.05
        now = getattr(now, name)(share * one, share * other)
        if name != "looked":
            assert now.place[1] > 0.1
        assert np.isfinite(now.place).all()
        assert now.up[1] > 0
        assert now.distance == pytest.approx(10.0)


def test_an_orbit_keeps_the_target_and_a_look_keeps_the_place() -> None:
    around, about = camera().orbited(40, 10), camera().looked(40, 10)
    np.testing.assert_allclose(around.target, camera().target)
    np.testing.assert_allclose(about.place, camera().place, atol=1e-12)
    assert np.linalg.norm(around.place - camera().place) > 3


def test_what_is_dragged_follows_the_pointer() -> None:
    """A pan by a share of the picture's height moves what is at the target's depth by just as much."""
    before, after = camera(), camera().panned(-0.25, 0.0)
    moved = before.target - after.target
    metres = 2 * before.distance * math.tan(math.radians(before.field_of_view) / 2)
    assert moved @ before.right == pytest.approx(0.25 * metres)


def test_a_camera_has_the_view_that_it_was_made_from() -> None:
    view = read_scene("forest")
    first = build(with_stand(parse_scene(SMALL), 0)).camera.view(0.0)
    again = ViewCamera.of(first).view
    np.testing.assert_allclose(again.eye, first.eye, atol=1e-9)
    np.testing.assert_allclose(again.target, first.target, atol=1e-9)
    assert view.title


def test_a_ray_through_the_middle_is_the_line_of_sight() -> None:
    np.testing.assert_allclose(camera().ray(0.5, 0.5, 1.6), camera().forward, atol=1e-12)
    corner = camera().ray(1.0, 0.0, 1.6)
    half = math.radians(camera().field_of_view) / 2
    assert math.atan2(corner @ camera().up, corner @ camera().forward) == pytest.approx(half)


def test_a_walker_stays_at_the_height_of_his_eyes() -> None:
    walker = camera().on_foot()
    assert walker.place[1] == pytest.approx(1.7)
    assert walker.walked(3.0, 1.0).place[1] == pytest.approx(1.7)


# The clock.


def test_a_paused_clock_stands_and_a_step_moves_it_on_by_one() -> None:
    clock = Clock(playing=False)
    assert clock.advance(0.5) == 0.0
    clock.step()
    assert clock.advance(0.5) == pytest.approx(1 / 60)
    assert clock.time == pytest.approx(1 / 60)


def test_slow_motion_is_slow_and_a_long_pause_does_not_jump() -> None:
    assert Clock(speed=0.1).advance(0.2) == pytest.approx(0.02)
    assert Clock().advance(30.0) == MAX_FRAME_TIME


# Growth controls.


@pytest.mark.parametrize("name", species_names())
def test_every_growth_control_of_every_species_reaches_both_ends(name: str) -> None:
    species = species_of(name)
    controls = growth_controls(species)
    assert len({control.path for control in controls}) == len(controls) >= 3
    for control in controls:
        assert control.low <= control.value <= control.high
        for end in (control.low, control.high):
            changed_controls = growth_controls(species, with_number({}, control.path, end))
            found = next(one for one in changed_controls if one.path == control.path)
            assert found.value == pytest.approx(end)
            assert (found.low, found.high) == (control.low, control.high)


def test_a_taller_species_grows_taller_plants_with_the_same_number_of_branches() -> None:
    own = grow("walnut", seed=2, detail=0.2)
    tall = grow(changed(species_of("walnut"), {"growth": {"height": 14.0}}), seed=2, detail=0.2)
    assert tall.height / own.height == pytest.approx(14.0 / species_of("walnut").growth.height, rel=1e-6)  # type: ignore[union-attr]
    assert tall.species == "walnut"


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"wood": {"E": 1.0}}, "growth, girth, leaf"),
        ({"growth": 3.0}, "growth, girth, leaf"),
        ({"leaf": {"colour": [1, 0, 0]}}, "'colour' cannot"),
        ({"growth": {"levels": {"9": {"branches": 3}}}}, "numbered from 0"),
        ({"growth": {"height": -2.0}}, r"at least 0\.001; it is -2"),
        ({"growth": {"heigt": 2.0}}, "heigt"),
    ],
)
def test_a_change_that_a_species_cannot_take_is_refused(changes: dict[str, object], told: str) -> None:
    with pytest.raises(SpeciesError, match=told):
        changed(species_of("walnut"), changes)


# Settings.


def test_a_new_strength_of_the_wind_takes_the_place_of_the_old_one() -> None:
    settings = with_wind(parse_scene(SMALL), preset="gale")
    assert settings.wind.speed is None
    assert with_wind(settings, speed=3.0).wind.preset is None
    with pytest.raises(SceneError, match="at most"):
        with_wind(settings, speed=300.0)


def test_a_draft_has_fewer_nodes_only_where_someone_drags_a_number() -> None:
    settings = parse_scene(SMALL + '\n[[stands]]\nplant = "oak"\npositions = [[9.0, 0.0]]\n'.replace("[wind]", ""))
    assert as_draft(settings, 0, 5000).stands[0].detail == pytest.approx(0.005)
    assert as_draft(settings, 0, 100).stands[0].detail == 0.05
    assert as_draft(settings, 0, 5000).stands[1] == settings.stands[1]


# Background builds.


def test_only_the_latest_request_waits_for_the_running_build() -> None:
    builder, gate, built = SceneBuilder(), threading.Event(), []
    made = builder._build

    def slow(settings: object, *, draft: bool) -> object:
        gate.wait(10)
        built.append(settings)
        return made(settings, draft=draft)  # type: ignore[arg-type]

    builder._build = slow  # type: ignore[method-assign, assignment]
    requests = [with_stand(parse_scene(SMALL), 0, seed=seed) for seed in (1, 2, 3, 4)]
    for request in requests:
        builder.request(request)
    gate.set()
    taken = []
    while builder.busy:
        builder.wait()
        found = builder.take()
        taken += [found] if found else []
    builder.close()
    assert built == [requests[0], requests[-1]]
    assert [one.settings for one in taken] == built
    assert all(one.scene is not None for one in taken)


def test_a_plant_that_did_not_change_is_the_same_object_in_the_next_scene() -> None:
    builder = SceneBuilder()
    first = builder.build_now(parse_scene(SMALL))
    second = builder.build_now(with_wind(parse_scene(SMALL), speed=20.0))
    builder.close()
    assert first.stands[0].plant is second.stands[0].plant
    assert speed_of(first) != speed_of(second)


def speed_of(scene: Scene) -> float:
    motion = scene.stands[0].motion
    assert isinstance(motion, ModalMotion)
    return motion.speed


# The session.


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(parse_scene(SMALL), folder=tmp_path)


def test_wind_and_sun_take_hold_at_once(session: Session) -> None:
    before = session.scene
    session.set_wind(speed=18.0)
    session.set_sun(hour=6.0)
    assert np.linalg.norm(session.scene.wind.mean) == pytest.approx(18.0)
    assert session.scene.sun.settings.hour == 6.0
    assert session.scene.stands is before.stands
    settle(session)
    assert speed_of(session.scene) == pytest.approx(18.0)
    assert np.linalg.norm(session.scene.wind.mean) == pytest.approx(18.0)


def test_a_plant_is_regrown_beside_the_frame_and_what_changed_meanwhile_stays(session: Session) -> None:
    before = session.scene.stands[0]
    session.set_growth(0, ("growth", "height"), 5.0)
    assert session.scene.stands[0] is before
    session.set_wind(direction=10.0)
    settle(session)
    assert session.scene.stands[0].plant.height < 0.7 * before.plant.height
    assert session.scene.settings.wind.direction == 10.0
    assert session.message == ""


def test_a_mistake_is_a_message_and_changes_nothing(session: Session) -> None:
    before = session.settings
    session.set_wind(speed=1000.0)
    assert "at most" in session.message
    session.set_stand(0, detail=-1.0)
    assert session.settings is before
    session.save("scene.txt")
    assert "scene.toml" in session.message
    session.open("no-such-scene")
    assert "no-such-scene" in session.message


def test_gusts_on_demand_reach_what_the_camera_looks_at_and_are_forgotten_after_a_while(session: Session) -> None:
    session.set_wind(speed=4.0, turbulence=0.0, gustiness=0.0, direction=310.0)
    session.look(replace(session.camera, target=np.array([40.0, 5.0, -20.0])))
    calm = np.linalg.norm(session.scene.wind.velocity([40.0, 10.0, -20.0], 0.9))
    session.send_gust()
    blown = np.linalg.norm(session.scene.wind.velocity([40.0, 10.0, -20.0], 2.5))
    assert calm == pytest.approx(4.0, rel=1e-3)
    assert blown > 8.0
    session.clock.time = 500.0
    session.send_gust()
    assert len(session.settings.wind.gusts) == 1


def test_a_puff_blows_from_the_camera_where_the_pointer_points_and_is_forgotten(session: Session) -> None:
    session.set_wind(speed=3.0, turbulence=0.0, gustiness=0.0)
    now = session.camera
    ray = now.ray(0.5, 0.5, 1.5)
    here, aside = now.place + 0.8 * now.distance * ray, now.place + 2 * now.distance * now.right
    before = session.scene.wind
    session.send_puff(ray)
    blown = session.scene.wind.velocity(here, 1.2) - before.velocity(here, 1.2)
    assert blown @ ray > 3.0
    assert blown @ ray == pytest.approx(np.linalg.norm(blown))
    assert np.abs(session.scene.wind.velocity(aside, 1.2) - before.velocity(aside, 1.2)).max() < 0.1
    session.clock.time = 100.0
    session.send_puff(ray)
    assert len(session.settings.wind.sources) == 1


def test_a_saved_scene_opens_as_it_was(session: Session) -> None:
    session.set_wind(preset="windy", direction=200.0)
    session.set_growth(0, ("growth", "levels", "1", "branches"), 14.0)
    session.set_stand(0, stiffness=2.0, damping=0.5)
    session.set_sun(hour=19.0)
    session.look(session.camera.orbited(30, 5).zoomed(0.7))
    settle(session)
    session.save("mine.toml")
    assert "saved" in session.message
    other = Session(read_scene(session.folder / "mine.toml"), folder=session.folder)
    assert other.settings == session.current()
    np.testing.assert_allclose(other.camera.place, session.camera.place, atol=1e-3)
    np.testing.assert_array_equal(other.scene.stands[0].plant.position, session.scene.stands[0].plant.position)
    np.testing.assert_array_equal(other.scene.stands[0].places.position, session.scene.stands[0].places.position)


def test_a_modest_machine_does_not_make_the_saved_scene_modest(session: Session) -> None:
    session.limit_quality("draft")
    assert session.current().quality.level == "good"
    session.display.quality = "best"
    assert session.current().quality.level == "best"
    session.save("best.toml")
    session.open("best.toml")
    settle(session)
    assert (session.display.quality, session.settings.quality.level) == ("draft", "best")


def test_moving_the_camera_before_saving_leaves_scattered_trees_where_they_are(tmp_path: Path) -> None:
    text = SMALL.replace("detail = 0.05", "detail = 0.05\ncount = 25\nspacing = 3.0")
    text = text.replace('kind = "orbit"\nturn = 0.0', 'kind = "fixed"\neye = [0, 2, 6]\ntarget = [0, 3, 0]')
    session = Session(parse_scene(text), folder=tmp_path)
    session.look(session.camera.walked(0.0, 4.0))
    session.save("trees.toml")
    again = build(read_scene(tmp_path / "trees.toml"))
    np.testing.assert_array_equal(again.stands[0].places.position, session.scene.stands[0].places.position)


def test_opening_a_scene_begins_it_anew(session: Session) -> None:
    session.save("before.toml")
    session.clock.time, session.moved = 9.0, True
    session.set_stand(0, seed=9)
    session.open("before.toml")
    settle(session)
    assert (session.clock.time, session.moved, session.settings.stands[0].seed) == (0.0, False, 1)
    assert session.restarts == 1


def test_what_is_changed_while_a_scene_is_opened_does_not_come_after_it(session: Session) -> None:
    session.save("other.toml")
    session.open("other.toml")
    session.set_stand(0, seed=7)
    session.set_wind(speed=3.0)
    settle(session)
    assert session.settings.stands[0].seed == 1
    assert session.scene.stands[0].name.endswith(" 1")
    session.set_stand(0, seed=2)
    settle(session)
    assert session.scene.stands[0].name.endswith(" 2")


def test_a_plant_that_cannot_stand_is_told_and_the_old_one_stays(session: Session) -> None:
    before = session.scene.stands[0].plant
    session.set_growth(0, ("growth", "height"), 60.0)
    settle(session)
    assert "buckle" in session.recent_message
    assert session.scene.stands[0].plant is before
    session.tick(60.0)
    assert session.recent_message == ""


def test_a_scene_may_be_emptied_and_planted_again(session: Session) -> None:
    session.remove_stand(0)
    settle(session)
    assert session.scene.stands == ()
    session.save("empty.toml")
    assert "empty" in session.message
    session.add_stand("hazel-bush")
    session.set_stand(0, detail=0.05)
    settle(session)
    assert session.scene.trees == 1


def test_a_viewer_shows_scenes_species_and_files(tmp_path: Path) -> None:
    assert settings_of("forest").title == read_scene("forest").title
    assert settings_of("oak", seed=4).stands[0].seed == 4
    assert settings_of("giant-kelp").ground.kind == "seabed"
    path = tmp_path / "stick.npz"
    fork().save(path)
    assert settings_of(str(path)).stands[0].plant == str(path)
    with pytest.raises(FileError, match="did you mean 'oak'"):
        settings_of("oka")


# Taking over a motion.


def modal(species_changes: dict[str, object] | None = None, *, count: int = 8, cells: int = 2) -> ModalMotion:
    plant = grow(changed(species_of("walnut"), species_changes or {}), seed=3, detail=0.08)
    return ModalMotion(analyse(plant, count=count, cells=cells, cache=False), speed=8.0)


def swaying(motion: ModalMotion, places: Places) -> ModalState:
    state = motion.settled(places, np.full((len(places), motion.modes.cells, 3), (8.0, 0, 0)))
    for step in range(40):
        air = np.full((len(places), motion.modes.cells, 3), (8.0 + 4 * math.sin(step / 6), 0, 1.0))
        state = motion.step(state, air, 1 / 60)
    return state


@pytest.mark.parametrize("count", [5, 14])
def test_more_or_fewer_modes_take_over_the_pose(count: int) -> None:
    places = Places(np.array([[0.0, 0, 0], [9.0, 0, 0]]), yaw=np.array([0.3, 1.0]))
    old, new = modal(), modal(count=count)
    state = swaying(old, places)
    air = np.full((2, 2, 3), (8.0 + 4 * math.sin(39 / 6), 0, 1.0))
    taken = new.resumed(new.settled(places, air), old.shape_state(state))
    before, after, rest = old.pose(state), new.pose(taken), old.plant.position
    most = 0.25 * np.sqrt(((before - rest) ** 2).mean())  # what a few modes leave out are twigs
    assert np.sqrt(((after - before) ** 2).mean()) < most
    ahead, behind = new.step(taken, air, 1 / 60), old.step(state, air, 1 / 60)
    assert np.sqrt(((new.pose(ahead) - old.pose(behind)) ** 2).mean()) < most


def test_a_regrown_plant_takes_over_the_lean_and_its_speed() -> None:
    places = Places()
    old, new = modal(), modal({"growth": {"height": 9.5}})
    state = swaying(old, places)
    air = np.full((1, 2, 3), (8.0, 0, 1.0))
    taken = new.resumed(new.settled(places, air), old.shape_state(state))
    top_old, top_new = (int(np.argmax(motion.plant.position[:, 1])) for motion in (old, new))
    before = (old.pose(state)[0, top_old] - old.plant.position[top_old]) / old.plant.height
    after = (new.pose(taken)[0, top_new] - new.plant.position[top_new]) / new.plant.height
    np.testing.assert_allclose(after[[0, 2]], before[[0, 2]], atol=0.25 * np.abs(before).max())


def test_trees_that_stand_where_trees_stood_are_found() -> None:
    old, new = Places(np.eye(3)), Places(np.array([[0.0, 0, 1.0], [5.0, 0, 0], [1.0, 0, 0]]))
    before, after = old.persisting(new)
    assert (before.tolist(), after.tolist()) == ([2, 0], [0, 2])


# Picking.


@given(st.integers(0, 2**31), st.floats(0.05, 0.95))
def test_the_nearest_segment_is_that_of_a_dense_search(seed: int, along: float) -> None:
    """Against the distances from the ray to many points of every segment."""
    rng = np.random.default_rng(seed)
    base = rng.normal(size=(12, 3))
    tip = base + 0.4 * rng.normal(size=(12, 3))
    origin = np.array([0.3, 0.2, 12.0])
    aim = base[4] + along * (tip[4] - base[4]) + 0.01 * rng.normal(size=3)
    ray = (aim - origin) / np.linalg.norm(aim - origin)
    hit = nearest_segment(origin, ray, base, tip, np.full(12, 1e-4), 0.001)
    points = base[:, None] + np.linspace(0, 1, 400)[None, :, None] * (tip - base)[:, None]
    away = points - origin
    depth = away @ ray
    pixels = np.linalg.norm(away - depth[..., None] * ray, axis=-1) / (0.001 * depth)
    near = np.where(pixels.min(axis=1) < 2.4)[0]
    assert hit is not None
    if len(near):
        front = near[np.argmin([depth[i, pixels[i].argmin()] for i in near])]
        assert hit.segment == front or hit.beside < 2.6
    assert hit.beside <= pixels[hit.segment].min() + 1e-6


def test_a_thick_branch_behind_does_not_win_over_a_twig_before_it() -> None:
    base, tip = np.array([[-1.0, 0, 0], [-1.0, 0, 5.0]]), np.array([[1.0, 0, 0], [1.0, 0, 5.0]])
    hit = nearest_segment(np.array([0, 0, 10.0]), np.array([0, 0, -1.0]), base, tip, np.array([0.5, 0.01]), 0.001)
    assert hit is not None
    assert hit.segment == 1
    assert hit.depth == pytest.approx(5.0)
    assert nearest_segment(np.array([0, 3.0, 10.0]), np.array([0, 0, -1.0]), base, tip, np.zeros(2), 0.001) is None


def test_balls_on_a_ray_come_nearest_first_and_not_from_behind() -> None:
    centre = np.array([[0, 0, -9.0], [0, 0, -4.0], [0, 0, 6.0], [5.0, 0, -4.0]])
    met, depth = spheres_on_ray(np.zeros(3), np.array([0, 0, -1.0]), centre, np.ones(4))
    assert met.tolist() == [1, 0]
    np.testing.assert_allclose(depth, [3.0, 8.0])


def test_a_hand_lets_go_when_a_plant_becomes_one_that_cannot_be_held(session: Session) -> None:
    session.hand = Hand(0, 0, 3, np.zeros(3), np.zeros(3))
    session.set_stand(0, damping=2.0)
    settle(session)
    assert session.hand is not None
    session.set_stand(0, motion={"kind": "spectral", "modes": 6})
    settle(session)
    assert session.scene.stands[0].motion.refuses_hands is not None
    assert session.hand is None


def test_a_hand_moves_in_the_plane_that_faces_the_camera() -> None:
    now = camera()
    hand = Hand(0, 0, 3, now.target, np.zeros(3))
    led = hand.moved(now.place, now.forward, now.ray(0.7, 0.4, 1.5))
    assert (led.target - now.target) @ now.forward == pytest.approx(0.0, abs=1e-9)
    assert (led.target - now.target) @ now.right > 0
    assert (led.target - now.target) @ now.up > 0


# Arrows.


def test_arrows_are_as_long_as_the_wind_is_strong_and_point_with_it() -> None:
    def longest(speed: float) -> float:
        wind = Steady(speed=speed, direction=270.0)
        found = wind_arrows(wind, 0.0, np.zeros(3), 10.0, 10.0, np.array([0, 99.0, 0]))
        if not len(found):
            return 0.0
        assert (found["end"][:, 0] >= found["start"][:, 0]).all()
        half = len(found) // 2
        return float(np.linalg.norm(found["end"][half:, :3] - found["start"][:half, :3], axis=1).max())

    assert longest(0.0) == 0.0
    assert longest(10.0) == pytest.approx(2 * longest(5.0), rel=1e-5)
    assert longest(60.0) < 2.5


def test_an_arrow_ends_in_a_point() -> None:
    found = arrows(np.zeros((1, 3)), np.array([[2.0, 0, 0]]), 0.1, np.ones(4))
    assert found["end"][-1].tolist() == [2.0, 0.0, 0.0, 0.0]
    assert found["start"][-1, 3] > found["start"][0, 3]
