"""Sections of the panel about plants and leaves: species and growth, season, flutter and shedding."""

import datetime as dt
from types import NoneType
from typing import Any, Literal, get_args, get_origin

import numpy as np
from annotated_types import Ge, Gt, Le, Lt
from pydantic.fields import FieldInfo

from windflower.core.table import Whole
from windflower.mechanics.objects import OBJECTS
from windflower.motion.leaves.seasons import NAMES, day_of
from windflower.motion.registry import MOTIONS
from windflower.motion.settings import MotionSettings
from windflower.plant.species import species_names
from windflower.scene.foliage import SheddingSettings
from windflower.scene.stand_table import StandSettings
from windflower.viewer.panel.form import Form
from windflower.viewer.panel.wood_parts import OF_ANOTHER, scan_part, wood_part
from windflower.viewer.scene_edits import GrowthControl
from windflower.viewer.session import Session

__all__ = ["leaves_section", "motion_part", "plants_section"]

MAX_TREES = 2000
AS_GROWN = "as grown"


def plants_section(form: Form, session: Session) -> None:
    """The selected stand: species and count, growth, motion."""
    stands = session.settings.stands
    if stands:
        _stand_choice(form, session)
        _species(form, session, session.selected)
        growth = "numbers of the species; the plant grows anew"
        if stands[session.selected].is_grown and form.subsection("growth", tip=growth):
            _growth(form, session, session.selected)
            form.gui.tree_pop()
        if form.subsection("motion", tip="how it moves, and how stiff it is", opened=True):
            motion_part(form, session, session.selected)
            form.gui.tree_pop()
    else:
        form.gui.text_disabled("no plants")
    added = form.choice("add plants", "", _plant_names(), tip="a species or an object to add to the scene")
    if added:
        session.add_stand(added)


def _stand_choice(form: Form, session: Session) -> None:
    stands = session.settings.stands
    if len(stands) > 1:
        names = [f"{number + 1}: {_short_name(stand)}" for number, stand in enumerate(stands)]
        chosen = form.choice("stand", names[session.selected], names, tip="the plants that this section is about")
        if chosen:
            session.selected = names.index(chosen)


def _plant_names() -> tuple[str, ...]:
    return (*species_names(), *OBJECTS)


def _short_name(stand: StandSettings) -> str:
    """The species, or the name of the file without its folder."""
    return stand.plant.replace("\\", "/").rsplit("/", 1)[-1]


def _species(form: Form, session: Session, index: int) -> None:
    stand = session.settings.stands[index]
    names = _plant_names() if stand.plant in _plant_names() else (_short_name(stand), *_plant_names())
    species = form.choice("species", _short_name(stand), names, tip="another species or object in its place")
    if species and species in _plant_names():
        session.set_stand(index, plant=species, **OF_ANOTHER)
    scan_part(form, session, index)
    if stand.is_grown:
        seed = form.whole("seed", stand.seed, 0, 10_000, tip="which specimen of the species")
        if seed.changed and seed.value != stand.seed:
            session.set_stand(index, seed=int(seed.value))
    count = len(stand.positions) if stand.positions else stand.count or 1
    edit = form.whole("count", count, 1, MAX_TREES, tip="number of plants")
    if edit.changed and edit.value != count:
        session.set_stand(index, count=int(edit.value), positions=None)
    leaves = form.check("leaves", stand.leaves, tip="a bare tree catches less wind")
    if leaves != stand.leaves:
        session.set_stand(index, leaves=leaves)
    form.gui.same_line()
    if form.button("remove", tip="remove these plants from the scene"):
        session.remove_stand(index)


def _growth(form: Form, session: Session, index: int) -> None:
    group = ""
    for control in session.growth_controls(index):
        if control.group != group:
            group = control.group
            form.gui.text_disabled(group)
        _growth_slider(form, session, index, control)
    if session.settings.stands[index].changes and form.button("reset growth", width=-1, tip="as the species has it"):
        session.set_stand(index, changes={})


def _growth_slider(form: Form, session: Session, index: int, control: GrowthControl) -> None:
    """A growth control: the plant is rebuilt as a draft while it is dragged, and in full when it is let go."""
    name, span = ".".join(control.path), (control.low, control.high)
    edit = form.slider(control.label, control.value, *span, control.format, tip=control.tip, name=name)
    if edit.changed:
        session.set_growth(index, control.path, float(f"{edit.value:.4g}"), draft=True)
    elif edit.done:
        session.set_stand(index)


def leaves_section(form: Form, session: Session) -> None:
    """The season of all leaves; flutter and shedding of the selected stand."""
    _season(form, session)
    if not session.settings.stands:
        return
    index = session.selected
    stand = session.settings.stands[index]
    flutter = form.slider("flutter", stand.flutter, 0.0, 3.0, "× %.2f", tip="amplitude, relative to the species' own")
    if flutter.changed:
        session.set_leaves(index, flutter=round(flutter.value, 2))
    shed = form.check(
        "shedding", stand.shedding is not None, tip="leaves come off, fall and lie on the ground, most in autumn"
    )
    if shed != (stand.shedding is not None):
        session.set_leaves(index, shedding={"rate": 0.05} if shed else None)
    if stand.shedding is not None:
        _shedding(form, session, index, stand.shedding)


def _season(form: Form, session: Session) -> None:
    season = session.settings.season
    name = AS_GROWN if season is None else season if isinstance(season, str) else _date(season)
    names = (AS_GROWN, *NAMES, *([name] if name[0].isdigit() else []))
    chosen = form.choice("season", name, names, tip="colour of all leaves, and how many are left")
    if chosen:
        session.set_season(chosen if chosen in NAMES else None if chosen == AS_GROWN else season)
    if season is not None:
        day = day_of(season)
        edit = form.slider("day", day, 0.0, 366.0, _date(day), tip="of the year; leaves turn and fall in October")
        if edit.changed:
            session.set_season(float(round(edit.value)))


def _shedding(form: Form, session: Session, index: int, shedding: SheddingSettings) -> None:
    tip = "share of loose leaves that come off in a wind of 10 m/s"
    rate = form.slider("rate", shedding.rate, 0.0, 1.0, "%.3f /s", tip=tip, logarithmic=True)
    if rate.changed:
        session.set_leaves(index, shedding={"rate": float(f"{rate.value:.3g}"), "fallen": shedding.fallen})
    tip = "share that lies on the ground at the start; 1 for a bare tree"
    fallen = form.slider("fallen", shedding.fallen, 0.0, 1.0, tip=tip)
    if fallen.changed:
        session.set_leaves(index, shedding={"rate": shedding.rate, "fallen": round(fallen.value, 2)})


def _date(day: float) -> str:
    """A day of the year as day and month."""
    date = dt.date(2024, 1, 1) + dt.timedelta(days=min(max(round(day), 0), 365))
    return f"{date.day} {date:%b}"


LARGEST = 100  # largest value of a slider for whole numbers
BY_DEFAULT = "by default"
TOGETHER = {"correlation_time": 1.0, "correlation_distance": 5.0}  # s, m: one is nothing without the other


def motion_part(form: Form, session: Session, index: int) -> None:
    """The motion of the selected stand, and its parameters."""
    motion = session.settings.stands[index].motion
    kind = form.choice("model", motion.kind, _choosable(), tip="how it moves")
    if kind:
        session.set_stand(index, motion=_instead(motion, kind))
    reason = _refuses_hands(session, index)
    if reason is not None:
        form.gui.text_wrapped(f"This plant {reason}: it cannot be grabbed.")
        if form.button("make it modal", width=-1, tip="the same plant, moved by its modes"):
            session.set_stand(index, motion=_instead(motion, "modal"))
    form.gui.push_id("model")  # a model may have a weight, as the wood has
    _numbers(form, session, index, motion)
    form.gui.pop_id()
    wood_part(form, session, index)


def _choosable() -> tuple[str, ...]:
    """Kinds of motion that need no further keys."""
    tables = {kind: MOTIONS[kind].settings for kind in MOTIONS}
    return tuple(
        kind
        for kind, table in tables.items()
        if not any(field.is_required() and name != "kind" for name, field in table.model_fields.items())
    )


def _refuses_hands(session: Session, index: int) -> str | None:
    """Why the plants of a table cannot be grabbed; None if they can."""
    stands = [stand for stand in session.scene.stands if stand.table == index]
    return stands[0].motion.refuses_hands if stands else None


def _instead(motion: MotionSettings, kind: str) -> dict[str, Any]:
    """Table of another kind of motion, with the keys that the two share."""
    shared = set(MOTIONS[kind].settings.model_fields) & {"modes", "pose", "twigs"}
    return {"kind": kind, **motion.model_dump(include=shared)}


def _numbers(form: Form, session: Session, index: int, motion: MotionSettings) -> None:
    """A control for each key of a motion's table; those that one seldom turns lie together, at first closed."""
    fields = {name: field for name, field in type(motion).model_fields.items() if name != "kind"}
    seldom = {name: field for name, field in fields.items() if _seldom(field)}
    for name, field in fields.items():
        if name not in seldom:
            _key(form, session, index, motion, name, field)
    if seldom and form.subsection("more", tip="switches of the printed models, and what follows by itself if left out"):
        for name, field in seldom.items():
            _key(form, session, index, motion, name, field)
        form.gui.tree_pop()


def _seldom(field: FieldInfo) -> bool:
    """Whether a key may be left out, or chooses between the right physics and a paper's print."""
    names = (*get_args(field.annotation), *_choices(get_args(field.annotation)))
    return NoneType in get_args(field.annotation) or bool({"paper", "printed"} & {*map(str, names)})


def _key(form: Form, session: Session, index: int, motion: MotionSettings, name: str, field: FieldInfo) -> None:
    changes = _changes(form, name, field, getattr(motion, name))
    if changes:
        session.set_motion(index, **changes)


def _changes(form: Form, name: str, field: FieldInfo, value: Any) -> dict[str, Any]:
    """Draw the controls of a key; returns the keys that change. One that may be left out has a checkbox of its own."""
    kinds = get_args(field.annotation)
    if NoneType in kinds and (choices := _choices(kinds)):
        chosen = form.choice(name.replace("_", " "), value or BY_DEFAULT, (BY_DEFAULT, *choices), tip=_tip(field))
        return {name: None if chosen == BY_DEFAULT else chosen} if chosen else {}
    if NoneType in kinds:
        given = form.check(f"own {name.replace('_', ' ')}", value is not None, tip=_tip(field))
        if given != (value is not None):
            keys = TOGETHER if name in TOGETHER else {name: _first_value(field)}
            return dict(keys) if given else dict.fromkeys(keys)
    if not isinstance(value, bool | int | float | str):
        return {}
    changed = _control(form, name, field, value)
    return {} if changed is None else {name: changed}


def _choices(kinds: tuple[Any, ...]) -> tuple[str, ...]:
    """The names that a key may have, among the kinds of its annotation."""
    return tuple(str(name) for kind in kinds for name in get_args(kind) if get_origin(kind) is Literal)


def _first_value(field: FieldInfo) -> float | int:
    """A number for a key that had none: its example, or 1, or what its range has nearest to that."""
    low, high = _range(field)
    value = min(max(float((field.examples or [1.0])[0]), low), high)
    return int(np.ceil(value)) if Whole in get_args(field.annotation) else value


def _tip(field: FieldInfo) -> str:
    return field.description or ""


def _control(form: Form, name: str, field: FieldInfo, value: Any) -> Any:
    """Draw the control of a key; returns its new value, or None if unchanged."""
    label, tip = name.replace("_", " "), _tip(field)
    if isinstance(value, bool):
        now = form.check(label, value, tip=tip)
        return now if now != value else None
    if isinstance(value, str):
        return form.choice(label, value, get_args(field.annotation), tip=tip)
    low, high = _range(field)
    if isinstance(value, int):
        turned = form.whole(label, value, int(low), int(min(high, LARGEST)), tip=tip)
        return int(turned.value) if turned.changed and turned.value != value else None
    turned = form.slider(label, value, low, min(high, max(4 * value, 1.0)), "%.3g", tip=tip)
    return float(f"{turned.value:.4g}") if turned.changed else None


def _range(field: FieldInfo) -> tuple[float, float]:
    """Slider range of a number; an exclusive bound is moved slightly inward."""
    low, high = 0.0, 1000.0
    for bound in field.metadata:
        match bound:
            case Ge(ge):
                low = float(ge)  # type: ignore[arg-type]
            case Gt(gt):
                low = float(gt) + 1e-3  # type: ignore[arg-type]
            case Le(le):
                high = float(le)  # type: ignore[arg-type]
            case Lt(lt):
                high = float(lt) - 1e-3  # type: ignore[arg-type]
    return low, high
