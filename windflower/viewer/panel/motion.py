"""The panel's section about how a stand moves: the model, and a control for each key of its table."""

from typing import Any, get_args

from annotated_types import Ge, Gt, Le, Lt
from pydantic.fields import FieldInfo

from windflower.motion.registry import MOTIONS
from windflower.motion.settings import MotionSettings
from windflower.viewer.panel.form import Form
from windflower.viewer.session import Session

__all__ = ["motion_part"]

LARGEST = 100  # of a slider for whole numbers, whatever a table allows


def motion_part(form: Form, session: Session, index: int) -> None:
    """The model of the selected stand, and what belongs to it."""
    motion = session.settings.stands[index].motion
    kind = form.choice("model", motion.kind, _choosable(), tip="how it moves")
    if kind:
        session.set_stand(index, motion=_instead(motion, kind))
    reason = _refuses_hands(session, index)
    if reason is not None:
        form.gui.text_wrapped(f"This plant {reason}: hands do not reach it.")
        if form.button("make it modal", width=-1, tip="the same plant, moved by its modes"):
            session.set_stand(index, motion=_instead(motion, "modal"))
    _numbers(form, session, index, motion)
    _wood(form, session, index)


def _choosable() -> tuple[str, ...]:
    """The kinds that need no more than their name."""
    tables = {kind: MOTIONS[kind].settings for kind in MOTIONS}
    return tuple(
        kind
        for kind, table in tables.items()
        if not any(field.is_required() and name != "kind" for name, field in table.model_fields.items())
    )


def _refuses_hands(session: Session, index: int) -> str | None:
    """Why the plants of a table cannot be held, if they cannot."""
    stands = [stand for stand in session.scene.stands if stand.table == index]
    return stands[0].motion.refuses_hands if stands else None


def _instead(motion: MotionSettings, kind: str) -> dict[str, Any]:
    """Another model's table, with what the two have in common."""
    shared = set(MOTIONS[kind].settings.model_fields) & {"modes", "pose", "twigs"}
    return {"kind": kind, **motion.model_dump(include=shared)}


def _numbers(form: Form, session: Session, index: int, motion: MotionSettings) -> None:
    """A control for each key of a table that has a value, of the kind that suits it."""
    for name, field in type(motion).model_fields.items():
        value = getattr(motion, name)
        if name != "kind" and isinstance(value, bool | int | float | str):
            changed = _control(form, name, field, value)
            if changed is not None:
                session.set_motion(index, **{name: changed})


def _control(form: Form, name: str, field: FieldInfo, value: Any) -> Any:
    """What a person changes a key to, or None."""
    label, tip = name.replace("_", " "), field.description or ""
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
    """The bounds of a number; one that it must not reach is kept a little away from."""
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


def _wood(form: Form, session: Session, index: int) -> None:
    stand = session.settings.stands[index]
    tip = "factor on the wood's"
    stiffness = form.slider("stiffness", stand.stiffness, 0.1, 10.0, "× %.2f", tip=tip, logarithmic=True)
    if stiffness.changed:
        session.set_stand(index, stiffness=float(f"{stiffness.value:.3g}"))
    damping = form.slider("damping", stand.damping, 0.1, 10.0, "× %.2f", tip=tip, logarithmic=True)
    if damping.changed:
        session.set_stand(index, damping=float(f"{damping.value:.3g}"))
