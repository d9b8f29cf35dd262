"""A window that shows a session: events in, frames out. Its canvas may be a desktop window, a widget, or offscreen."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from windflower.core.device import Gpu, open_gpu
from windflower.core.shaders import shader_module
from windflower.errors import GpuError, WindflowerError
from windflower.viewer.input import InputHandler
from windflower.viewer.live_scene import LiveScene
from windflower.viewer.pace import Pace
from windflower.viewer.panel import Panel
from windflower.viewer.recorder import Recorder
from windflower.viewer.session import Session
from windflower.viewer.statistics import FrameStatistics

__all__ = ["Window"]

MIN_SIZE, MAX_SIZE = 8, 8192  # least and most pixels along a side of the picture; smaller windows draw nothing
PICTURE_QUALITY = "best"  # of saved pictures
TIMING_INTERVAL = 0.5  # s between readings of the passes' times
EVENTS = ("pointer_down", "pointer_move", "pointer_up", "double_click", "wheel", "key_down", "key_up", "close")


class Window:
    """Draws a session on a canvas of rendercanvas.

    now      function that returns the real time, s; tests pass their own
    failure  the error that ended the window, or None
    """

    def __init__(
        self, canvas: Any, session: Session, *, gpu: Gpu | None = None, now: Callable[[], float] = time.perf_counter
    ) -> None:
        self.canvas, self.session, self._now = canvas, session, now
        self.recorder = Recorder(session.folder, session.settings.fps)
        self.statistics = FrameStatistics()
        self.input = InputHandler(session, self.recorder)
        self.failure: Exception | None = None
        self.pace = Pace()
        self._latest_frame, self._latest_timing = now(), float("-inf")
        self._restarts, self._announced = session.restarts, False
        self._camera_moves, self._camera = False, np.zeros(6)
        self._set_device(gpu or open_gpu())
        canvas.add_event_handler(self._on_event, *EVENTS)
        canvas.request_draw(self.draw)

    def _set_device(self, gpu: Gpu) -> None:
        """Create everything that lives on the device."""
        from imgui_bundle import imgui
        from wgpu.utils.imgui import ImguiRenderer

        self.gpu = gpu
        if gpu.software:
            self.session.limit_quality("draft")
        context = self.canvas.get_wgpu_context()
        format_ = context.get_preferred_format(gpu.device.adapter).removesuffix("-srgb")
        context.configure(device=gpu.device, format=format_)
        self._context, self._blit = context, Blit(gpu, format_)
        self._gui = ImguiRenderer(gpu.device, self.canvas)
        self.panel = Panel(imgui, self.session, self.recorder, self.statistics)
        self._gui.set_gui(self.panel.draw)
        self.live = LiveScene(gpu, self.session.scene, self._picture_size(), self.session.display)

    def draw(self) -> None:
        """Draw one frame."""
        with self._guarded():
            self._frame()

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        """Turn errors of the package into messages, replace a lost device, and end the window with any other error."""
        try:
            yield
        except WindflowerError as error:
            self.session.message = str(error)
        except Exception as error:
            if self.canvas.get_closed():  # an interrupt closes it in the middle of a frame
                return
            if not (_is_loss(error) and self._recovered()):
                self.failure = _one_line(error)
                self.canvas.close()

    def close(self) -> None:
        """End the clip and the background builds; a clip that could not be written is the window's failure."""
        try:
            self.recorder.stop()
        except WindflowerError as error:
            self.failure = self.failure or error
        self.session.builder.close()

    def _frame(self) -> None:
        size = self.canvas.get_physical_size()
        if min(size) < MIN_SIZE:
            return
        self.input.size = self.canvas.get_logical_size()
        self.session.aspect = size[0] / size[1]
        elapsed = self._elapsed()
        if self.gpu.software and self._in_motion and not self.recorder.recording:
            self.pace.add(elapsed)
        self.input.tick(elapsed)
        begin = time.perf_counter()
        self._move(1 / self.recorder.fps if self.recorder.recording else elapsed)
        motion = time.perf_counter() - begin
        self._show()
        self._save_picture()
        self.statistics.add(elapsed, motion)
        self.canvas.request_draw()

    @property
    def _in_motion(self) -> bool:
        """Whether the picture changes: the scene plays, or the camera moves."""
        return self.session.clock.playing or self._camera_moves

    def _elapsed(self) -> float:
        """Real time since the last frame, s."""
        now = self._now()
        elapsed, self._latest_frame = now - self._latest_frame, now
        return elapsed

    def _move(self, seconds: float) -> None:
        """Advance the session and the simulation by real time, s."""
        session, live = self.session, self.live
        session.tick(seconds)
        if session.restarts != self._restarts:
            self._restarts = session.restarts
            live.restart(session.scene)
        session.scene, session.hand = live.follow(session.scene, session.camera.view, session.hand)
        live.change(session.scene)
        live.remember(session.camera, session.clock.time)
        live.advance(session.clock.time, session.clock.speed, session.hand, session.figure)

    def _show(self) -> None:
        """Draw the picture, then the panel over it."""
        session, live, now = self.session, self.live, self._now()
        timed = session.display.statistics and now - self._latest_timing > TIMING_INTERVAL
        self._latest_timing = now if timed else self._latest_timing
        view = session.camera.view
        place = np.concatenate([view.eye, view.target])
        self._camera_moves, self._camera = not np.array_equal(place, self._camera), place
        live.fit(self._picture_size(), self._share)
        live.draw(session.camera, session.clock.time, session.hand, timed=timed)
        if self.recorder.recording:
            session.message = self.recorder.record(live.renderer.read()) or session.message
        statistics = self.statistics
        statistics.drawn, statistics.scene, statistics.passes = live.frame, session.scene, live.passes
        if timed:
            statistics.counts = live.counts()
        self._blit.draw(live.renderer.picture, self._context.get_current_texture())
        self._gui.render()

    def _save_picture(self) -> None:
        """Save the view at the window's full size and the best quality, if a picture is wanted.

        It takes longer than a frame, seconds without a graphics card, so one frame that says so comes before it.
        """
        session = self.session
        if not self.recorder.wanted:
            return
        size = self._picture_size(full=True)
        if not self._announced:
            session.message, self._announced = f"drawing a picture of {size[0]}×{size[1]} pixels …", True
            return
        self.recorder.wanted = self._announced = False  # also if it fails
        camera, time, hand = session.camera, session.clock.time, session.hand
        picture = self.live.picture(camera, time, hand, size, PICTURE_QUALITY)
        session.message = self.recorder.save(picture)
        self._latest_frame = self._now()  # the motion does not jump by the time that this took

    @property
    def _share(self) -> float:
        """Share of the usual resolution at which a slow machine draws what moves."""
        return self.pace.factor if self._in_motion else 1.0

    def _picture_size(self, *, full: bool = False) -> tuple[int, int]:
        """Width and height of the picture, pixels; `full` is the window's own size."""
        resolution = 1.0 if full else self.session.display.resolution * self._share
        width, height = (round(length * resolution) for length in self.canvas.get_physical_size())
        return min(max(width, MIN_SIZE), MAX_SIZE), min(max(height, MIN_SIZE), MAX_SIZE)

    def _recovered(self) -> bool:
        """Recreate everything on a new device; returns whether that worked."""
        open_gpu.cache_clear()
        try:
            self._context.unconfigure()
            self._set_device(open_gpu())
            self._frame()
        except Exception:  # the first error is the one to report
            return False
        self.session.message = "the graphics device was lost; the scene goes on with a new one"
        return True

    def _on_event(self, event: dict[str, Any]) -> None:
        if event["event_type"] == "close":
            self.close()
        else:
            with self._guarded():
                self.input.handle(event, self.live)
            self.canvas.request_draw()


def _is_loss(error: Exception) -> bool:
    """Whether an error of wgpu says that the device is gone."""
    return _is_wgpu(error) and "lost" in str(error).lower()


def _is_wgpu(error: Exception) -> bool:
    return type(error).__module__.startswith("wgpu")


def _one_line(error: Exception) -> Exception:
    """A driver's error as one sentence; any other error as it is."""
    line = " ".join(str(error).split())
    return GpuError(f"the graphics driver failed: {line[:200]}. Try a smaller scene.") if _is_wgpu(error) else error


class Blit:
    """Full-screen blit of a texture to a target of this format, scaled to its size."""

    def __init__(self, gpu: Gpu, target_format: str) -> None:
        self.gpu = gpu
        self._sampler = gpu.device.create_sampler(mag_filter="linear", min_filter="linear")
        module = shader_module(gpu, "viewer/blit.wgsl")
        constants, target = {"LINEAR": int(target_format.endswith("-srgb"))}, {"format": target_format}
        self._pipeline = gpu.device.create_render_pipeline(
            label="blit",
            layout="auto",
            vertex={"module": module, "entry_point": "vs_view"},
            primitive={"topology": "triangle-list"},
            fragment={"module": module, "entry_point": "fs_view", "constants": constants, "targets": [target]},
        )

    def draw(self, picture: Any, target: Any) -> None:
        """Blit a picture to a target."""
        resources = [picture.create_view(), self._sampler]
        group = self.gpu.device.create_bind_group(
            layout=self._pipeline.get_bind_group_layout(0),
            entries=[{"binding": number, "resource": item} for number, item in enumerate(resources)],
        )
        encoder = self.gpu.device.create_command_encoder()
        attachment = {"view": target.create_view(), "resolve_target": None, "clear_value": (0, 0, 0, 1)}
        attachment |= {"load_op": "clear", "store_op": "store"}
        blit_pass = encoder.begin_render_pass(color_attachments=[attachment])
        blit_pass.set_pipeline(self._pipeline)
        blit_pass.set_bind_group(0, group)
        blit_pass.draw(3)
        blit_pass.end()
        self.gpu.queue.submit([encoder.finish()])
