"""Opening a scene or a plant in a desktop window, or as a widget in a notebook."""

import os
import sys
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from windflower.errors import GpuError, MissingExtraError
from windflower.scene import Progress
from windflower.scene.subjects import Named, settings_of
from windflower.viewer.interrupts import Interrupts
from windflower.viewer.session import Session
from windflower.viewer.window import Window

__all__ = ["no_display", "offscreen", "view", "widget"]

INSTEAD = "Use 'windflower render SCENE -o clip.mp4' to draw without a window."
MAX_FPS = 60  # frames per second


def no_display() -> str | None:
    """The reason why no window can be opened here, as a sentence; None if one can."""
    glfw = _glfw()
    linux = sys.platform.startswith("linux")
    if linux and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return f"a window needs a display; neither DISPLAY nor WAYLAND_DISPLAY is set. {INSTEAD}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        started = glfw.init()
    return (
        None if started else f"a window needs a display; '{os.environ.get('DISPLAY', '')}' does not answer. {INSTEAD}"
    )


def view(
    scene: Named = "walnut-in-a-breeze",
    *,
    size: tuple[int, int] = (1280, 720),
    seed: int = 1,
    allow: Iterable[str | os.PathLike[str]] = (),
    progress: Progress | None = None,
) -> None:
    """Open a window on a scene, and return when it is closed.

    scene     a scene, its settings, its name or its file; or a species or a plant's file, shown in a breeze
    size      width and height of the window, pixels
    seed      which specimen of a species
    allow     folders outside of its own from which a scene's file may name files
    progress  called until the window opens with what is being done, the number of steps done, and the number of steps

        windflower.view("silver-birch")
    """
    reason = no_display()
    if reason:
        raise GpuError(reason)
    session = Session(settings_of(scene, seed=seed, allow=allow), progress, allow=allow)
    with Interrupts() as interrupts:
        failure = _show(session, size, interrupts)
    if failure is not None:
        raise failure


def _show(session: Session, size: tuple[int, int], interrupts: Interrupts) -> Exception | None:
    """Show a session in a window until it is closed; returns the error that ended it, or None.

    Window and canvas end here: a traceback that kept them alive until Python itself ends would crash the driver.
    """
    from rendercanvas.glfw import RenderCanvas, loop

    title = f"{session.settings.title} – Windflower" if session.settings.title else "Windflower"
    canvas = RenderCanvas(size=size, title=title, update_mode="continuous", max_fps=MAX_FPS)
    window = Window(canvas, session)
    interrupts.run(loop, canvas.close)
    window.close()
    return window.failure


def offscreen(scene: Named, size: tuple[int, int], folder: Path) -> Window:
    """The same view on a canvas without a screen, to be measured: `canvas.draw()` draws a frame of it.

    folder  where what it records is put
    """
    from rendercanvas.offscreen import RenderCanvas

    return Window(RenderCanvas(size=size, pixel_ratio=1.0), Session(settings_of(scene), folder=folder))


def widget(
    scene: Named = "walnut-in-a-breeze",
    *,
    size: tuple[int, int] = (960, 540),
    allow: Iterable[str | os.PathLike[str]] = (),
) -> Any:
    """A widget for a notebook with the same view as `view`: make it the last line of a cell.

    scene, allow  as in `view`
    size          width and height, pixels
    """
    try:
        from rendercanvas.jupyter import RenderCanvas
    except ImportError:
        raise MissingExtraError("jupyter_rfb", "notebook") from None
    canvas = RenderCanvas(size=size, update_mode="continuous", max_fps=MAX_FPS)
    canvas.window = Window(canvas, Session(settings_of(scene, allow=allow), allow=allow))
    return canvas


def _glfw() -> Any:
    try:
        with Interrupts():  # Ctrl-C while imgui loads would abort the process
            import glfw
            import imgui_bundle  # noqa: F401 - reported here, before anything is built
    except ImportError as error:
        if error.path:  # it is installed, and a library of the system is not
            raise GpuError(
                f"a window needs its libraries; one cannot be loaded ({error}). On Debian or Ubuntu: apt-get install "
                f"libx11-6 libxext6. {INSTEAD}"
            ) from None
        raise MissingExtraError(error.name or "glfw", "view") from None
    return glfw
