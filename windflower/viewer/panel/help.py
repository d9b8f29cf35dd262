"""Help over the picture: the welcome hint, and the list of all keys."""

from collections.abc import Sequence

from windflower.viewer.keys import GESTURES
from windflower.viewer.panel.form import Form
from windflower.viewer.session import Session

__all__ = ["key_list", "welcome"]

PRESS_WIDTH, COLUMN_WIDTH, WELCOME_WIDTH, MARGIN = 150.0, 420.0, 620.0, 12.0  # logical pixels


def welcome(form: Form, session: Session, left: float, right: float, bottom: float) -> None:
    """What to try first: a line above the clock, or several lines in a narrow window."""
    gui = form.gui
    gui.set_next_window_pos(((left + right) / 2, bottom), gui.Cond_.always, (0.5, 1.0))
    drag = ["Drag a branch to pull it", "drag elsewhere to orbit"] if session.can_be_held else ["Drag to orbit"]
    hints = [*drag, "G sends a gust", "F1 lists all keys"]
    with form.box("welcome", passive=True):
        gui.text(("   ·   " if right - left > WELCOME_WIDTH else "\n").join(hints))
        form.mark("welcome")


def key_list(form: Form, session: Session, size: tuple[float, float]) -> None:
    """All gestures and keys, in two columns where the window has room for them."""
    gui, headings = form.gui, tuple(GESTURES)
    gui.set_next_window_pos((size[0] / 2, size[1] / 2), gui.Cond_.always, (0.5, 0.5))
    gui.set_next_window_size_constraints((0, 0), (size[0] - 2 * MARGIN, size[1] - 2 * MARGIN))
    gui.set_next_window_bg_alpha(0.97)
    gui.set_next_window_focus()  # over the panel and the other boxes
    with form.box("keys", scrolls=True):
        columns = (headings[:3], headings[3:]) if size[0] >= 2 * COLUMN_WIDTH + 4 * MARGIN else (headings,)
        for number, column in enumerate(columns):
            if number:
                gui.same_line(COLUMN_WIDTH)
            _column(form, column)
        gui.spacing()
        if form.button("Close", tip="F1 or Escape"):
            session.display.keys = False


def _column(form: Form, headings: Sequence[str]) -> None:
    gui = form.gui
    gui.begin_group()
    for heading in headings:
        gui.text_disabled(heading)
        for press, does in GESTURES[heading]:
            gui.push_text_wrap_pos(gui.get_cursor_pos_x() + PRESS_WIDTH - MARGIN)
            gui.begin_group()
            gui.text_unformatted(press)
            gui.end_group()
            gui.pop_text_wrap_pos()
            gui.same_line(PRESS_WIDTH)
            gui.text_unformatted(does)
        gui.spacing()
    gui.end_group()
