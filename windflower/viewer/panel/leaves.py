"""The panel's part about leaves: the season of all, and how those of the selected stand flutter and fall."""

import datetime as dt

from windflower.motion.leaves.seasons import NAMES, day_of
from windflower.scene.foliage import SheddingSettings
from windflower.viewer.panel.form import Form
from windflower.viewer.session import Session

__all__ = ["leaves_part"]

AS_GROWN = "as they grew"


def leaves_part(form: Form, session: Session) -> None:
    """Season, flutter, shedding."""
    _season(form, session)
    if not session.settings.stands:
        return
    index = session.selected
    stand = session.settings.stands[index]
    flutter = form.slider(
        "flutter", stand.flutter, 0.0, 3.0, "× %.2f", tip="how far leaves turn, over their kind's own"
    )
    if flutter.changed:
        session.set_leaves(index, flutter=round(flutter.value, 2))
    shed = form.check("shedding", stand.shedding is not None, tip="leaves come off, fall and lie; in autumn most")
    if shed != (stand.shedding is not None):
        session.set_leaves(index, shedding={"rate": 0.05} if shed else None)
    if stand.shedding is not None:
        _shedding(form, session, index, stand.shedding)


def _season(form: Form, session: Session) -> None:
    season = session.settings.season
    name = AS_GROWN if season is None else season if isinstance(season, str) else _date(season)
    chosen = form.choice("season", name, (AS_GROWN, *NAMES, *([name] if name[0].isdigit() else [])))
    if chosen:
        session.set_season(chosen if chosen in NAMES else None if chosen == AS_GROWN else season)
    if season is not None:
        day = day_of(season)
        turned = form.slider("day", day, 0.0, 366.0, _date(day), tip="of the year; leaves turn and fall in October")
        if turned.changed:
            session.set_season(float(round(turned.value)))


def _shedding(form: Form, session: Session, index: int, shedding: SheddingSettings) -> None:
    rate = form.slider(
        "rate", shedding.rate, 0.0, 1.0, "%.3f /s", tip="share of loose leaves that a wind of 10 m/s takes", curved=True
    )
    if rate.changed:
        session.set_leaves(index, shedding={"rate": float(f"{rate.value:.3g}"), "fallen": shedding.fallen})
    fallen = form.slider(
        "fallen", shedding.fallen, 0.0, 1.0, tip="share that lies about when it begins; 1 for a bare tree"
    )
    if fallen.changed:
        session.set_leaves(index, shedding={"rate": shedding.rate, "fallen": round(fallen.value, 2)})


def _date(day: float) -> str:
    """A day of the year for people."""
    date = dt.date(2024, 1, 1) + dt.timedelta(days=min(max(round(day), 0), 365))
    return f"{date.day} {date:%b}"
