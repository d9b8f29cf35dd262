"""Labelled controls of a property panel, label on the left and control on the right; and the theme."""

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["Edit", "Form", "apply_theme"]

LABEL_WIDTH, DIAL_SIZE, FONT_SIZE = 104.0, 84.0, 15.0  # logical pixels


class Edit(NamedTuple):
    """A number after this frame: its value, whether it changed, and whether its control was released."""

    value: float
    changed: bool
    done: bool


class Form:
    """Draws controls one below the other.

    rectangles  left, top, right and bottom of each control, logical pixels
    tips        hover text of each control
    """

    def __init__(self, gui: Any) -> None:
        self.gui = gui
        self.rectangles: dict[str, tuple[float, float, float, float]] = {}
        self.tips: dict[str, str] = {}

    @contextmanager
    def box(self, name: str, *, passive: bool = False, scrolls: bool = False) -> Iterator[None]:
        """A box over the picture, as large as its content; a passive one lets the pointer through."""
        flags = self.gui.WindowFlags_
        kind = flags.always_auto_resize | flags.no_saved_settings | flags.no_focus_on_appearing | flags.no_nav
        kind |= flags.no_title_bar | flags.no_resize | flags.no_collapse | flags.no_move
        kind |= (0 if scrolls else flags.no_scrollbar) | (flags.no_inputs if passive else 0)
        self.gui.begin(f"##{name}", None, kind)
        yield
        self.gui.end()

    def mark(self, label: str, tip: str = "") -> bool:
        """Record the rectangle of the latest control; returns whether it was released in this frame."""
        gui = self.gui
        low, high = gui.get_item_rect_min(), gui.get_item_rect_max()
        self.rectangles[label] = (low.x, low.y, high.x, high.y)
        self.tips[label] = tip
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
        tip: str,
        logarithmic: bool = False,
        name: str = "",
    ) -> Edit:
        """A slider for a number; `name` tells it from another one with the same label."""
        gui, name = self.gui, name or label
        self._label(label)
        flags = gui.SliderFlags_.always_clamp | (gui.SliderFlags_.logarithmic if logarithmic else 0)
        changed, new = gui.slider_float(f"##{name}", float(value), float(low), float(high), form, flags)
        return Edit(new, changed, self.mark(name, tip))

    def whole(self, label: str, value: int, low: int, high: int, *, tip: str) -> Edit:
        """A whole number, with buttons to raise and lower it."""
        self._label(label)
        changed, new = self.gui.input_int(f"##{label}", int(value), 1, 10)
        return Edit(min(max(new, low), high), changed, self.mark(label, tip) or changed)

    def choice(self, label: str, value: str, options: Sequence[str], *, tip: str) -> str | None:
        """A choice of one of several names; returns the new one when it changes, else None."""
        self._label(label)
        index = options.index(value) if value in options else -1
        changed, new = self.gui.combo(f"##{label}", index, list(options))
        self.mark(label, tip)
        return options[new] if changed else None

    def check(self, label: str, value: bool, *, tip: str) -> bool:
        """A checkbox; returns its new value."""
        _, new = self.gui.checkbox(label, value)
        self.mark(label, tip)
        return bool(new)

    def button(self, label: str, *, width: float = 0.0, tip: str) -> bool:
        """A button; returns whether it was pressed."""
        pressed = self.gui.button(label, (width, 0))
        self.mark(label, tip)
        return bool(pressed)

    def buttons(self, tips: Mapping[str, str]) -> str | None:
        """A row of buttons, by label with their tips, over the full width; returns the label of the pressed one."""
        gui, labels = self.gui, tuple(tips)
        gap = gui.get_style().item_spacing.x
        width = (gui.get_content_region_avail().x - gap * (len(labels) - 1)) / len(labels)
        pressed = None
        for number, label in enumerate(labels):
            if number:
                gui.same_line()
            pressed = label if self.button(label, width=width, tip=tips[label]) else pressed
        return pressed

    def subsection(self, label: str, *, tip: str, opened: bool = False) -> bool:
        """A part that can be collapsed; returns whether it is open. Then end it with `tree_pop`."""
        shown = self.gui.tree_node_ex(label, self.gui.TreeNodeFlags_.default_open if opened else 0)
        self.mark(label, tip)
        return bool(shown)

    def text(self, label: str, value: str, *, tip: str) -> str:
        """A text field; returns its new text."""
        self._label(label)
        _, new = self.gui.input_text(f"##{label}", value)
        self.mark(label, tip)
        return str(new)

    def dial(self, label: str, degrees: float) -> Edit:
        """A compass for the direction that the wind comes from, degrees; its needle points downwind."""
        gui, size = self.gui, DIAL_SIZE
        corner = gui.get_cursor_screen_pos()
        gui.invisible_button(f"##{label}", (size, size))
        done = self.mark(label, "where the wind comes from; drag to change it")
        middle, radius = (corner.x + size / 2, corner.y + size / 2), size / 2 - 2
        changed = gui.is_item_active()
        if changed:
            mouse = gui.get_io().mouse_pos
            degrees = round(math.degrees(math.atan2(mouse.x - middle[0], middle[1] - mouse.y))) % 360
        self._draw_dial(middle, radius, degrees)
        return Edit(degrees, changed, done)

    def _draw_dial(self, middle: tuple[float, float], radius: float, degrees: float) -> None:
        gui = self.gui
        draw_list, colour_of = gui.get_window_draw_list(), gui.get_color_u32
        draw_list.add_circle_filled(middle, radius, colour_of(gui.Col_.frame_bg), 48)
        draw_list.add_circle(middle, radius, colour_of(gui.Col_.border), 48, 1.0)
        for letter, at in zip("NESW", (0, 90, 180, 270), strict=True):
            wide = gui.calc_text_size(letter)
            x, y = _on_circle(middle, radius - 10, at)
            draw_list.add_text((x - wide.x / 2, y - wide.y / 2), colour_of(gui.Col_.text_disabled), letter)
        tail, tip = _on_circle(middle, radius - 19, degrees), _on_circle(middle, radius - 19, degrees + 180)
        colour = colour_of(gui.Col_.slider_grab_active)
        draw_list.add_line(tail, _on_circle(middle, radius - 26, degrees + 180), colour, 3.0)
        wings = [_on_circle(tip, 13, degrees + turn) for turn in (-28, 28)]
        draw_list.add_triangle_filled(tip, wings[0], wings[1], colour)

    def _label(self, label: str) -> None:
        gui = self.gui
        gui.align_text_to_frame_padding()
        gui.text(label)
        gui.same_line(LABEL_WIDTH)
        gui.set_next_item_width(-1)


def _on_circle(middle: tuple[float, float], radius: float, degrees: float) -> tuple[float, float]:
    turn = math.radians(degrees)
    return middle[0] + radius * math.sin(turn), middle[1] - radius * math.cos(turn)


def apply_theme(gui: Any) -> None:
    """Set font, spacing and colours of the current imgui context."""
    import imgui_bundle

    font = Path(imgui_bundle.__file__).parent / "assets" / "fonts" / "Roboto" / "Roboto-Regular.ttf"
    if font.exists():
        gui.get_io().fonts.add_font_from_file_ttf(str(font), FONT_SIZE)
    style = gui.get_style()
    style.window_rounding, style.frame_rounding, style.grab_rounding, style.popup_rounding = 7.0, 4.0, 4.0, 5.0
    style.window_border_size, style.scrollbar_size = 0.0, 11.0
    style.window_padding, style.frame_padding, style.item_spacing = (12, 10), (7, 3), (6, 5)
    style.indent_spacing = 12.0
    for name, colour in _colours().items():
        style.set_color_(getattr(gui.Col_, name), colour)


def _colours() -> dict[str, tuple[float, float, float, float]]:
    """RGBA of imgui's colours: dark and a little green."""
    leaf, deep = (0.47, 0.74, 0.36), (0.24, 0.38, 0.22)
    return {
        "text": (0.93, 0.95, 0.92, 1.0),
        "text_disabled": (0.66, 0.70, 0.65, 1.0),
        "window_bg": (0.075, 0.09, 0.075, 0.86),
        "popup_bg": (0.09, 0.11, 0.09, 0.97),
        "border": (1.0, 1.0, 1.0, 0.10),
        "frame_bg": (1.0, 1.0, 1.0, 0.08),
        "frame_bg_hovered": (1.0, 1.0, 1.0, 0.14),
        "frame_bg_active": (1.0, 1.0, 1.0, 0.18),
        "slider_grab": (*leaf, 0.85),
        "slider_grab_active": (*leaf, 1.0),
        "check_mark": (*leaf, 1.0),
        "button": (*deep, 0.85),
        "button_hovered": (0.32, 0.50, 0.28, 0.95),
        "button_active": (0.40, 0.62, 0.33, 1.0),
        "header": (1.0, 1.0, 1.0, 0.07),
        "header_hovered": (1.0, 1.0, 1.0, 0.13),
        "header_active": (1.0, 1.0, 1.0, 0.18),
        "title_bg": (0.06, 0.08, 0.06, 0.95),
        "title_bg_active": (0.09, 0.13, 0.09, 0.95),
        "separator": (1.0, 1.0, 1.0, 0.12),
        "scrollbar_bg": (0.0, 0.0, 0.0, 0.0),
        "scrollbar_grab": (1.0, 1.0, 1.0, 0.18),
    }
