"""The panel's part about the sun."""

from windflower.viewer.panel.form import Form
from windflower.viewer.session import Session

__all__ = ["light_part"]


def light_part(form: Form, session: Session) -> None:
    """Time of day, season and clouds."""
    sun = session.settings.sun
    hour = form.slider("time of day", sun.hour, 0.0, 24.0, _clock(sun.hour), tip="at 12 the sun stands highest")
    if hour.changed:
        session.set_sun(hour=round(hour.value, 3))
    latitude = form.slider("latitude", sun.latitude, -66.0, 66.0, "%.0f°", tip="degrees north")
    if latitude.changed:
        session.set_sun(latitude=round(latitude.value, 1))
    clouds = form.slider("clouds", sun.clouds, 0.0, 1.0, tip="how much of the sky they cover")
    if clouds.changed:
        session.set_sun(clouds=round(clouds.value, 2))
    pace = form.slider("hours a second", sun.pace, 0.0, 4.0, "%.2f", tip="0 holds the sun")
    if pace.changed and sun.azimuth is None:
        session.set_sun(pace=round(pace.value, 2))


def _clock(hour: float) -> str:
    minutes = round(hour * 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}"
