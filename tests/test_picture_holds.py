"""A picture within its budget is like one that was drawn in full."""

import pytest

from tests.likeness import IN_FULL, as_on_a_card, likeness, pops
from windflower.core.device import Gpu
from windflower.scene import build, parse_scene, read_scene

GROVE = """
[[stands]]
plant = "silver-birch"
detail = 0.2
count = 24
area = { kind = "circle", centre = [0, -12], radius = 14.0 }
motion = { kind = "modal", modes = 4, cells = 1 }
[ground]
kind = "none"
[camera]
kind = "fixed"
eye = [0, 3, 16]
target = [0, 5, -10]
"""


def test_a_budget_that_holds_all_changes_nothing(gpu: Gpu) -> None:
    grove, size = build(parse_scene(GROVE)), (96, 64)
    full = as_on_a_card("draft", triangles=IN_FULL, samples=4, grass=64)
    assert likeness(grove, as_on_a_card("draft", samples=4, grass=64), full, size, 0.5, gpu) == (0, 0, 0)


def test_what_differs_is_found(gpu: Gpu) -> None:
    grove, size = build(parse_scene(GROVE)), (96, 64)
    full = as_on_a_card("draft", triangles=IN_FULL, samples=4, grass=64)
    found = likeness(grove, as_on_a_card("draft", grass=64), full, size, 0.5, gpu)
    assert found.mean > 2, "with one sample a pixel leaves are whole pixels"
    assert found.cover > 0.02


NOT_YET = pytest.mark.xfail(
    reason="the forest is 4.4 and 30 grey levels off, hills 3.4 and 22, as sprays of coarser levels are elsewhere than "
    "the leaves that they stand for; the interactive forest jumps by 10",
    strict=False,
)


@NOT_YET
@pytest.mark.slow
@pytest.mark.parametrize("name", ["forest", "hills", "hundred-thousand", "interactive-forest", "birch-grove"])
def test_scenes_in_good_quality_are_like_scenes_in_full(gpu: Gpu, name: str) -> None:
    scene = build(read_scene(name))
    found = likeness(scene, as_on_a_card("good"), as_on_a_card("best", triangles=IN_FULL), (1920, 1072), 1.0, gpu)
    assert found.mean < 2, found
    assert found.most < 10, found
    assert found.cover < 0.02, found


@NOT_YET
@pytest.mark.slow
@pytest.mark.parametrize("name", ["forest", "hills", "interactive-forest"])
def test_no_level_pops_from_frame_to_frame(gpu: Gpu, name: str) -> None:
    times = [1.0 + number / 24 for number in range(6)]
    full = as_on_a_card("best", triangles=IN_FULL)
    assert pops(build(read_scene(name)), as_on_a_card("good"), full, (960, 544), times, gpu) < 4
