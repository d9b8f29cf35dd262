"""Sections of the panel about wind, sun, view and files."""

from windflower.render.quality import QUALITIES
from windflower.scene import scene_names
from windflower.scene.subject_names import EVERYTHING
from windflower.viewer.panel.form import Form
from windflower.viewer.recorder import Recorder
from windflower.viewer.session import Session
from windflower.viewer.view_state import PAINTS, SHADOWS
from windflower.wind import PRESETS, beaufort_of, beaufort_speed

__all__ = ["files_section", "sun_section", "view_section", "wind_section"]

MAX_SPEED = 60.0  # m/s
COMPASS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
ORBIT, WALK, SCENE = CAMERAS = ("orbit", "walk", "scene camera")


def wind_section(form: Form, session: Session) -> None:
    """Direction and speed, presets, turbulence, gusts."""
    gui, wind = form.gui, session.settings.wind
    edit = form.dial("direction", wind.direction)
    if edit.changed and edit.value != wind.direction:
        session.set_wind(direction=edit.value)
    gui.same_line()
    gui.begin_group()
    _speed(form, session)
    gui.end_group()
    name = form.buttons({preset: _preset_tip(preset) for preset in PRESETS})
    if name:
        session.set_wind(preset=name)
    if wind.file is None:
        _fluctuations(form, session)
    if session.forest_wind is not None:
        own = form.check("the forest's own wind", session.forest_wind, tip="calm among the trees, gusty over them")
        if own != session.forest_wind:
            session.set_wind(canopy=None if own else False)
    if form.button("Send a gust", width=-1, tip="a gust crosses the scene (G)"):
        session.send_gust()
    display = session.display
    display.arrows = form.check("arrows in the scene", display.arrows, tip="the longer, the stronger the wind (O)")
    form.gui.same_line()
    _grid(form, session)


def _preset_tip(preset: str) -> str:
    """Strength of a preset on Beaufort's scale."""
    number = PRESETS[preset]
    return f"Beaufort {number}, {beaufort_speed(number):.0f} m/s"


def _speed(form: Form, session: Session) -> None:
    gui, wind = form.gui, session.settings.wind
    speed = wind.mean_speed
    if speed is None:
        gui.text_wrapped(f"recorded: {wind.file}")
        return
    number, name = beaufort_of(speed)
    gui.text(f"Beaufort {number}")
    gui.text_disabled(name)
    gui.set_next_item_width(-1)
    flags = gui.SliderFlags_.always_clamp
    changed, new = gui.slider_float("##speed", speed, 0.0, MAX_SPEED, "%.1f m/s", flags | gui.SliderFlags_.logarithmic)
    form.mark("speed", "mean wind speed 10 m above the ground")
    if changed:
        session.set_wind(speed=round(new, 2))
    gui.text_disabled(f"from {wind.direction:.0f}° {COMPASS[round(wind.direction / 45) % 8]}")


def _fluctuations(form: Form, session: Session) -> None:
    wind = session.settings.wind
    for label, key, high, shape, tip in (
        ("turbulence", "turbulence", 1.0, "%.2f", "standard deviation, relative to the mean speed"),
        ("gust strength", "gustiness", 1.2, "%.2f", "relative to the mean speed"),
        ("gust interval", "gust_interval", 60.0, "%.0f s", "mean time from gust to gust"),
        ("gust duration", "gust_duration", 20.0, "%.1f s", "from arrival to end at a place"),
    ):
        low = 0.0 if high < 2 else 1.0
        edit = form.slider(label, getattr(wind, key), low, high, shape, tip=tip)
        if edit.changed:
            session.set_wind(**{key: round(edit.value, 3)})


def _grid(form: Form, session: Session) -> None:
    """The wind read from a grid of velocity functions, or at every place itself."""
    grid = session.settings.wind.grid
    wanted = form.check("read from a grid", grid is not None, tip="all winds are summed at the points of a grid")
    if wanted != (grid is not None):
        session.set_wind(grid={} if wanted else None)
    if grid is None or not wanted:
        return
    spacing = form.slider("grid spacing", grid.spacing, 0.25, 5.0, "%.2f m", tip="what is smaller is not felt")
    reading = form.choice("grid reading", grid.reading, ("linear", "nearest"), tip="nearest is the paper's")
    if spacing.changed or reading:
        now = {"spacing": round(spacing.value, 2), "reading": reading or grid.reading}
        session.set_wind(grid={**grid.model_dump(), **now})


def sun_section(form: Form, session: Session) -> None:
    """Time of day, latitude, clouds, and how fast the hours pass."""
    sun = session.settings.sun
    hour = form.slider("time of day", sun.hour, 0.0, 24.0, _time(sun.hour), tip="the sun stands highest at 12:00")
    if hour.changed:
        session.set_sun(hour=round(hour.value, 3))
    latitude = form.slider("latitude", sun.latitude, -66.0, 66.0, "%.0f°", tip="degrees north")
    if latitude.changed:
        session.set_sun(latitude=round(latitude.value, 1))
    clouds = form.slider("clouds", sun.clouds, 0.0, 1.0, tip="share of the sky that they cover")
    if clouds.changed:
        session.set_sun(clouds=round(clouds.value, 2))
    pace = form.slider("hours / s", sun.pace, 0.0, 4.0, "%.2f", tip="how fast the hours pass; 0 stops the sun")
    if pace.changed and sun.azimuth is None:
        session.set_sun(pace=round(pace.value, 2))


def _time(hour: float) -> str:
    """An hour of the day as hours and minutes."""
    minutes = round(hour * 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def view_section(form: Form, session: Session) -> None:
    """Camera, colours, overlays, quality."""
    display = session.display
    _camera(form, session)
    display.paint = (
        form.choice("colours", display.paint, PAINTS, tip="strain: where wood would break; branches: what moves them")
        or display.paint
    )
    if display.paint == "strain":
        scale = form.slider(
            "strain scale", 100 * display.strain_scale, 0.02, 1.0, "%.2f %%", logarithmic=True, tip="shown in red"
        )
        display.strain_scale = scale.value / 100
    display.skeleton = form.check("skeleton", display.skeleton, tip="the nodes and segments that move (K)")
    form.gui.same_line(150)
    display.statistics = form.check("statistics", display.statistics, tip="frame rate, times and counts")
    display.disks = form.check("wind disks", display.disks, tip="as circles on the ground (C)")
    display.shadows = (
        form.choice("shadows", display.shadows, SHADOWS, tip="planar is quicker, on level ground only")
        or display.shadows
    )
    display.quality = (
        form.choice("quality", display.quality, QUALITIES, tip="triangles, samples and shadows; draft is the quickest")
        or display.quality
    )
    size = form.slider(
        "resolution", 100 * display.resolution, 20.0, 100.0, "%.0f %%", tip="of the picture, relative to the window"
    )
    if size.done:
        display.resolution = round(size.value) / 100
    elif size.changed:
        form.gui.set_item_tooltip("release to apply")


def _camera(form: Form, session: Session) -> None:
    now = SCENE if not session.moved else WALK if session.walking else ORBIT
    chosen = form.choice("camera", now, CAMERAS, tip="V walks, F follows the scene's camera")
    if chosen == SCENE:
        session.follow()
    elif chosen:
        session.look(session.camera)
        session.walk(chosen == WALK)
    tips = {"Fit all": "so that all plants fill the picture (Home)", "Fit these": "to the plants chosen above (Z)"}
    pressed = form.buttons(tips)
    if pressed:
        session.frame(EVERYTHING) if pressed == "Fit all" else session.frame_selected()
    wide = session.camera.field_of_view
    angle = form.slider("field of view", wide, 10.0, 100.0, "%.0f°", tip="vertical angle of the camera")
    if angle.changed:
        session.set_field_of_view(angle.value)


def files_section(form: Form, session: Session, recorder: Recorder, file: str) -> str:
    """Scene files, pictures and clips; returns the name of the scene file as typed so far."""
    file = form.text("scene file", file, tip="name of a file in the folder where you started")
    pressed = form.buttons({"Save": "the scene with all changes and this camera", "Open": "this scene file"})
    if pressed == "Save":
        session.save(file)
    elif pressed == "Open":
        session.open(file)
    chosen = form.choice("scenes", "", scene_names(), tip="scenes that come with Windflower")
    if chosen:
        session.open(chosen)
    recording = "Stop recording" if recorder.recording else "Record a clip"
    clip = "a numbered .mp4 of the picture (R)"
    pressed = form.buttons(
        {"Take a picture": "a numbered .png at the window's full size and best quality (P)", recording: clip}
    )
    if pressed == "Take a picture":
        recorder.wanted = True
    elif pressed:
        recorder.toggle()
    return file
