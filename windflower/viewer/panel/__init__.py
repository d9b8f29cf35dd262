"""The control panel beside the picture and the boxes over it (immediate-mode GUI with imgui)."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, TypeAlias

from windflower.motion.hybrid.branch_kinds import COLOURS, Kind
from windflower.viewer.panel.form import Form, apply_theme
from windflower.viewer.panel.help import key_list, welcome
from windflower.viewer.panel.plant_sections import leaves_section, plants_section
from windflower.viewer.panel.scene_sections import files_section, sun_section, view_section, wind_section
from windflower.viewer.recorder import Recorder
from windflower.viewer.session import Session
from windflower.viewer.statistics import FrameStatistics
from windflower.viewer.view_state import BREAKING_STRAIN, SPEEDS

__all__ = ["Panel"]

Rectangle: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom, logical pixels."""

PANEL_WIDTH = 316.0  # logical pixels
MIN_WIDTH, MIN_HEIGHT = 520.0, 160.0  # logical pixels; a smaller window shows the picture only
BRANCH_KINDS = {
    Kind.FIXED: "fixed",
    Kind.ANIMATED: "animated: by a formula",
    Kind.TRANSITION: "in transition",
    Kind.PHYSICAL: "physical",
    Kind.HELD: "held",
}
# The colours of paint.wgsl as a display shows them.
STRAIN_COLOURS = ((0.15, 0.22, 0.51), (0.0, 0.55, 0.6), (0.31, 0.68, 0.25), (0.93, 0.77, 0.15), (0.88, 0.15, 0.1))


class Panel:
    """All controls of a window. `form.rectangles` says where they are."""

    def __init__(self, gui: Any, session: Session, recorder: Recorder, statistics: FrameStatistics) -> None:
        self.gui, self.session, self.recorder, self.statistics = gui, session, recorder, statistics
        self.form, self._scene_file, self._clock_width = Form(gui), "scene.toml", 0.0
        apply_theme(gui)

    def draw(self) -> None:
        """Draw everything, between the start and the end of an imgui frame."""
        self.form.rectangles.clear()
        self.form.tips.clear()
        size, display = self.gui.get_io().display_size, self.session.display
        if size.x >= MIN_WIDTH and size.y >= MIN_HEIGHT and display.panel:
            self._draw_panel(size.y)
            self._draw_boxes((PANEL_WIDTH + 24, 0.0, size.x, size.y))
        if display.keys:
            key_list(self.form, self.session, (size.x, size.y))
        if not self.gui.is_any_item_active():
            self.session.record_edit()

    def _draw_boxes(self, picture: Rectangle) -> None:
        display = self.session.display
        self._clock_width = clock_bar(self.form, self.session, picture, self._clock_width)
        message_line(self.form, self._message(), picture)
        if display.statistics:
            statistics_box(self.form, self.statistics, picture)
        if display.paint == "strain":
            strain_legend(self.form, display.strain_scale, picture)
        if display.paint == "branches":
            branches_legend(self.form, picture)
        if self.session.is_new:
            welcome(self.form, self.session, picture[0], picture[2], picture[3] - 64)

    def _draw_panel(self, height: float) -> None:
        gui, flags = self.gui, self.gui.WindowFlags_
        gui.set_next_window_pos((12, 12))
        gui.set_next_window_size_constraints((PANEL_WIDTH, 0), (PANEL_WIDTH, height - 24))
        gui.begin(
            "##panel",
            None,
            flags.no_decoration & ~flags.no_scrollbar
            | flags.always_auto_resize
            | flags.no_move
            | flags.no_saved_settings,
        )
        gui.text(self.session.settings.title or "Windflower")
        self._changes()
        form, session = self.form, self.session
        self._section("Wind", lambda: wind_section(form, session), tip="direction, speed and gusts", opened=True)
        self._section("Plants", lambda: plants_section(form, session), tip="species, growth and motion")
        self._section("Leaves", lambda: leaves_section(form, session), tip="season, flutter and shedding")
        self._section("Sun", lambda: sun_section(form, session), tip="time of day and clouds", opened=True)
        self._section("View", lambda: view_section(form, session), tip="camera, colours, overlays and quality")
        self._section("Files", self._files, tip="scenes, pictures and clips")
        gui.end()

    def _changes(self) -> None:
        """Undo, redo, and the list of keys."""
        gui, form, session = self.gui, self.form, self.session
        width = (gui.get_content_region_avail().x - 2 * gui.get_style().item_spacing.x) / 3
        for label, usable, act, tip in (
            ("Undo", session.history.can_undo, session.undo, "the latest change in this panel (Ctrl Z)"),
            ("Redo", session.history.can_redo, session.redo, "the change that was undone (Ctrl Shift Z)"),
            ("Keys", True, lambda: setattr(session.display, "keys", True), "all keys and what the pointer does (F1)"),
        ):
            gui.begin_disabled(not usable)
            if form.button(label, width=width, tip=tip):
                act()
            gui.end_disabled()
            if label != "Keys":
                gui.same_line()

    def _section(self, name: str, draw: Callable[[], None], *, tip: str, opened: bool = False) -> None:
        """A section under a header that collapses it."""
        gui = self.gui
        shown = gui.collapsing_header(name, gui.TreeNodeFlags_.default_open if opened else 0)
        self.form.mark(name, tip)
        if shown:
            gui.push_id(name)
            draw()
            gui.pop_id()

    def _files(self) -> None:
        self._scene_file = files_section(self.form, self.session, self.recorder, self._scene_file)

    def _message(self) -> str:
        if self.session.builder.status:
            return self.session.builder.status
        return f"recording {self.recorder.path}" if self.recorder.recording else self.session.recent_message


def clock_bar(form: Form, session: Session, picture: Rectangle, width: float) -> float:
    """Playback controls and the time, at the bottom of the picture; returns the width of the bar.

    width  of the bar in the last frame
    """
    gui = form.gui
    left, _, right, bottom = picture
    # In a narrow window the bar may cover the panel, but it never leaves the window.
    middle = min((left + right) / 2, right - 12 - width / 2)
    gui.set_next_window_pos((middle, bottom - 12), gui.Cond_.always, (0.5, 1.0))
    with form.box("clock"):
        _playback(form, session)
        gui.same_line()
        _time(form, session)
        return float(gui.get_window_size().x)


def _playback(form: Form, session: Session) -> None:
    """Play, pause, step, reset and playback speed."""
    gui, clock = form.gui, session.clock
    if form.button("Pause" if clock.playing else "Play", width=64, tip="the motion (Space)"):
        clock.playing = not clock.playing
    gui.same_line()
    if form.button("Step", tip="one step of 1/60 s (.)"):
        clock.step()
    gui.same_line()
    if form.button("Reset", tip="restart the motion (Backspace)"):
        session.reset()
    gui.same_line()
    gui.set_next_item_width(84)
    changed, new = gui.combo("##speed", SPEEDS.index(clock.speed), [f"{speed:g} ×" for speed in SPEEDS])
    form.mark("playback speed", "playback speed")
    if changed:
        clock.speed = SPEEDS[new]


def _time(form: Form, session: Session) -> None:
    """The time of the motion; a slider if all motion repeats."""
    gui, clock, period = form.gui, session.clock, session.period
    if period is None:
        gui.align_text_to_frame_padding()
        gui.text(f"{clock.time:8.2f} s")
    else:
        gui.set_next_item_width(150)
        moved, time = gui.slider_float("##time", clock.time % period, 0.0, period, "%.2f s")
        form.mark("time", "drag it backwards and forwards")
        clock.time = time if moved else clock.time


def statistics_box(form: Form, statistics: FrameStatistics, picture: Rectangle) -> None:
    """Frame rate, times of passes and counts, in the upper right corner."""
    gui = form.gui
    gui.set_next_window_pos((picture[2] - 12, picture[1] + 12), gui.Cond_.always, (1.0, 0.0))
    with form.box("statistics"):
        for name, value in statistics.lines():
            gui.text_disabled(name)
            gui.same_line(118)
            gui.text(value)


def strain_legend(form: Form, scale: float, picture: Rectangle) -> None:
    """The colours of the strain map and their strains."""
    gui = form.gui
    gui.set_next_window_pos((picture[2] - 12, picture[3] - 12), gui.Cond_.always, (1.0, 1.0))
    with form.box("strain"):
        gui.text("strain of the wood")
        corner, draw_list = gui.get_cursor_screen_pos(), gui.get_window_draw_list()
        width, height = 208.0, 12.0
        colours = [gui.color_convert_float4_to_u32((*colour, 1.0)) for colour in STRAIN_COLOURS]
        for number, (left, right) in enumerate(pairwise(colours)):
            x = corner.x + number * width / 4
            low, high = (x, corner.y), (x + width / 4, corner.y + height)
            draw_list.add_rect_filled_multi_color(low, high, left, right, right, left)
        gui.dummy((width, height))
        gui.text("0")
        gui.same_line(width / 2 - 14)
        gui.text(f"{50 * scale:.2g} %")
        gui.same_line(width - 40)
        gui.text(f"{100 * scale:.2g} %")
        gui.text_disabled(f"green wood breaks near {100 * BREAKING_STRAIN:.1f} %")


def branches_legend(form: Form, picture: Rectangle) -> None:
    """The colours of branches by what moves them."""
    gui = form.gui
    gui.set_next_window_pos((picture[2] - 12, picture[3] - 12), gui.Cond_.always, (1.0, 1.0))
    with form.box("branches"):
        for kind, colour in COLOURS.items():
            corner, high = gui.get_cursor_screen_pos(), gui.get_text_line_height()
            shade = gui.color_convert_float4_to_u32((*colour, 1.0))
            gui.get_window_draw_list().add_rect_filled((corner.x, corner.y), (corner.x + 26, corner.y + high), shade)
            gui.dummy((26, high))
            gui.same_line()
            gui.text(BRANCH_KINDS[kind])


def message_line(form: Form, text: str, picture: Rectangle) -> None:
    """A message at the top of the picture."""
    gui = form.gui
    width = min(picture[2] - picture[0] - 300, 620.0)
    if not text or width < 120:
        return
    gui.set_next_window_pos(((picture[0] + picture[2]) / 2, picture[1] + 12), gui.Cond_.always, (0.5, 0.0))
    gui.set_next_window_size_constraints((0, 0), (width, 400))
    with form.box("message"):
        gui.push_text_wrap_pos(width - 24)
        gui.text_unformatted(text)
        gui.pop_text_wrap_pos()
