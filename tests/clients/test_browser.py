"""The same shaders run in a browser: WebGPU with the limits that every browser guarantees."""

import base64
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.clients.everything import entry_points, everything, used_entry_points
from tests.clients.tape import played_form
from tests.stands import modes_of, places, reference, winds
from windflower.core.device import Gpu
from windflower.motion import ModalMotion
from windflower.motion.modal.modal_kernels import GpuModal
from windflower.web.tape import Tape, recording

TOO_LARGE = "var<workgroup> w: array<f32, 5000>; @compute @workgroup_size(1) fn main() { w[0] = 1; }"
PLAY = Path(__file__).with_name("play.js").read_text("utf-8")


@pytest.fixture(scope="module")
def tape(gpu: Gpu) -> Tape:
    return everything(gpu)


def played(page: Any, tape: Tape) -> list[bytes]:
    """What a browser reads when it makes the calls of a tape, which must all be valid."""
    result = page.evaluate(PLAY, played_form(tape))
    assert not result["errors"], "\n".join(result["errors"])
    return [base64.b64decode(read) for read in result["reads"]]


@pytest.mark.slow
def test_no_entry_point_of_any_shader_is_left_out(tape: Tape) -> None:
    left_out = entry_points() - used_entry_points(tape)
    assert not left_out, "nothing on the tape begins there: make it in tests/clients/everything.py, or delete it"


def test_every_shader_and_pipeline_is_made_in_a_browser(tape: Tape, page: Any) -> None:
    played(page, tape)


@pytest.mark.parametrize(
    ("code", "reason"), [("fn", "expected identifier"), (TOO_LARGE, "workgroup storage")], ids=["syntax", "memory"]
)
def test_a_browser_refuses_what_is_wrong(gpu: Gpu, page: Any, code: str, reason: str) -> None:
    tape = Tape(gpu.device)
    module = {"label": "wrong", "code": code}
    compute = {"label": "wrong", "layout": "auto", "compute": {"module": {"$": 0}}}
    tape.things += [["createShaderModule", module], ["createComputePipeline", compute]]
    with pytest.raises(AssertionError, match=rf"wrong.*{reason}"):
        played(page, tape)


@pytest.mark.parametrize(("pose", "cells"), [("linear", 1), ("corrected", 4), ("rotated", 16)])
def test_a_browser_moves_a_tree_as_the_reference_does(gpu: Gpu, page: Any, pose: str, cells: int) -> None:
    motion, where, air = ModalMotion(modes_of("oak", cells), pose=pose), places(3), winds(20, 3, cells)
    with recording(gpu, runs=True) as (card, tape):
        twin = GpuModal(card, motion, where)
        twin.step_under(air)
        twin.pose()
        native = twin.read_points()
    *_, read = played(page, tape)
    points = np.frombuffer(read, "<f4").reshape(3, -1, 4)[:, : motion.plant.nodes, :3]
    np.testing.assert_allclose(points, native, atol=1e-5)
    np.testing.assert_allclose(points, motion.pose(reference(motion, where, air)), atol=1e-5)
