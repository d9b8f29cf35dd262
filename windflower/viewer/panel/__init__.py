"""The panel beside the picture, and what lies over the picture. All of it is drawn anew in every frame (imgui)."""

from typing import Any

from windflower.viewer.panel.files import Names, files_part
from windflower.viewer.panel.form import Form
from windflower.viewer.panel.leaves import leaves_part
from windflower.viewer.panel.light import light_part
from windflower.viewer.panel.plants import plants_part
from windflower.viewer.panel.theme import dress
from windflower.viewer.panel.transport import clock_bar, kinds_legend, message_line, statistics_box, strain_scale
from windflower.viewer.panel.view import view_part
from windflower.viewer.panel.wind import wind_part
from windflower.viewer.recorder import Recorder
from windflower.viewer.session import Session
from windflower.viewer.statistics import FrameStatistics

__all__ = ["Panel"]

WIDTH = 316.0  # logical pixels
NARROWEST = 520.0  # a smaller window shows the picture only


class Panel:
    """Everything that a person can turn. `form.places` says where its controls are."""

    def __init__(self, gui: Any, session: Session, recorder: Recorder, statistics: FrameStatistics) -> None:
        self.gui, self.session, self.recorder, self.statistics = gui, session, recorder, statistics
        self.form, self._names = Form(gui), Names()
        dress(gui)

    def draw(self) -> None:
        """Draw it, between the start and the end of an imgui frame."""
        self.form.places.clear()
        size = self.gui.get_io().display_size
        if size.x < NARROWEST or size.y < 160 or not self.session.display.panel:
            return
        self._side(size.y)
        room = (WIDTH + 24, 0.0, size.x, size.y)
        clock_bar(self.form, self.session, room)
        message_line(self.form, self._words(), room)
        if self.session.display.statistics:
            statistics_box(self.form, self.statistics, room)
        if self.session.display.paint == "strain":
            strain_scale(self.form, self.session.display.strain_scale, room)
        if self.session.display.paint == "branches":
            kinds_legend(self.form, room)

    def _side(self, height: float) -> None:
        gui, flags = self.gui, self.gui.WindowFlags_
        gui.set_next_window_pos((12, 12))
        gui.set_next_window_size_constraints((WIDTH, 0), (WIDTH, height - 24))
        gui.begin(
            "##panel",
            None,
            flags.no_decoration & ~flags.no_scrollbar
            | flags.always_auto_resize
            | flags.no_move
            | flags.no_saved_settings,
        )
        gui.text(self.session.settings.title or "Windflower")
        self._part("Wind", lambda: wind_part(self.form, self.session), opened=True)
        self._part("Plants", lambda: plants_part(self.form, self.session))
        self._part("Leaves", lambda: leaves_part(self.form, self.session))
        self._part("Sun", lambda: light_part(self.form, self.session), opened=True)
        self._part("View", lambda: view_part(self.form, self.session))
        self._part("Files", lambda: files_part(self.form, self.session, self.recorder, self._names))
        gui.end()

    def _part(self, name: str, draw: Any, *, opened: bool = False) -> None:
        gui = self.gui
        shown = gui.collapsing_header(name, gui.TreeNodeFlags_.default_open if opened else 0)
        self.form.mark(name)
        if shown:
            gui.push_id(name)
            draw()
            gui.pop_id()
            gui.spacing()

    def _words(self) -> str:
        if self.session.builder.status:
            return self.session.builder.status
        return f"recording {self.recorder.path}" if self.recorder.recording else self.session.recent_message
