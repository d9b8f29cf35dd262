"""What would take too much is refused before it is taken, with a sentence; real work is far below."""

import math
import time
import tracemalloc
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import windflower
from windflower import BroadleafMotion, Film, Gpu, Places, Plant, grow
from windflower.core.budgets import BUDGETS, VARIABLE, allowance, budget_table, fitting_memory, within
from windflower.errors import FileError, GpuError, MotionError, PlantError, SceneError, SpeciesError, WindflowerError
from windflower.plant.species import species_of
from windflower.plant.species.changes import changed
from windflower.plant.species.settings import Species
from windflower.scene import build, parse_scene, read_scene
from windflower.scene.thinning import trees_in

LEVEL = {"length": 0.9, "branches": 500, "segments": 5}


def species_like(name: str, **changes: Any) -> Species:
    return changed(species_of(name), changes)


def bomb(levels: int) -> Species:
    """A recursion of so many levels with 500 branches each."""
    table = species_of("spruce").model_dump()
    return Species.model_validate({**table, "growth": {**table["growth"], "levels": [LEVEL] * levels}})


class Timed:
    """Fails if what is inside takes long, or much memory."""

    def __enter__(self) -> None:
        tracemalloc.start()
        self.begin = time.process_time()

    def __exit__(self, *_: object) -> None:
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 3e8
        assert time.process_time() - self.begin < 10


def test_leaves_without_number_are_refused_before_they_grow() -> None:
    with (
        Timed(),
        pytest.raises(SpeciesError, match=r"at most 2,000,000 leaves; this one has [\d,]+ leaves\. Lower"),
    ):
        grow(species_like("oak", leaf={"per_metre": 1e5}))


def test_a_recursion_of_many_branches_is_refused_before_it_grows() -> None:
    with Timed(), pytest.raises(SpeciesError, match=r"a plant has at most 2,000,000 nodes; this one has [\d,]+ nodes"):
        grow(bomb(6))


def test_a_crown_of_too_many_twigs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "nodes=3000")
    with pytest.raises(SpeciesError, match=r"Lower twigs\.per_node"):
        grow(species_like("oak", growth={"twigs": {"per_node": 10.0}}))


def test_more_detail_than_a_plant_can_have_is_refused() -> None:
    with pytest.raises(PlantError, match=r"at most 2,000,000 nodes; this one has 4,699,000 nodes\. Lower detail"):
        grow("oak", detail=1000)


def test_an_l_system_that_does_not_stop_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "modules=20_000")
    rule = [{"module": "A", "becomes": "F(0.1) A A A A"}]
    table = species_of("palm").model_dump()
    growth = {"method": "l-system", "axiom": "A", "rules": rule, "steps": 30}
    with pytest.raises(SpeciesError, match=r"an L-system has at most 20,000 modules; this one has more\. Use fewer"):
        grow(Species.model_validate({**table, "growth": growth}))


@pytest.mark.parametrize("axiom", ["F(1e300)", "F(1) F(201)"])
def test_a_segment_longer_than_any_plant_is_refused(axiom: str) -> None:
    table = species_of("palm").model_dump()
    growth = {"method": "l-system", "axiom": axiom, "rules": [{"module": "A", "becomes": "A"}], "steps": 1}
    with pytest.raises(SpeciesError, match="a segment has at most 200 m"):
        grow(Species.model_validate({**table, "growth": growth}))


def test_a_scan_with_too_many_cylinders_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grow("palm", detail=0.2).save(tmp_path / "palm.npz")
    monkeypatch.setenv(VARIABLE, "nodes=50 leaves=10")
    with pytest.raises(FileError, match=r"palm\.npz: a plant has at most 50 nodes"):
        windflower.read(tmp_path / "palm.npz")
    rows = "\n".join(f"0.1 1 0 0 {row} 0 0 1 {row} {row + 2} 0 0 0 0 0" for row in range(60))
    (tmp_path / "scan.txt").write_text(rows)
    with pytest.raises(FileError, match=r"scan\.txt: a plant has at most 50 nodes; this one has 61 nodes"):
        windflower.read(tmp_path / "scan.txt")


ROW = '[[stands]]\nplant = "palm"\narea = {{ kind = "row", start = [0, 0], end = [0, 90000], rows = {} }}\nspacing = {}'


@pytest.mark.parametrize(("rows", "spacing"), [(1000, 0.001), (1, 0.01), (1000, 20)])
def test_trees_in_rows_are_counted_before_they_are_laid_out(rows: int, spacing: float) -> None:
    settings = parse_scene(ROW.format(rows, spacing))
    with Timed(), pytest.raises(SceneError, match=r"a scene has at most 1,000,000 trees; this one has [\d,]+ trees"):
        build(settings)
    assert trees_in(settings) == rows * (round(90_000 / spacing) + 1)


def test_a_spacing_below_a_millimetre_is_no_spacing() -> None:
    with pytest.raises(SceneError, match=r"spacing must be at least 0\.001; it is 1e-06"):
        parse_scene(ROW.format(1, 1e-6))


def test_the_trees_of_all_stands_are_counted() -> None:
    stand = '[[stands]]\nplant = "palm"\ncount = 600_000\narea = { kind = "circle", radius = 90_000 }\n'
    with pytest.raises(SceneError, match="at most 1,000,000 trees; this one has 1,200,000 trees"):
        build(parse_scene(stand + stand))


MANY_PALMS = """
[[stands]]
plant = "palm"
detail = 0.05
count = 20_000
motion = {{ kind = "hybrid", reach = {} }}
area = {{ kind = "circle", radius = 500 }}
[camera]
kind = "orbit"
target = [0, 5, 0]
distance = 1200
"""


def test_different_plants_are_counted_before_they_grow() -> None:
    specimens = '[[stands]]\nplant = "palm"\ndetail = 0.05\nspecimens = 64\ncount = 64\n'
    with Timed(), pytest.raises(SceneError, match="at most 10,000 different plants; this one has 10,048"):
        build(parse_scene(157 * specimens))
    with Timed(), pytest.raises(SceneError, match=r"10,000 different plants; this one has [12]\d,\d+ .*Lower .*reach"):
        build(parse_scene(MANY_PALMS.format(3000)))


def test_trees_that_are_only_seeds_are_no_different_plants() -> None:
    with Timed():
        scene = build(parse_scene(MANY_PALMS.format(20)))
    assert scene.trees == 20_000
    assert sum(map(len, scene.stands)) < 100


def test_trees_that_need_more_ground_than_a_scene_has_are_refused() -> None:
    text = '[[stands]]\nplant = "palm"\ndetail = 0.05\ncount = 1_000_000\nscale = 100\n'
    with pytest.raises(SceneError, match=r"a scene reaches 100,000 m from the origin; its trees need [\d,]+ m\. Lower"):
        build(parse_scene(text))


@pytest.mark.parametrize("text", ["", "count = 3\n"])
def test_the_smallest_areas_and_scales_can_be_built(text: str) -> None:
    stand = f'[[stands]]\nplant = "palm"\ndetail = 0.05\n{text}scale = 0.001\n'
    assert build(parse_scene(stand)).trees >= 1
    assert build(parse_scene(stand + 'area = { kind = "circle", radius = 0.001 }\n')).trees >= 1


def test_a_circle_of_no_size_is_refused() -> None:
    with pytest.raises(SceneError, match=r"area\.radius must be at least 0\.001; it is 1e-200"):
        parse_scene('[[stands]]\nplant = "palm"\narea = { kind = "circle", radius = 1e-200 }')


def test_blades_that_would_take_a_thousand_substeps_are_refused() -> None:
    motion = BroadleafMotion(grow("hosta"))
    told = r"at most 500 sub-steps; this one has 1,000 sub-steps\. Raise longest or the scale"
    with pytest.raises(MotionError, match=told):
        motion.substeps(Places([[0, 0, 0]], scale=[0.001]), 1 / 60)
    assert motion.substeps(Places([[0, 0, 0]], scale=[0.01]), 1 / 60) == 100
    scene = build(parse_scene('[[stands]]\nplant = "hosta"\nmotion = "broadleaf"\nscale = 0.001\n[wind]\nspeed = 3'))
    with pytest.raises(MotionError, match="sub-steps"):
        windflower.Simulation(scene).advance(1.0)


def test_a_picture_of_144_million_pixels_is_refused_before_anything_grows() -> None:
    with Timed(), pytest.raises(SceneError, match="a picture has at most 67,108,864 pixels; this one has 144,000,000"):
        build(parse_scene('size = [12000, 12000]\n[[stands]]\nplant = "oak"'))


def test_a_picture_is_asked_of_the_device_before_it_is_drawn(gpu: Gpu) -> None:
    scene = build(parse_scene('[[stands]]\nplant = "palm"\ndetail = 0.1'))
    with pytest.raises(GpuError, match="at most 67,108,864 pixels"):
        Film(scene, size=(12_000, 12_000), quality="draft", gpu=gpu)
    longest = gpu.device.limits["max-texture-dimension-2d"]
    with pytest.raises(GpuError, match=rf"up to {longest:,} pixels a side; asked for is {longest + 2}x16"):
        Film(scene, size=(longest + 2, 16), quality="draft", gpu=gpu)


def test_the_memory_of_a_picture_is_asked_before_it_is_taken(gpu: Gpu, monkeypatch: pytest.MonkeyPatch) -> None:
    def taken(*_: object, **__: object) -> None:
        pytest.fail("render targets were made")

    monkeypatch.setattr(import_module("windflower.render.film"), "Renderer", taken)
    scene = build(parse_scene('[[stands]]\nplant = "palm"\ndetail = 0.1'))
    with pytest.raises(GpuError, match=r"1 tree needs about [\d.]+ GB and the device has 0\.2 GB"):
        Film(scene, size=(7680, 4320), quality="draft", gpu=replace(gpu, memory=200_000_000))


def test_real_work_is_far_below_the_budgets() -> None:
    plants = [grow(name) for name in windflower.species_names()]
    assert max(plant.nodes for plant in plants) < 0.01 * BUDGETS["nodes"].most
    assert max(len(plant.leaves) for plant in plants) < 0.02 * BUDGETS["leaves"].most
    assert trees_in(read_scene("hundred-thousand")) <= 0.1 * BUDGETS["instances"].most
    assert BUDGETS["pixels"].most > 7680 * 4320


def test_a_scan_of_a_hundred_thousand_nodes_is_a_plant(tmp_path: Path) -> None:
    count = 100_000
    position = np.stack([np.zeros(count), np.arange(count) * 1e-4, np.zeros(count)], axis=1)
    Plant(parent=np.arange(-1, count - 1), position=position, radius=np.full(count, 0.01)).save(tmp_path / "a.npz")
    assert windflower.read(tmp_path / "a.npz").nodes == count


def test_a_budget_is_raised_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    assert allowance("nodes") == BUDGETS["nodes"].most
    with pytest.raises(SpeciesError, match=r'if this machine can take it, set WINDFLOWER_BUDGETS="nodes=3e\+06"\.'):
        within("nodes", 3e6, "Lower it", error=SpeciesError)
    monkeypatch.setenv(VARIABLE, "leaves=7, nodes=3e6")
    within("nodes", 3e6, "Lower it", error=SpeciesError)
    assert allowance("leaves") == 7
    for asked in (3e6 + 1, math.inf, math.nan):
        with pytest.raises(SpeciesError, match="at most 3,000,000 nodes"):
            within("nodes", asked, "Lower it", error=SpeciesError)


@pytest.mark.parametrize("said", ["nodes", "nodes=many", "nodes=-1", "nodes=nan", "noddes=3"])
def test_a_budget_that_is_none_is_told(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, said)
    with pytest.raises(WindflowerError, match=f"'{said}' is not a budget. The budgets are scene_file, "):
        allowance("nodes")


def test_a_raised_budget_is_the_one_that_a_message_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a message says to type does raise the budget enough."""
    with pytest.raises(FileError) as error:
        within("plant_file", 123_456_789_012, "Cut it", error=FileError, whose="scan.mtg")
    setting = str(error.value).split(f'{VARIABLE}="')[1].split('"')[0]
    monkeypatch.setenv(VARIABLE, setting)
    within("plant_file", 123_456_789_012, "Cut it", error=FileError, whose="scan.mtg")


def test_running_out_of_memory_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def full(*_: object, **__: object) -> None:
        raise MemoryError

    with (
        pytest.raises(FileError, match=r"not enough memory for a map\. Make it coarser"),
        fitting_memory("a map", "Make it coarser", error=FileError),
    ):
        full()
    grow("palm", detail=0.1).save(tmp_path / "palm.npz")
    monkeypatch.setattr("windflower.plant.importers._plant", full)
    with pytest.raises(FileError, match="not enough memory for the plant"):
        windflower.read(tmp_path / "palm.npz")
    monkeypatch.setattr("windflower.plant.growth._clothed", full)
    with pytest.raises(SpeciesError, match="not enough memory for a plant of oak"):
        grow("oak")
    monkeypatch.setattr("windflower.scene.scene.specimens_of", full)
    with pytest.raises(SceneError, match="not enough memory for this scene"):
        build(parse_scene('[[stands]]\nplant = "palm"'))


def test_the_page_for_users_has_every_budget() -> None:
    page = Path(__file__).parents[1] / "docs" / "files-from-strangers.md"
    assert budget_table() in page.read_text("utf-8"), (
        "write its table anew: python -c 'from windflower.core.budgets import budget_table; print(budget_table())'"
    )
