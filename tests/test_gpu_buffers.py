"""Buffers and bind groups are made once: a further frame writes into those that there are."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.stands import DT, modes_of, places, winds
from windflower import grow
from windflower.core.buffers import Bindings, Upload, bindings, dispatch, kernel, read_floats, zeros
from windflower.core.compute_pass import ComputeBundle, ComputeBundles, ComputePass
from windflower.core.device import Gpu
from windflower.core.quick_calls import write_buffer
from windflower.motion import CantileverMotion, ModalMotion, Touch
from windflower.motion.cantilever.cantilever_kernels import GpuCantilever
from windflower.motion.cantilever.twigs import twigs_of
from windflower.motion.cantilever.twigs_twin import GpuTwigs
from windflower.motion.modal.modal_kernels import GpuModal
from windflower.render.film import Film
from windflower.scene import build, parse_scene

SCENE = """
size = [96, 64]
[[stands]]
plant = "oak"
detail = 0.1
motion = { kind = "modal", modes = 8 }
[[stands]]
plant = "silver-birch"
detail = 0.1
motion = { kind = "cantilever" }
positions = [[9, 0]]
[[stands]]
plant = "hosta"
motion = { kind = "broadleaf" }
positions = [[2, 2]]
"""


@pytest.fixture
def made(gpu: Gpu, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many buffers and bind groups have been made; clear it to begin to count."""
    counts: Counter[str] = Counter()
    device = type(gpu.device)
    for name in ("create_buffer", "create_buffer_with_data", "create_bind_group"):
        monkeypatch.setattr(device, name, _counted(getattr(device, name), counts))
    return counts


def _counted(call: Callable[..., Any], counts: Counter[str]) -> Callable[..., Any]:
    def counted(*args: Any, **options: Any) -> Any:
        counts[call.__name__] += 1
        return call(*args, **options)

    return counted


def test_a_held_stand_with_strain_and_twigs_makes_nothing_anew(gpu: Gpu, made: Counter[str]) -> None:
    motion, where, air = ModalMotion(modes_of("oak", 2)), places(9), winds(8, 9, 2)
    twin = GpuModal(gpu, motion, where, dt=DT)
    twigs = GpuTwigs(gpu, twigs_of(motion.plant, above=2.0), where, twin.air)
    hand = Touch(instance=3, node=motion.plant.nodes - 1, force=[5.0, 0.0, 0.0])

    def frame(number: int) -> None:
        twin.step_under(air[2 * number : 2 * number + 2], touch=hand)
        encoder = gpu.device.create_command_encoder()
        posed = twin.pose(0, np.arange(2, 7 + number % 2), encoder=encoder, strain=True)
        twigs.shake(encoder, posed, twin.time)
        gpu.queue.submit([encoder.finish()])

    frame(0)
    frame(1)
    made.clear()
    frame(2)
    frame(3)
    assert made == {}


def test_flat_springs_under_given_winds_make_nothing_anew(gpu: Gpu, made: Counter[str]) -> None:
    motion, where = CantileverMotion(grow("oak", detail=0.05)), places(3)
    twin = GpuCantilever(gpu, motion, where)
    for number in range(4):
        if number == 2:
            made.clear()
        twin.step_under(winds(2, 3, motion.branches.cells))
        twin.pose()
    assert made == {}


def test_frames_of_a_scene_make_nothing_anew(gpu: Gpu, made: Counter[str]) -> None:
    film = Film(build(parse_scene(SCENE)), quality="draft", gpu=gpu)
    for number in range(4):
        if number == 2:
            made.clear()
        film.frame(number / 30)
    assert made == {}


def test_an_upload_keeps_its_buffer_until_it_must_grow(gpu: Gpu) -> None:
    upload = Upload(gpu)
    first = upload.write(np.arange(8, dtype="<f4"))
    assert upload.write(np.ones(3, "<f4")) is first
    assert read_floats(gpu, first)[:8].tolist() == [1, 1, 1, 3, 4, 5, 6, 7]
    assert upload.write(np.ones(10, "<f4")) is first, "there is room for a quarter more"
    larger = upload.write(np.arange(11, dtype="<f4"))
    assert larger is not first
    assert larger.size >= 60
    assert Upload(gpu).write(np.zeros(0, "<f4")).size >= 16


def test_bindings_are_made_anew_for_another_buffer_alone(gpu: Gpu) -> None:
    known = Bindings(gpu, kernel(gpu, "bench/fill.wgsl").get_bind_group_layout(0))
    one, other = zeros(gpu, 64), zeros(gpu, 512)
    group = known.group(one)
    assert known.group(one) is group
    part = known.group({"buffer": other, "offset": 256, "size": 16})
    assert part is not group
    assert known.group(one) is group, "two that take turns are both known"
    assert known.group({"buffer": other, "offset": 256, "size": 16}) is part


def test_a_pass_that_sets_little_and_looks_for_errors_once_does_what_wgpu_does(gpu: Gpu) -> None:
    fill = kernel(gpu, "bench/fill.wgsl")
    found = []
    for quick in (False, True):
        buffer = zeros(gpu, 16 * 256)
        group = bindings(gpu, fill, buffer)
        encoder = gpu.device.create_command_encoder()
        compute_pass: Any = ComputePass(encoder) if quick else encoder.begin_compute_pass()
        for _ in range(2):
            dispatch(compute_pass, fill, group, 1)
        compute_pass.end()
        gpu.queue.submit([encoder.finish()])
        found.append(read_floats(gpu, buffer))
    assert found[0].any()
    np.testing.assert_array_equal(found[0], found[1])


def test_a_bundle_of_kernels_is_recorded_once_and_played_while_it_is_made_with_the_same(gpu: Gpu) -> None:
    fill, bundles = kernel(gpu, "bench/fill.wgsl"), ComputeBundles()
    buffers = [zeros(gpu, 16 * 256) for _ in range(2)]
    groups = [bindings(gpu, fill, buffer) for buffer in buffers]
    recorded: list[int] = []

    def play(which: int, *, watched: bool = False) -> list[bool]:
        """Clear both buffers, play the bundle for one of them, and tell which is filled."""

        def record(bundle: ComputeBundle) -> None:
            recorded.append(which)
            dispatch(bundle, fill, groups[which], 1)

        encoder = gpu.device.create_command_encoder()
        for buffer in buffers:
            encoder.clear_buffer(buffer)
        if watched:
            _watch(encoder)
        bundles.play("fill", encoder, None, (groups[which],), record)
        gpu.queue.submit([encoder.finish()])
        return [bool(read_floats(gpu, buffer).any()) for buffer in buffers]

    assert [play(0), play(0), play(0, watched=True), play(1), play(1)] == [[True, False]] * 3 + [[False, True]] * 2
    assert recorded == [0, 1]


def _watch(encoder: Any) -> None:
    """Replace a method of the passes of an encoder, as the web recorder does: it is to be called then."""
    begin = encoder.begin_compute_pass

    def watched(**options: Any) -> Any:
        made = begin(**options)
        made.set_bind_group = made.set_bind_group
        return made

    encoder.begin_compute_pass = watched


def test_an_upload_straight_into_the_driver_is_what_wgpu_uploads(gpu: Gpu) -> None:
    buffer, words = zeros(gpu, 64), np.arange(12, dtype="<f4").reshape(3, 4)
    write_buffer(gpu.queue, buffer, 16, words)
    write_buffer(gpu.queue, buffer, 0, words[:, 0].copy()[:2])
    assert read_floats(gpu, buffer).tolist() == [0, 4, 0, 0, *range(12)]
    with pytest.raises(Exception, match="Invalid"):
        write_buffer(gpu.queue, buffer, 32, words)  # more than fits is left to wgpu, which says so


def test_what_is_wrong_in_a_pass_is_an_error_when_it_is_finished(gpu: Gpu) -> None:
    encoder = gpu.device.create_command_encoder()
    compute_pass = ComputePass(encoder)
    compute_pass.set_pipeline(kernel(gpu, "bench/fill.wgsl"))
    compute_pass.dispatch_workgroups(1)
    compute_pass.end()
    with pytest.raises(Exception, match="BindGroup"):
        encoder.finish()
