"""Labelled controls in the manner of property panels: the name on the left, the control on the right."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

__all__ = ["Form", "Turned"]

LABEL = 104.0  # logical pixels of the names' column
DIAL = 84.0


class Turned(NamedTuple):
    """What a person did to a number: its value, whether it changed in this frame, and whether they let go of it."""

    value: float
    changed: bool
    done: bool


class Form:
    """Draws controls one below the other. `places` says where each was drawn last: left, top, right, bottom."""

    def __init__(self, gui: Any) -> None:
        self.gui = gui
        self.places: dict[str, tuple[float, float, float, float]] = {}
        self.clock_width = 0.0

    def mark(self, label: str, tip: str = "") -> bool:
        """Remember where the control is; say whether someone has just let go of it."""
        gui = self.gui
        low, high = gui.get_item_rect_min(), gui.get_item_rect_max()
        self.places[label] = (low.x, low.y, high.x, high.y)
        if tip:
            gui.set_item_tooltip(tip)
        return bool(gui.is_item_deactivated_after_edit() or gui.is_item_deactivated())

    def slider(
        self,
        label: str,
        value: float,
        low: float,
        high: float,
        form: str = "%.2f",
        *,
        tip: str = "",
        curved: bool = False,
        name: str = "",
    ) -> Turned:
        """A number between two others; `curved` gives small ones more room. `name` tells it from others alike."""
        gui, name = self.gui, name or label
        self._name(label)
        flags = gui.SliderFlags_.always_clamp | (gui.SliderFlags_.logarithmic if curved else 0)
        changed, new = gui.slider_float(f"##{name}", float(value), float(low), float(high), form, flags)
        return Turned(new, changed, self.mark(name, tip))

    def whole(self, label: str, value: int, low: int, high: int, *, tip: str = "") -> Turned:
        """A whole number, with buttons beside it."""
        self._name(label)
        changed, new = self.gui.input_int(f"##{label}", int(value), 1, 10)
        return Turned(min(max(new, low), high), changed, self.mark(label, tip) or changed)

    def choice(self, label: str, value: str, options: Sequence[str], *, tip: str = "") -> str | None:
        """One of several names; returns it when it changes."""
        self._name(label)
        index = options.index(value) if value in options else -1
        changed, new = self.gui.combo(f"##{label}", index, list(options))
        self.mark(label, tip)
        return options[new] if changed else None

    def check(self, label: str, value: bool, *, tip: str = "") -> bool:
        """Yes or no; returns what it is now."""
        _, new = self.gui.checkbox(label, value)
        self.mark(label, tip)
        return bool(new)

    def button(self, label: str, *, width: float = 0.0, tip: str = "") -> bool:
        """Something to do."""
        pressed = self.gui.button(label, (width, 0))
        self.mark(label, tip)
        return bool(pressed)

    def buttons(self, labels: Sequence[str]) -> str | None:
        """Several in a row, as wide as there is room; returns the one that was pressed."""
        gui = self.gui
        gap = gui.get_style().item_spacing.x
        width = (gui.get_content_region_avail().x - gap * (len(labels) - 1)) / len(labels)
        pressed = None
        for number, label in enumerate(labels):
            if number:
                gui.same_line()
            pressed = label if self.button(label, width=width) else pressed
        return pressed

    def branch(self, label: str, *, opened: bool = False) -> bool:
        """A part that can be folded away; end it with `tree_pop` if it is open."""
        shown = self.gui.tree_node_ex(label, self.gui.TreeNodeFlags_.default_open if opened else 0)
        self.mark(label)
        return bool(shown)

    def text(self, label: str, value: str) -> str:
        """A line of text."""
        self._name(label)
        _, new = self.gui.input_text(f"##{label}", value)
        self.mark(label)
        return str(new)

    def dial(self, label: str, degrees: float) -> Turned:
        """A compass: where something comes from. The needle shows where it goes."""
        gui, size = self.gui, DIAL
        corner = gui.get_cursor_screen_pos()
        gui.invisible_button(f"##{label}", (size, size))
        done = self.mark(label, "where the wind comes from; drag it")
        middle, radius = (corner.x + size / 2, corner.y + size / 2), size / 2 - 2
        changed = gui.is_item_active()
        if changed:
            mouse = gui.get_io().mouse_pos
            degrees = round(math.degrees(math.atan2(mouse.x - middle[0], middle[1] - mouse.y))) % 360
        self._draw_dial(middle, radius, degrees)
        return Turned(degrees, changed, done)

    def _draw_dial(self, middle: tuple[float, float], radius: float, degrees: float) -> None:
        gui = self.gui
        pencil, paint = gui.get_window_draw_list(), gui.get_color_u32
        pencil.add_circle_filled(middle, radius, paint(gui.Col_.frame_bg), 48)
        pencil.add_circle(middle, radius, paint(gui.Col_.border), 48, 1.0)
        for letter, at in zip("NESW", (0, 90, 180, 270), strict=True):
            wide = gui.calc_text_size(letter)
            x, y = _on_circle(middle, radius - 10, at)
            pencil.add_text((x - wide.x / 2, y - wide.y / 2), paint(gui.Col_.text_disabled), letter)
        tail, tip = _on_circle(middle, radius - 19, degrees), _on_circle(middle, radius - 19, degrees + 180)
        colour = paint(gui.Col_.slider_grab_active)
        pencil.add_line(tail, _on_circle(middle, radius - 26, degrees + 180), colour, 3.0)
        wings = [_on_circle(tip, 13, degrees + turn) for turn in (-28, 28)]
        pencil.add_triangle_filled(tip, wings[0], wings[1], colour)

    def _name(self, label: str) -> None:
        gui = self.gui
        gui.align_text_to_frame_padding()
        gui.text(label)
        gui.same_line(LABEL)
        gui.set_next_item_width(-1)


def _on_circle(middle: tuple[float, float], radius: float, degrees: float) -> tuple[float, float]:
    turn = math.radians(degrees)
    return middle[0] + radius * math.sin(turn), middle[1] - radius * math.cos(turn)
