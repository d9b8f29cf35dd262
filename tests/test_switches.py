"""Every option of a motion can be set in a scene file and in the window's panel, printed switches above all."""

import inspect
from collections.abc import Iterator
from dataclasses import fields
from typing import Any, get_args

import numpy as np
import pytest

from tests.stands import modes_of
from windflower import grow
from windflower.core.device import Gpu
from windflower.errors import MotionError
from windflower.mechanics import Modes
from windflower.motion import HybridMotion, Places
from windflower.motion.broadleaf.broadleaf_kernels import can_do
from windflower.motion.broadleaf.constants import BroadleafConstants
from windflower.motion.contract import Motion
from windflower.motion.device.twin import Start
from windflower.motion.oscillator import paper_step
from windflower.motion.registry import MOTIONS, twin_of
from windflower.motion.settings import Circumstances, Specimen
from windflower.motion.stand import Stand
from windflower.plant.graph import Plant
from windflower.scene.reference import scene_reference
from windflower.viewer.panel import plant_sections
from windflower.viewer.panel.form import Edit
from windflower.wind import Turbulence

ELSEWHERE = {
    "wood": "key of the stand",
    "leaves": "key of the stand",
    "damping": "key of the stand",
    "stiffness": "key of the stand",
    "seed": "key of the scene",
    "wind": "table of the scene",
    "speed": "of the scene's wind",
    "felt": "follows from the forest",
    "admittance": "follows from the wind",
    "bare": "follows from the plant",
    "constants": "its fields are looked at one by one",
    "laws": "of the species",
    "branch": "what disks of force act on",
    "hand_over": "of hands",
    "samples": "follows from the modes",
    "aspect": "of the species",
    "blade": "of the species",
}
"""Options that a scene file has elsewhere, or that follow from others."""


def motions(base: type[Any] = Motion) -> Iterator[type[Any]]:
    for kind in base.__subclasses__():
        yield kind
        yield from motions(kind)


def classes_of(kind: str) -> list[type[Any]]:
    """The motions of a kind that say themselves how they are made."""
    MOTIONS[kind]  # imports it
    return [one for one in motions() if getattr(one, "kind", None) == kind and "__init__" in vars(one)]


def printed_changes() -> set[str]:
    """Constants that the printed model of broad leaves has otherwise."""
    ours, printed = BroadleafConstants(), BroadleafConstants.printed(constant_rigidity=1.0)
    return {one.name for one in fields(ours) if getattr(ours, one.name) != getattr(printed, one.name)}


def options() -> Iterator[tuple[str, str]]:
    for kind in MOTIONS:
        for motion in classes_of(kind):
            parameters = inspect.signature(motion.__init__).parameters.values()
            yield from ((kind, one.name) for one in parameters if one.kind is inspect.Parameter.KEYWORD_ONLY)
    yield from (("broadleaf", name) for name in printed_changes())


OPTIONS = sorted(set(options()))


def test_the_models_of_the_papers_are_looked_at() -> None:
    found = {kind for kind, _ in OPTIONS}
    assert {"modal", "spectral", "cantilever", "hybrid", "broadleaf"} <= found
    assert {("cantilever", "loads"), ("spectral", "lines"), ("hybrid", "torque")} <= set(OPTIONS)


@pytest.mark.parametrize(("kind", "name"), OPTIONS)
def test_every_option_of_a_motion_is_a_key_of_its_table(kind: str, name: str) -> None:
    keys = MOTIONS[kind].settings.model_fields
    assert name in keys or name in ELSEWHERE, f"{name} of {kind} has no key"


class Drawn:
    """A form that notes the labels of its controls, and changes nothing."""

    def __init__(self) -> None:
        self.labels: set[str] = set()

    def choice(self, label: str, value: str, options: Any, *, tip: str) -> None:
        assert tip, label
        assert value in options, label
        self.labels.add(label)

    def check(self, label: str, value: bool, *, tip: str) -> bool:
        assert tip, label
        self.labels.add(label.removeprefix("own "))
        return value

    def whole(self, label: str, value: int, low: int, high: int, *_: str, tip: str) -> Any:
        assert tip, label
        assert low <= value <= high, label
        self.labels.add(label)
        return Edit(value, False, False)

    slider = whole


TABLES = [kind for kind in MOTIONS if kind != "loop"]


@pytest.mark.parametrize("kind", TABLES)
def test_every_key_of_a_motion_has_a_control_in_the_panel_and_a_row_in_the_docs(kind: str) -> None:
    form, table = Drawn(), MOTIONS[kind].settings
    settings = table.model_validate({"kind": kind})
    page = scene_reference().split(f"## `stands.motion`, {kind}\n")[1].split("\n## ")[0]
    for name, field in table.model_fields.items():
        if name != "kind":
            assert plant_sections._changes(form, name, field, getattr(settings, name)) == {}  # type: ignore[arg-type]
            assert name.replace("_", " ") in form.labels
            assert f"| `{name}` |" in page


@pytest.mark.parametrize("kind", TABLES)
def test_a_key_that_was_left_out_gets_a_value_that_the_table_takes(kind: str) -> None:
    class Ticked(Drawn):
        def check(self, label: str, value: bool, *, tip: str) -> bool:
            return not super().check(label, value, tip=tip)

    table = MOTIONS[kind].settings
    for name, field in table.model_fields.items():
        if field.default is None and type(None) in get_args(field.annotation):
            changes = plant_sections._changes(Ticked(), name, field, None)  # type: ignore[arg-type]
            table.model_validate({"kind": kind, **changes})


def test_a_number_that_is_ticked_starts_where_the_table_has_an_example() -> None:
    table = MOTIONS["broadleaf"].settings.model_fields
    assert plant_sections._first_value(table["longest"]) == 1 / 1000
    assert plant_sections._first_value(table["constant_rigidity"]) == 4e4
    assert plant_sections._first_value(table["along"]) == 3


AROUND = Circumstances(wind=Turbulence(speed=5.0), seconds=4.0, seed=1)
PRINTED_BLADES: dict[str, Any] = {
    "wind_law": "paper",
    "constant_rigidity": 4e4,
    "moments": False,
    "handed_over": "longitudinal",
    "inertia": "own",
    "wake": 0.0,
    "flutter": 0.0,
    "integrator": "paper",
}


def motion_of(kind: str, plant: Plant, modes: Modes | None = None, **keys: Any) -> Any:
    table = MOTIONS[kind].settings.model_validate({"kind": kind, **keys})
    return table.motion(Specimen("one", plant, modes), AROUND)


def test_the_keys_of_broad_leaves_make_the_printed_model() -> None:
    violet = grow("violet")
    assert motion_of("broadleaf", violet).constants == BroadleafConstants()
    printed = motion_of("broadleaf", violet, **PRINTED_BLADES)
    assert printed.constants == BroadleafConstants.printed(constant_rigidity=4e4)
    assert motion_of("broadleaf", violet, integrator="paper", longest=1 / 3000).constants.longest == 1 / 3000
    assert not can_do(printed), "NumPy steps it"
    assert can_do(motion_of("broadleaf", violet, constant_rigidity=4e4, inertia="own", wake=0.1, longest=1 / 200))


def test_the_keys_of_hybrid_trees_make_the_printed_formula() -> None:
    hazel = grow("hazel-bush", detail=0.05)
    assert motion_of("hybrid", hazel).limit == 1.0
    printed = motion_of("hybrid", hazel, limit=0, catch="same", probe="branch")
    wanted = HybridMotion(hazel, limit=None, catch="same", probe="branch")
    assert printed.limit is None
    np.testing.assert_array_equal(printed.response.rows, wanted.response.rows)
    np.testing.assert_array_equal(printed.response.place, wanted.response.place)


def test_the_keys_of_modes_and_loops_make_the_printed_step_and_reading() -> None:
    modes = modes_of("oak")
    exact, paper = (motion_of("modal", modes.plant, modes, integrator=one) for one in ("exact", "paper"))
    places = Places()
    np.testing.assert_allclose(
        paper.steps(places, 1 / 100).modal[0, 0],
        paper_step(modes.omega[0], paper.damping[0], 1 / 100),
    )
    assert not np.allclose(exact.steps(places, 1 / 100).modal, paper.steps(places, 1 / 100).modal)
    assert motion_of("spectral", modes.plant, modes, headings=1, reading="linear").reading == "linear"


def test_a_printed_step_that_would_diverge_on_the_device_is_refused_before_it_does(gpu: Gpu) -> None:
    modes = modes_of("oak")
    motion = motion_of("modal", modes.plant, modes, integrator="paper")
    stand, fastest = Stand(name="oak", table=0, motion=motion, places=Places()), modes.omega.max()
    twin = twin_of(gpu, stand, Start(AROUND.wind, 0.0, 1.5 / fastest))
    with pytest.raises(
        MotionError, match=rf'too long for a mode of {fastest / 2 / np.pi:.3g} Hz.* integrator = "exact"'
    ):
        twin.retune(stand, 2.5 / fastest)
    with pytest.raises(MotionError, match="explicit"):
        twin_of(gpu, stand, Start(AROUND.wind, 0.0, 2.5 / fastest))


def test_own_loads_take_one_wind_for_the_crown() -> None:
    with pytest.raises(ValueError, match="feel one for all"):
        MOTIONS["cantilever"].settings.model_validate({"kind": "cantilever", "loads": "own", "cells": 3})
