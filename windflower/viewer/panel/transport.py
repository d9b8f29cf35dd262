"""What lies over the picture: the clock's buttons, statistics, what colours mean, and a line of words."""

from itertools import pairwise
from typing import Any

from windflower.motion.hybrid.branch_kinds import COLOURS, Kind
from windflower.viewer.panel.form import Form
from windflower.viewer.session import Session
from windflower.viewer.statistics import FrameStatistics
from windflower.viewer.view_state import BREAKING_STRAIN, SPEEDS

__all__ = ["clock_bar", "kinds_legend", "message_line", "statistics_box", "strain_scale"]

KINDS = {
    Kind.FIXED: "fixed",
    Kind.ANIMATED: "animated: by a formula",
    Kind.TRANSITION: "in transition",
    Kind.PHYSICAL: "physical",
    Kind.HELD: "held",
}
# The colours of paint.wgsl as a display shows them.
RAMP = ((0.15, 0.22, 0.51), (0.0, 0.55, 0.6), (0.31, 0.68, 0.25), (0.93, 0.77, 0.15), (0.88, 0.15, 0.1))


def clock_bar(form: Form, session: Session, room: tuple[float, float, float, float]) -> None:
    """Play, pause, step, reset and slow motion, at the foot of the picture."""
    gui, clock = form.gui, session.clock
    left, _, right, bottom = room
    # In a narrow window it may lie over the panel, but never outside.
    middle = min((left + right) / 2, right - 12 - form.clock_width / 2)
    gui.set_next_window_pos((middle, bottom - 12), gui.Cond_.always, (0.5, 1.0))
    _open(gui, "clock")
    if form.button("Pause" if clock.playing else "Play", width=64, tip="Space"):
        clock.playing = not clock.playing
    gui.same_line()
    if form.button("Step", tip="one step of 1/60 s (.)"):
        clock.step()
    gui.same_line()
    if form.button("Reset", tip="begin the motion again (Backspace)"):
        session.reset()
    gui.same_line()
    names = [f"{speed:g} ×" for speed in SPEEDS]
    gui.set_next_item_width(84)
    changed, new = gui.combo("##speed", SPEEDS.index(clock.speed), names)
    form.mark("playback speed", "playback speed")
    if changed:
        clock.speed = SPEEDS[new]
    gui.same_line()
    period = session.period
    if period is None:
        gui.align_text_to_frame_padding()
        gui.text(f"{clock.time:8.2f} s")
    else:
        gui.set_next_item_width(150)
        moved, time = gui.slider_float("##time", clock.time % period, 0.0, period, "%.2f s")
        form.mark("time", "drag it backwards and forwards")
        clock.time = time if moved else clock.time
    form.clock_width = gui.get_window_size().x
    gui.end()


def statistics_box(form: Form, statistics: FrameStatistics, room: tuple[float, float, float, float]) -> None:
    """Frames a second, times of passes, and counts, in the upper right corner."""
    gui = form.gui
    gui.set_next_window_pos((room[2] - 12, room[1] + 12), gui.Cond_.always, (1.0, 0.0))
    _open(gui, "statistics")
    for name, value in statistics.lines():
        gui.text_disabled(name)
        gui.same_line(118)
        gui.text(value)
    gui.end()


def strain_scale(form: Form, scale: float, room: tuple[float, float, float, float]) -> None:
    """The colours of the strain map with their numbers."""
    gui = form.gui
    gui.set_next_window_pos((room[2] - 12, room[3] - 12), gui.Cond_.always, (1.0, 1.0))
    _open(gui, "strain")
    gui.text("strain of the wood")
    corner, pencil = gui.get_cursor_screen_pos(), gui.get_window_draw_list()
    wide, high = 208.0, 12.0
    colours = [gui.color_convert_float4_to_u32((*colour, 1.0)) for colour in RAMP]
    for number, (one, other) in enumerate(pairwise(colours)):
        x = corner.x + number * wide / 4
        pencil.add_rect_filled_multi_color((x, corner.y), (x + wide / 4, corner.y + high), one, other, other, one)
    gui.dummy((wide, high))
    gui.text("0")
    gui.same_line(wide / 2 - 14)
    gui.text(f"{50 * scale:.2g} %")
    gui.same_line(wide - 40)
    gui.text(f"{100 * scale:.2g} %")
    gui.text_disabled(f"green wood breaks near {100 * BREAKING_STRAIN:.1f} %")
    gui.end()


def kinds_legend(form: Form, room: tuple[float, float, float, float]) -> None:
    """The colours of branches, and what moves those."""
    gui = form.gui
    gui.set_next_window_pos((room[2] - 12, room[3] - 12), gui.Cond_.always, (1.0, 1.0))
    _open(gui, "kinds")
    for kind, colour in COLOURS.items():
        corner, high = gui.get_cursor_screen_pos(), gui.get_text_line_height()
        shade = gui.color_convert_float4_to_u32((*colour, 1.0))
        gui.get_window_draw_list().add_rect_filled((corner.x, corner.y), (corner.x + 26, corner.y + high), shade)
        gui.dummy((26, high))
        gui.same_line()
        gui.text(KINDS[kind])
    gui.end()


def message_line(form: Form, text: str, room: tuple[float, float, float, float]) -> None:
    """A line of words at the top of the picture."""
    gui = form.gui
    width = min(room[2] - room[0] - 300, 620.0)
    if not text or width < 120:
        return
    gui.set_next_window_pos(((room[0] + room[2]) / 2, room[1] + 12), gui.Cond_.always, (0.5, 0.0))
    gui.set_next_window_size_constraints((0, 0), (width, 400))
    _open(gui, "message")
    gui.push_text_wrap_pos(width - 24)
    gui.text_unformatted(text)
    gui.pop_text_wrap_pos()
    gui.end()


def _open(gui: Any, name: str) -> None:
    flags = gui.WindowFlags_
    gui.begin(
        f"##{name}",
        None,
        flags.no_decoration
        | flags.always_auto_resize
        | flags.no_saved_settings
        | flags.no_focus_on_appearing
        | flags.no_nav
        | flags.no_move,
    )
