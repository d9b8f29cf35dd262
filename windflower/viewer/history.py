"""Undo and redo of what a person changes in the panel."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Any, NamedTuple

from pydantic import BaseModel

from windflower.scene import SceneSettings
from windflower.scene.stand_table import StandSettings
from windflower.viewer.scene_edits import WIND_STRENGTHS
from windflower.viewer.view_state import DisplayOptions

__all__ = ["History", "Snapshot", "difference"]

MOST = 200  # changes that are kept
WORDS = {"paint": "colours", "strain_scale": "strain scale"}


class Snapshot(NamedTuple):
    """What undo brings back.

    settings       of the scene; gusts and puffs on demand come and go beside it
    display        colours, strain scale, shadows, quality and resolution by name
    field_of_view  of the camera, degrees; where it stands is not undone
    """

    settings: SceneSettings
    display: dict[str, Any]
    field_of_view: float

    @classmethod
    def of(cls, settings: SceneSettings, display: DisplayOptions, field_of_view: float) -> "Snapshot":
        """The current state."""
        kept = {field.name: getattr(display, field.name) for field in fields(display) if field.metadata.get("undone")}
        return cls(settings, kept, round(field_of_view, 6))


class History:
    """States before and after the current one.

    A state is recorded when an edit has ended, so that dragging a slider is one change however many values it passes.
    """

    def __init__(self, now: Snapshot) -> None:
        self._now = now
        self._before: list[Snapshot] = []
        self._after: list[Snapshot] = []

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to undo."""
        return bool(self._before)

    @property
    def can_redo(self) -> bool:
        """Whether there is a change to redo."""
        return bool(self._after)

    def record(self, now: Snapshot) -> None:
        """Record a state, if anything that undo brings back differs from the latest one."""
        if difference(self._now, now):
            self._before = [*self._before[-MOST + 1 :], self._now]
            self._after = []
        self._now = now

    def undo(self) -> tuple[Snapshot, str] | None:
        """The state before the latest change, and the name of that change; None if there is none."""
        return self._step(self._before, self._after)

    def redo(self) -> tuple[Snapshot, str] | None:
        """The state after the change that was undone last, and the name of that change; None if there is none."""
        return self._step(self._after, self._before)

    def _step(self, source: list[Snapshot], target: list[Snapshot]) -> tuple[Snapshot, str] | None:
        if not source:
            return None
        target.append(self._now)
        before, self._now = self._now, source.pop()
        return self._now, difference(before, self._now)


def difference(before: Snapshot, after: Snapshot) -> str:
    """The first thing that differs between two states, in words; empty if nothing does."""
    if before.settings is not after.settings:
        words = _of_settings(before.settings, after.settings)
        if words:
            return words
    changed = [name for name, value in before.display.items() if after.display[name] != value]
    if changed:
        return WORDS.get(changed[0], changed[0])
    return "field of view" if before.field_of_view != after.field_of_view else ""


def _of_settings(before: SceneSettings, after: SceneSettings) -> str:
    before, after = _lasting(before), _lasting(after)
    for name in type(before).model_fields:
        one, other = getattr(before, name), getattr(after, name)
        if one != other:
            return _of_stands(one, other) if name == "stands" else f"{name} {_path(one, other)}".strip()
    return ""


def _lasting(settings: SceneSettings) -> SceneSettings:
    """The settings without gusts and puffs on demand."""
    return settings.model_copy(update={"wind": settings.wind.model_copy(update={"gusts": (), "sources": ()})})


def _of_stands(before: Sequence[StandSettings], after: Sequence[StandSettings]) -> str:
    if len(before) != len(after):
        return "plants"
    old, new = next((old, new) for old, new in zip(before, after, strict=True) if old != new)
    return f"{_path(old, new)} of {new.plant}"


def _path(before: Any, after: Any) -> str:
    """Keys from the top of a table to the first value that differs, in words."""
    before, after = (table.model_dump() if isinstance(table, BaseModel) else table for table in (before, after))
    if not (isinstance(before, dict) and isinstance(after, dict)):
        return ""
    name = next(name for name in before | after if before.get(name) != after.get(name))
    if name in WIND_STRENGTHS:
        return "speed"
    key = "" if name == "changes" or name.isdigit() else name.replace("_", " ")
    return f"{key} {_path(before.get(name, {}), after.get(name, {}))}".strip()
