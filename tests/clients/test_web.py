"""The web page in a real browser: it moves and looks as Windflower does natively."""

import base64
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from book.live import LIVE
from tests.clients.web_pages import POINTS, SIZE, Shown, awaited, native, native_frame, played, psnr
from windflower.core.device import Gpu
from windflower.geometry.culling import reach_of_shadows
from windflower.geometry.lod import planes_of
from windflower.geometry.sward import Sown, tiles_in_view
from windflower.render.sward import POPULATIONS
from windflower.render.wind_map import WindMap
from windflower.scene import build, parse_scene, settings_of
from windflower.scene.canopy import wind_over
from windflower.simulation import Simulation
from windflower.web.stage import STRAINED
from windflower.wind.grid import Box
from windflower.wind.layer import merged
from windflower.wind.layer_records import LayerRecords

pytestmark = pytest.mark.slow
LIT = [
    "sun",
    "sun_colour",
    "aloft",
    "star",
    "ambient",
    "clock",
    "viewport",
    "shadow",
    "wind",
    "path",
    "clouds",
    "breeze",
]
LOOP = '{ kind = "spectral", modes = 12 }'
BESIDE = """
[[stands]]
plant = "walnut"
detail = 0.1
positions = [[0.0, 0.0], [5.0, -3.0]]
motion = MOTION
[[stands]]
plant = "hazel-bush"
detail = 0.1
positions = [[-5.0, 2.0]]
"""
POND = """
[[stands]]
plant = "hazel-bush"
detail = 0.1
positions = [[-3.0, -4.0], [4.0, -5.0]]
[[stands]]
plant = "silver-birch"
detail = 0.1
positions = [[0.0, -6.0]]
[ground]
pond = { centre = [0, 3], size = [16, 10] }
[wind]
speed = 6
[camera]
kind = "fixed"
eye = [2, 2.5, 14]
target = [0, 3, -4]
"""


def test_the_page_moves_and_looks_as_windflower_does(shown: Shown, gpu: Gpu) -> None:
    reference = Simulation(shown.scene)
    shown.page.evaluate("scene.step(120)")
    reference.advance(2.0)
    np.testing.assert_allclose(shown.points()[:, :3], reference.pose()[0], atol=1e-4)
    assert psnr(shown.picture(), native(gpu, shown.scene, 120, 14.5)) > 25
    shown.page.evaluate("scene.daylight.setHour(18.7)")
    evening = shown.picture()
    shown.page.evaluate("scene.daylight.setHour(scene.daylight.facts.hour)")
    assert psnr(evening, native(gpu, shown.scene, 120, 18.7)) > 25
    assert shown.messages == []


def test_strain_is_painted_as_natively(shown: Shown, gpu: Gpu) -> None:
    natural, steps = shown.picture(), shown.page.evaluate("scene.steps")
    shown.page.evaluate(
        "[...plant.shadowRoot.querySelectorAll('button')].find((one) => one.textContent == 'Strain').click()"
    )
    painted, strain = shown.picture(), shown.points()[:, 3]
    reference = Simulation(shown.scene)
    reference.advance(steps * reference.dt)
    np.testing.assert_allclose(strain, reference.strain()[0], atol=0.1 * STRAINED.scale)
    assert psnr(painted, native(gpu, shown.scene, steps, 14.5, STRAINED)) > 25
    assert np.abs(painted.astype(int) - natural).max() > 100
    shown.page.evaluate("plant.removeAttribute('strain')")
    assert psnr(shown.picture(), natural) > 60


def test_every_field_of_a_frame_is_as_natively(shown: Shown, gpu: Gpu) -> None:
    """Light, seasons, clocks, paths, shadows: what pictures tell late, or not at all."""
    steps = shown.page.evaluate("scene.steps")
    renderer, frame = native_frame(gpu, shown.scene, steps)
    ours = renderer.frame_record(frame)
    data = shown.page.evaluate(
        """() => { const {write} = scene, kept = {};
        scene.write = (label, bytes, at) => { kept[label] = bytes; write.call(scene, label, bytes, at); };
        plant.player.draw();
        scene.write = write;
        return text(new Uint8Array(kept.frame)); }"""
    )
    theirs = np.frombuffer(base64.b64decode(data), ours.dtype)[0]
    for name in LIT:
        np.testing.assert_allclose(theirs[name], np.squeeze(ours[name]), rtol=2e-3, atol=2e-3, err_msg=name)


def on_page(shown: Shown, point: Any) -> Any:
    """Where a point of the world is on the page, pixels."""
    clip = shown.scene.camera.view(0.0).projection(SIZE) @ [*point, 1.0]
    return (np.array([1 + clip[0] / clip[3], 1 - clip[1] / clip[3]]) / 2 * SIZE).tolist()


def test_a_drag_pulls_a_branch_as_natively_and_it_swings_when_let_go(shown: Shown) -> None:
    page, (stand,) = shown.page, shown.scene.stands
    reference = Simulation(shown.scene)
    reference.advance(page.evaluate("scene.time"))

    def advance(steps: int) -> tuple[Any, Any]:
        """Nodes in the world after some steps, on the page and natively."""
        page.evaluate(f"scene.step({steps})")
        reference.advance(reference.time + steps * reference.dt)
        return stand.places.to_world(shown.points()[:, :3])[0], reference.pose(world=True)[0]

    before, _ = advance(1)
    away = np.linalg.norm(stand.plant.position[:, [0, 2]], axis=1)
    tip = int(np.argmax(np.where(stand.plant.radius > 0.006, away, 0)))
    x, y = on_page(shown, before[tip])
    along = np.array([x, y]) - on_page(shown, before[stand.plant.path(tip)[3]])
    aside = 8 * np.array([-along[1], along[0]]) / np.linalg.norm(along)
    page.mouse.move(x, y)
    page.mouse.down()
    awaited(page, "scene.hand.holds")
    page.mouse.move(x + float(aside[0]), y + float(aside[1]))
    node, target = page.evaluate("[scene.hand.held.node, scene.hand.held.target]")
    assert np.linalg.norm(before[node] - before[tip]) < 0.5
    assert np.linalg.norm(target - before[node]) > 0.2
    advance(1)
    reference.grab(target, node=node)
    here, there = advance(90)
    np.testing.assert_allclose(here[node], there[node], atol=0.01)
    assert np.abs(here - there).mean() < 0.005
    assert np.linalg.norm(here[node] - target) < 0.5 * np.linalg.norm(target - before[node])
    page.mouse.up()
    assert not page.evaluate("scene.hand.holds")
    reference.release()
    pulled = here[node] - before[node]
    ways = []
    for _ in range(24):
        here, there = advance(10)
        ways.append((here[node] - before[node]) @ pulled / (pulled @ pulled))
        np.testing.assert_allclose(here[node], there[node], atol=0.04)
    assert min(ways) < 0, "it does not swing past where it was"
    assert np.abs(ways[12:]).max() < 0.5
    assert page.evaluate("scene.hand.works") is False
    assert shown.messages == []


def test_beside_the_plant_a_drag_turns_the_camera(shown: Shown) -> None:
    page = shown.page
    page.mouse.move(40, 60)
    page.mouse.down()
    page.mouse.move(60, 60)
    awaited(page, "scene.camera.azimuth != new scene.camera.constructor(scene.things.pack).azimuth")
    page.mouse.up()
    assert not page.evaluate("scene.hand.works")
    page.evaluate("scene.camera.reset()")


def test_sliders_and_the_gust_button_change_the_motion(shown: Shown) -> None:
    def blown(change: str) -> Any:
        shown.page.evaluate(change)
        shown.page.evaluate("scene.step(90)")
        return shown.read(POINTS, "<f4").reshape(-1, 4)[:, :3]

    slide = """(value) => { const input = plant.shadowRoot.querySelector("input[name=wind]");
        input.value = value; input.dispatchEvent(new Event("input")); }"""
    shown.page.evaluate(slide, 0)
    calm = blown("0")
    shown.page.evaluate(slide, 8)
    assert "Gale" in shown.page.evaluate("plant.shadowRoot.querySelector('label span').textContent")
    gale = blown("0")
    turned = blown("plant.setAttribute('direction', '90')")
    assert gale[:, 0].mean() > calm[:, 0].mean() + 0.05
    assert turned[:, 0].mean() < calm[:, 0].mean()
    shown.page.evaluate(slide, 0)
    before = blown("scene.step(300)")
    gust = blown("[...plant.shadowRoot.querySelectorAll('button')].find((one) => one.textContent == 'Gust').click()")
    assert np.abs(gust - before).max() > 0.02
    shown.page.evaluate("plant.removeAttribute('wind'); plant.removeAttribute('direction'); scene.wind.gusts = []")


def test_the_wind_of_the_page_is_that_of_the_scene(shown: Shown) -> None:
    """Also at another speed of its table, from elsewhere, and late."""
    scene, facts = shown.scene, shown.page.evaluate("scene.wind.facts")
    for speed, direction, first in ((facts["speed"], 270.0, -1.0), (facts["speeds"][7], 35.0, 777.7)):
        wind = scene.settings.wind.model_copy(
            update={"speed": speed, "beaufort": None, "preset": None, "direction": direction}
        )
        blowing = wind_over(scene.settings.model_copy(update={"wind": wind}), scene.forest)
        layers = merged([part.layer for part in blowing.parts if part.layer is not None])
        middle = np.array(facts["origin"])
        ours = LayerRecords(layers, Box(tuple(middle - 1), tuple(middle + 1))).at(first, 1 / 60, first + 0.1)
        found = shown.page.evaluate(
            f"""() => {{ const wind = Object.create(scene.wind); wind.blow({speed}, {direction});
            const records = wind.records({first}, 1 / 60, 7);
            const coded = Object.entries(records).map(([name, bytes]) => [name, text(new Uint8Array(bytes))]);
            return Object.fromEntries(coded); }}"""
        )
        theirs = {name: np.frombuffer(base64.b64decode(data), ours[name].dtype) for name, data in found.items()}
        for field in ("turns", "step", "pace", "real", "imaginary"):
            np.testing.assert_allclose(theirs["waves"][field], ours["waves"][field], rtol=1e-5, atol=1e-7)
        apart = np.abs(theirs["waves"]["start"] - ours["waves"]["start"])
        assert np.minimum(apart, 1 - apart).max() < 1e-5
        for field in ("along", "left", "steady", "swells", "waves", "trains"):
            np.testing.assert_allclose(theirs["layers"][field], ours["layers"][field], atol=1e-6)
        for field in ("delay", "blows", "spacing", "duration", "rise", "fall", "back"):
            np.testing.assert_allclose(theirs["trains"][field], ours["trains"][field], atol=1e-6)


def test_grass_stands_on_the_same_tiles_in_the_same_wind(shown: Shown) -> None:
    view = shown.scene.camera.view(0.0)
    found = shown.page.evaluate(
        """() => { const eye = scene.camera.eye, {sward, breeze} = scene;
        const {tiles, numbers} = sward.look(eye, scene.camera.projection(16 / 9));
        breeze.look(eye, 3.14);
        const records = tiles.map((one) => text(new Uint8Array(one.bytes)));
        return [records, numbers, [...breeze.at(31)], breeze.corner]; }"""
    )
    each = {one["name"]: one["each"] for one in shown.page.evaluate("scene.sward.populations")}
    some = [one for one in POPULATIONS if one.name in each]
    sown = tuple(Sown(one.layers, each[one.name], one.most) for one in some)
    ours = tiles_in_view(sown, view.eye, view.projection(SIZE), land=None)
    for one, tiles, theirs in zip(some, ours, found[0], strict=True):
        records = np.frombuffer(base64.b64decode(theirs), tiles.records.dtype)
        assert found[1][one.name] == len(tiles)
        assert [found[1][f"{one.name} {at}"] for at in range(len(one.until))] == [n for _, n in tiles.parts(one.until)]
        assert sorted(map(bytes, records)) == sorted(map(bytes, tiles.records))
    tall = shown.page.evaluate("scene.wind.facts.grass.height")
    wind_map = WindMap.about(view.eye, shown.scene.wind, 3.1, tall)
    np.testing.assert_allclose(found[3], wind_map.corner)
    point, gain = [3.0, tall, -40.0], shown.page.evaluate("scene.wind.facts.grass.gain")
    velocity = shown.page.evaluate(f"scene.wind.velocity({point}, {gain}, 17.3)")
    np.testing.assert_allclose(velocity, shown.scene.wind.velocity(np.array(point), 17.3), atol=1e-5)
    texels = wind_map.texels(wind_map.samples_at(3.1))
    np.testing.assert_allclose(np.reshape(found[2], texels.shape), texels, atol=2e-4)


def test_far_plants_are_judged_as_natively(shown: Shown) -> None:
    """What the device chooses cards by, which are drawn where they are in view or cast shadows into it."""
    found = shown.page.evaluate(
        """() => { const kept = {};
        scene.patch = (label, layout, fields) => (kept[label] = fields);
        scene.judgeCards(scene.camera.projection(16 / 9));
        delete scene.patch;
        return kept.judge; }"""
    )
    view, tallest = shown.scene.camera.view(0.0), shown.page.evaluate("scene.header.frame.tallest")
    assert tallest == pytest.approx(shown.scene.stands[0].plant.height, rel=0.1)
    np.testing.assert_allclose(np.reshape(found["planes"], (4, 4)), planes_of(view.projection(SIZE)), atol=1e-6)
    reach = reach_of_shadows(tallest, shown.scene.sun.direction(0.0))
    np.testing.assert_allclose(found["camera"], [*view.eye, reach], rtol=1e-6)


def test_plants_by_a_pond_look_as_natively(shown: Shown, gpu: Gpu, tmp_path: Path) -> None:
    """Several stands, which share one wind, and their mirror images."""
    scene = build(parse_scene(POND).model_copy(update={"size": SIZE}))
    with played(shown, scene, tmp_path, 60) as page:
        assert psnr(page.picture(), native(gpu, scene, 60)) > 25


@pytest.mark.parametrize(("plant", "within"), [("palm", 1e-3), ("violet", 1e-5)])
def test_limp_and_broad_leaves_move_as_natively(shown: Shown, tmp_path: Path, plant: str, within: float) -> None:
    """Chains that follow the wind, and blades of mass points, by their kernels; a frond may be about to flip over."""
    settings = parse_scene(f'[[stands]]\nplant = "{plant}"\ndetail = 0.3')  # a violet is a stock scene, too
    scene = build(settings.model_copy(update={"size": SIZE}))
    reference = Simulation(scene)
    reference.advance(0.5)
    rest, wanted = scene.stands[0].plant.position, reference.pose()[0]
    with played(shown, scene, tmp_path, 30) as page:
        points = page.read(POINTS, "<f4").reshape(-1, 4)[: len(wanted), :3]
        assert np.abs(wanted - rest).max() > 5 * within
        assert np.quantile(np.abs(points - wanted).max(axis=1), 0.95) < within


@pytest.mark.parametrize("motion", ['{ kind = "cantilever", cells = 4 }', LOOP], ids=["springs", "loops"])
def test_springs_and_loops_move_as_natively(shown: Shown, tmp_path: Path, motion: str) -> None:
    """Beside plants that are moved by their modes."""
    scene = build(parse_scene(BESIDE.replace("MOTION", motion)).model_copy(update={"size": SIZE}))
    reference = Simulation(scene)
    reference.advance(1.0)
    wanted = reference.pose(0)
    with played(shown, scene, tmp_path, 60) as page:
        points = page.read(POINTS, "<f4").reshape(-1, 4)[: wanted[..., 0].size, :3].reshape(wanted.shape)
        assert np.abs(wanted - scene.stands[0].plant.position).max() > 0.01
        np.testing.assert_allclose(points, wanted, atol=1e-4)


def test_a_page_of_loops_alone_has_no_wind_to_change(shown: Shown, tmp_path: Path) -> None:
    settings = settings_of("hazel-bush", detail=0.1)
    stands = [
        stand.model_copy(update={"motion": parse_scene(BESIDE.replace("MOTION", LOOP)).stands[0].motion})
        for stand in settings.stands
    ]
    scene = build(settings.model_copy(update={"size": SIZE, "stands": stands}))
    assert scene.period
    with played(shown, scene, tmp_path, 30) as page:
        before = page.points()
        page.page.evaluate(
            "plant.setAttribute('wind', 20); scene.step(Math.round(scene.header.motion.loops[0][2] * 60))"
        )
        np.testing.assert_allclose(page.points(), before, atol=1e-4)
        assert page.page.evaluate("plant.shadowRoot.querySelectorAll('input').length") == 1


@pytest.mark.parametrize("name", [one.name for one in LIVE])
def test_plants_of_the_site_look_as_natively(shown: Shown, gpu: Gpu, tmp_path: Path, name: str) -> None:
    """Smaller plants than on the site, in the same scenes."""
    settings = settings_of(name)
    stands = [stand.model_copy(update={"detail": 0.2 * (stand.detail or 1.0)}) for stand in settings.stands]
    scene = build(settings.model_copy(update={"size": SIZE, "stands": stands}))
    with played(shown, scene, tmp_path, 20) as page:
        assert psnr(page.picture(), native(gpu, scene, 20)) > 25
