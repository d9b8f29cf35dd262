"""Opening a scene or a plant in a desktop window, or as a widget in a notebook."""

import os
import sys
import tomllib
import warnings
from pathlib import Path
from typing import Any

from windflower.core.table import nearest
from windflower.errors import FileError, GpuError, MissingExtraError
from windflower.mechanics.things import THINGS
from windflower.plant.species import species_names, species_of
from windflower.scene import Progress, SceneSettings, read_scene, scene_names
from windflower.scene.camera_table import OrbitCamera
from windflower.scene.ground import GroundSettings
from windflower.scene.stand_table import StandSettings
from windflower.scene.wind_table import WindSettings
from windflower.viewer.session import Session
from windflower.viewer.window import Window

__all__ = ["no_display", "open_window", "scene_or_plant", "widget"]

INSTEAD = "Use 'windflower render SCENE -o clip.mp4' to draw without a window."
WATER_CURRENT = WindSettings(speed=0.15, turbulence=1.0, gustiness=0.0)
MAX_FPS = 60  # frames per second


def scene_or_plant(name: str, *, seed: int = 1) -> SceneSettings:
    """A scene by name or file, or else a scene of one plant, by species, object or file, in a breeze or a current."""
    if name in scene_names() or (name.endswith(".toml") and not _describes_a_species(Path(name))):
        return read_scene(name)
    own = (*species_names(), *THINGS)
    if name not in own and not Path(name).is_file():
        known = (*scene_names(), *own)
        hint = nearest(name, known) or f"known are {', '.join(known)}."
        raise FileError(f"a viewer opens a scene, a species or a file; '{name}' is none of these; {hint}")
    plant = name if name in own else str(Path(name).resolve())
    stand = StandSettings(plant=plant, seed=seed, scale_variation=0.0, yaw_variation=0.0, stiffness_variation=0.0)
    title = name if name in own else Path(name).name
    underwater = stand.is_grown and species_of(stand.plant).habitat == "water"
    return SceneSettings(
        title=title,
        stands=(stand,),
        wind=WATER_CURRENT if underwater else WindSettings(preset="breeze"),
        ground=GroundSettings(kind="seabed" if underwater else "grass"),
        camera=OrbitCamera(kind="orbit", turn=0.0),
    )


def _describes_a_species(path: Path) -> bool:
    try:
        return "growth" in tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return False  # reading it as a scene will report why


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


def open_window(
    settings: SceneSettings, *, size: tuple[int, int] = (1280, 720), progress: Progress | None = None
) -> None:
    """Show a scene in a window until it is closed."""
    reason = no_display()
    if reason:
        raise GpuError(reason)
    session = Session(settings, progress)
    from rendercanvas.glfw import RenderCanvas, loop

    title = f"{settings.title} – Windflower" if settings.title else "Windflower"
    canvas = RenderCanvas(size=size, title=title, update_mode="continuous", max_fps=MAX_FPS)
    window = Window(canvas, session)
    loop.run()
    window.close()
    if window.failure is not None:
        raise window.failure


def widget(scene: str | SceneSettings = "walnut-in-a-breeze", *, size: tuple[int, int] = (960, 540)) -> Any:
    """A widget for a notebook with the same view: make it the last line of a cell."""
    try:
        from rendercanvas.jupyter import RenderCanvas
    except ImportError:
        raise MissingExtraError("jupyter_rfb", "notebook") from None
    settings = scene_or_plant(scene) if isinstance(scene, str) else scene
    canvas = RenderCanvas(size=size, update_mode="continuous", max_fps=MAX_FPS)
    canvas.window = Window(canvas, Session(settings))
    return canvas


def _glfw() -> Any:
    try:
        import glfw
        import imgui_bundle  # noqa: F401 - reported here, before anything is built
    except ImportError as error:
        raise MissingExtraError(error.name or "glfw", "view") from None
    return glfw
