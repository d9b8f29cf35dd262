"""Memory of the device: what is foretold is what is asked for, and too much is refused with a number that fits."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from windflower.core.device import Gpu, _memory
from windflower.errors import GpuError
from windflower.render.film import Film
from windflower.render.impostor_atlas import BAKE_BYTES
from windflower.render.memory import GROUND_BYTES, Memory, memory_of, within_memory
from windflower.render.passes.data_view import data_bytes
from windflower.render.passes.pass_clip import PassClip
from windflower.render.passes.registry import checked_passes
from windflower.render.quality import quality_of
from windflower.render.sward import sown_bytes
from windflower.scene import Scene, build, parse_scene, read_scene

SCENE = """
size = [96, 64]
[[stands]]
plant = "silver-birch"
detail = 0.3
count = {count}
area = {{ kind = "circle", radius = 120.0 }}
motion = {{ kind = "modal", modes = 12, cells = 1 }}
"""
BYTES = {"rgba16float": 8, "r8unorm": 1, "rg16float": 4, "rgba32float": 16}


class Counting:
    """A device that counts the bytes that are asked of it."""

    def __init__(self, device: Any) -> None:
        self._device, self.bytes = device, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._device, name)

    def create_buffer(self, **options: Any) -> Any:
        self.bytes += options["size"]
        return self._device.create_buffer(**options)

    def create_buffer_with_data(self, *, data: Any, **options: Any) -> Any:
        self.bytes += np.asarray(data).nbytes
        return self._device.create_buffer_with_data(data=data, **options)

    def create_texture(self, **options: Any) -> Any:
        size = int(np.prod(options["size"])) * BYTES.get(options["format"], 4) * options.get("sample_count", 1)
        self.bytes += size * 4 // 3 if options.get("mip_level_count", 1) > 1 else size
        return self._device.create_texture(**options)


def scene_of(count: int) -> Scene:
    return build(parse_scene(SCENE.format(count=count)))


def asked_for(gpu: Gpu, scene: Scene) -> tuple[int, Memory]:
    """Bytes that a film and its first frame ask for, and those foretold."""
    device = Counting(gpu.device)
    film = Film(scene, quality="draft", gpu=replace(gpu, device=device))
    film.frame(0.0)
    return device.bytes, memory_of(scene, film.quality, film.renderer.size)


@pytest.mark.slow
def test_what_is_foretold_is_what_is_asked_for(gpu: Gpu) -> None:
    few, many = (asked_for(gpu, scene_of(count)) for count in (260, 1300))
    assert (many[0] - few[0]) / 1040 == pytest.approx(many[1].per_tree, rel=0.12)
    for asked, foretold in (few, many):
        assert foretold.total == pytest.approx(asked, rel=0.2)
        assert foretold.total > 0.95 * asked, "rather too much than too little"


@pytest.mark.slow
def test_a_hundred_thousand_trees_of_four_species_fit_two_gigabytes() -> None:
    whole = read_scene("hundred-thousand")
    few = build(
        whole.model_copy(update={"stands": tuple(one.model_copy(update={"count": 50}) for one in whole.stands)})
    )
    memory = memory_of(few, quality_of("good", software=False), (1920, 1080))
    assert replace(memory, trees=100_000).total < 2e9
    assert memory.trees == 200
    assert memory.fixed > BAKE_BYTES


def test_too_many_trees_are_refused_with_a_number_that_fits(gpu: Gpu) -> None:
    scene, quality = scene_of(260), quality_of("draft", software=True)
    need = memory_of(scene, quality, (96, 64))
    room = need.total - 100_000
    with pytest.raises(GpuError, match=r"260 trees need about .* the device has .* GB. Plant at most \d+\."):
        Film(scene, quality="draft", gpu=replace(gpu, memory=room))
    fits = need.fitting(room)
    assert 0 < fits < 260
    assert replace(need, trees=fits).total <= room < replace(need, trees=fits + 1).total


def test_too_many_different_trees_are_refused_with_a_number_that_fits(gpu: Gpu) -> None:
    """Each brings its own mesh: half as many need about half as much."""
    hybrid = 'size = [96, 64]\n[[stands]]\nplant = "hazel-bush"\ndetail = 0.1\nmotion = "hybrid"\ncount = {}\n'
    few, many = (build(parse_scene(hybrid.format(count))) for count in (6, 12))
    room = memory_of(few, quality_of("draft", software=True), (96, 64)).total
    with pytest.raises(GpuError, match=r"12 trees need about .* Plant at most [4-7]\."):
        Film(many, quality="draft", gpu=replace(gpu, memory=room))


def test_targets_of_data_passes_are_foretold(gpu: Gpu) -> None:
    scene = build(
        parse_scene('size = [240, 160]\n[[stands]]\nplant = "hazel-bush"\ndetail = 0.05\nmotion = "cantilever"')
    )
    film, device = Film(scene, quality="draft", gpu=gpu), Counting(gpu.device)
    film.renderer.gpu = film.gpu = replace(gpu, device=device)
    passes, size = checked_passes(["albedo", "flow", "normal"]), film.renderer.size
    PassClip(film, passes)
    foretold = data_bytes(["labels", "motion", "normal", "albedo"], size, film.quality.grass)
    beside = GROUND_BYTES + sown_bytes(film.quality.grass)  # of the ground, which is made for the first frame
    assert foretold - beside == pytest.approx(device.bytes, rel=0.05)
    film.gpu = replace(gpu, memory=memory_of(scene, film.quality, size).total + foretold - 1000)
    with pytest.raises(GpuError, match="Draw a smaller picture"):
        PassClip(film, passes)
    PassClip(film, checked_passes(["depth"]))


def test_a_device_that_runs_out_of_memory_is_told_of_in_one_sentence(gpu: Gpu) -> None:
    scene, quality = scene_of(260), quality_of("draft", software=True)
    with (
        pytest.raises(GpuError, match=r"no more memory. Plant at most 130\."),
        within_memory(replace(gpu, memory=None), scene, quality, (96, 64)),
    ):
        raise MemoryError


def test_memory_is_told_or_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINDFLOWER_GPU_MEMORY", "1.5")
    assert _memory(software=False) == 1_500_000_000
    monkeypatch.setenv("WINDFLOWER_GPU_MEMORY", "plenty")
    with pytest.raises(GpuError, match="number of GB"):
        _memory(software=True)
    monkeypatch.delenv("WINDFLOWER_GPU_MEMORY")
    assert _memory(software=False) is None
    assert (_memory(software=True) or 0) > 1e8


def test_leaves_that_may_fall_are_counted() -> None:
    quality = quality_of("draft", software=True)
    plain, shedding = (build(parse_scene(SCENE.format(count=2) + more)) for more in ("", "shedding = { rate = 0.1 }\n"))
    leaves = len(plain.stands[0].plant.leaves)
    more = memory_of(shedding, quality, (96, 64)).per_tree - memory_of(plain, quality, (96, 64)).per_tree
    assert leaves * 80 <= more <= leaves * 80 + plain.stands[0].plant.nodes * 16


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="only Linux tells")
def test_frames_cost_no_memory_for_ever(gpu: Gpu) -> None:
    """A branch in a shader has cost a software driver a megabyte a frame before."""
    film = Film(scene_of(30), size=(48, 32), quality="draft", gpu=gpu)
    taken = []
    for number in range(61):
        film.frame(number / 60)
        taken.append(int(Path("/proc/self/statm").read_text("ascii").split()[1]) * 4096)
    assert taken[60] - taken[20] < 8e6
