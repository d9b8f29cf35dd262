"""The panel's part about wind."""

from windflower.viewer.panel.form import Form
from windflower.viewer.session import Session
from windflower.wind import PRESETS, beaufort_of

__all__ = ["wind_part"]

FASTEST = 60.0  # m/s
QUARTERS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")


def wind_part(form: Form, session: Session) -> None:
    """Direction and speed, turbulence, gusts, presets."""
    gui, wind = form.gui, session.settings.wind
    turned = form.dial("direction", wind.direction)
    if turned.changed and turned.value != wind.direction:
        session.set_wind(direction=turned.value)
    gui.same_line()
    gui.begin_group()
    _speed(form, session)
    gui.end_group()
    name = form.buttons(tuple(PRESETS))
    if name:
        session.set_wind(preset=name)
    if wind.file is None:
        _fluctuations(form, session)
    if form.button("Send a gust", width=-1, tip="one gust that crosses the scene (G)"):
        session.send_gust()
    session.display.arrows = form.check(
        "arrows in the scene", session.display.arrows, tip="as long as the wind is strong"
    )


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
    changed, new = gui.slider_float("##speed", speed, 0.0, FASTEST, "%.1f m/s", flags | gui.SliderFlags_.logarithmic)
    form.mark("speed", "mean wind 10 m above the ground")
    if changed:
        session.set_wind(speed=round(new, 2))
    gui.text_disabled(f"from {wind.direction:.0f}° {QUARTERS[round(wind.direction / 45) % 8]}")


def _fluctuations(form: Form, session: Session) -> None:
    wind = session.settings.wind
    for label, key, high, shape, tip in (
        ("turbulence", "turbulence", 1.0, "%.2f", "standard deviation over mean speed"),
        ("gust strength", "gustiness", 1.2, "%.2f", "over mean speed"),
        ("gust interval", "gust_interval", 60.0, "%.0f s", "mean time from gust to gust"),
        ("gust duration", "gust_duration", 20.0, "%.1f s", "from its arrival to its end"),
    ):
        low = 0.0 if high < 2 else 1.0
        turned = form.slider(label, getattr(wind, key), low, high, shape, tip=tip)
        if turned.changed:
            session.set_wind(**{key: round(turned.value, 3)})
