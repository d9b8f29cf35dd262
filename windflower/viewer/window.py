"""A canvas that shows a session: events in, frames out. The canvas may be a window, a notebook's widget, or neither."""

import time
from collections.abc import Callable
from typing import Any

from windflower.core.device import Gpu, open_gpu
from windflower.errors import GpuError, WindflowerError
from windflower.viewer.blit import Blit
from windflower.viewer.controls import Controls
from windflower.viewer.panel import Panel
from windflower.viewer.recorder import Recorder
from windflower.viewer.session import Session
from windflower.viewer.statistics import FrameStatistics
from windflower.viewer.theatre import Theatre

__all__ = ["Window"]

SMALLEST = 8  # pixels along a side below which nothing is drawn
COARSE = 0.6  # resolution with which a software driver begins
OFTEN = 0.5  # s between readings of what passes take
EVENTS = ("pointer_down", "pointer_move", "pointer_up", "wheel", "key_down", "key_up", "close")


class Window:
    """Draws a session on a canvas of rendercanvas.

    now      a clock in seconds, for tests another
    failure  what went wrong in a frame and cannot be mended; the canvas is closed then
    """

    def __init__(
        self, canvas: Any, session: Session, *, gpu: Gpu | None = None, now: Callable[[], float] = time.perf_counter
    ) -> None:
        self.canvas, self.session, self._now = canvas, session, now
        self.recorder = Recorder(session.folder, session.settings.fps)
        self.statistics = FrameStatistics()
        self.controls = Controls(session, self.recorder)
        self.failure: Exception | None = None
        self._latest, self._timed, self._restarts = now(), float("-inf"), session.restarts
        self._use(gpu or open_gpu())
        canvas.add_event_handler(self._on_event, *EVENTS)
        canvas.request_draw(self.draw)

    def _use(self, gpu: Gpu) -> None:
        """Make everything that lives on the device."""
        from imgui_bundle import imgui
        from wgpu.utils.imgui import ImguiRenderer

        self.gpu = gpu
        if gpu.software:
            self.session.limit_quality("draft", COARSE)
        context = self.canvas.get_wgpu_context()
        form = context.get_preferred_format(gpu.device.adapter).removesuffix("-srgb")
        context.configure(device=gpu.device, format=form)
        self._context, self._blit = context, Blit(gpu, form)
        self._gui = ImguiRenderer(gpu.device, self.canvas)
        self.panel = Panel(imgui, self.session, self.recorder, self.statistics)
        self._gui.set_gui(self.panel.draw)
        self.theatre = Theatre(gpu, self.session.scene, self._picture_size(), self.session.display)

    def draw(self) -> None:
        """One frame."""
        self._guarded(self._frame)

    def _guarded(self, action: Callable[[], None]) -> None:
        """What a person can cause becomes a message, a lost device is replaced, the rest ends the window."""
        try:
            action()
        except WindflowerError as error:
            self.session.message = str(error)
        except Exception as error:
            if self.canvas.get_closed():  # an interrupt closes it in the middle of a frame
                return
            if not (_is_loss(error) and self._recovered()):
                self.failure = _told(error)
                self.canvas.close()

    def close(self) -> None:
        """End the clip and the background builds."""
        self.recorder.stop()
        self.session.builder.close()

    def _frame(self) -> None:
        size = self.canvas.get_physical_size()
        if min(size) < SMALLEST:
            return
        self.controls.size = self.canvas.get_logical_size()
        passed = self._passed()
        self.controls.tick(passed)
        begin = time.perf_counter()
        self._move(1 / self.recorder.fps if self.recorder.recording else passed)
        motion = time.perf_counter() - begin
        self._show()
        self.statistics.add(passed, motion)
        self.canvas.request_draw()

    def _passed(self) -> float:
        """Seconds since the last frame."""
        now = self._now()
        passed, self._latest = now - self._latest, now
        return passed

    def _move(self, seconds: float) -> None:
        """Let the session and the motion go on."""
        session, theatre = self.session, self.theatre
        session.tick(seconds)
        if session.restarts != self._restarts:
            self._restarts = session.restarts
            theatre.restart(session.scene)
        theatre.change(session.scene)
        theatre.advance(session.clock.time, session.clock.speed, session.hand, session.figure)

    def _show(self) -> None:
        """Draw the picture, then the panel over it."""
        session, theatre, now = self.session, self.theatre, self._now()
        timed = session.display.statistics and now - self._timed > OFTEN
        self._timed = now if timed else self._timed
        theatre.fit(self._picture_size())
        theatre.draw(session.camera, session.clock.time, session.hand, timed=timed)
        if self.recorder.listening:
            session.message = self.recorder.take(theatre.renderer.read()) or session.message
        statistics = self.statistics
        statistics.drawn, statistics.scene, statistics.passes = theatre.drawn, session.scene, theatre.passes
        if timed:
            statistics.branches = theatre.branches()
        self._blit.draw(theatre.renderer.picture, self._context.get_current_texture())
        self._gui.render()

    def _picture_size(self) -> tuple[int, int]:
        share = self.session.display.resolution
        width, height = (max(round(length * share), SMALLEST) for length in self.canvas.get_physical_size())
        most = 8192
        return min(width, most), min(height, most)

    def _recovered(self) -> bool:
        """Whether everything could be made again on a new device."""
        open_gpu.cache_clear()
        try:
            self._context.unconfigure()
            self._use(open_gpu())
            self._frame()
        except Exception:  # whatever the driver says now, the first loss is what to tell
            return False
        self.session.message = "the graphics device was lost; the scene goes on with a new one"
        return True

    def _on_event(self, event: dict[str, Any]) -> None:
        if event["event_type"] == "close":
            self.close()
        else:
            self._guarded(lambda: self.controls.handle(event, self.theatre))
            self.canvas.request_draw()


def _is_loss(error: Exception) -> bool:
    """Whether an error of wgpu says that the device is gone."""
    return _is_wgpu(error) and "lost" in str(error).lower()


def _is_wgpu(error: Exception) -> bool:
    return type(error).__module__.startswith("wgpu")


def _told(error: Exception) -> Exception:
    """What a driver says, in a line; a mistake of ours as it is."""
    line = " ".join(str(error).split())
    return GpuError(f"the graphics driver gave up: {line[:200]}. Try a smaller scene.") if _is_wgpu(error) else error
