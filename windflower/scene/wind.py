"""Builds the wind field of a scene from its `[wind]` table."""

import math
from collections.abc import Iterator

from windflower.errors import SceneError
from windflower.scene.error_messages import naming
from windflower.scene.wind_table import GridSettings, GustSettings, WindSettings
from windflower.wind import (
    ForestProfile,
    Gust,
    Gusts,
    Gusty,
    Profile,
    SourceSettings,
    Steady,
    Sum,
    Turbulence,
    VelocityGrid,
    Wind,
    WindProfile,
    columns_text,
    direction_of,
    wind_from,
)

__all__ = ["wind_of"]


def wind_of(settings: WindSettings, *, seed: int, canopy: ForestProfile | None = None) -> Wind:
    """Wind field of a `[wind]` table; `seed` is used if it has none. With a canopy, that over and in a forest."""
    seed = seed if settings.seed is None else settings.seed
    profile: WindProfile = canopy or Profile(**settings.profile.model_dump())
    with naming("wind"):
        carrier = _mean_and_gusts(settings, seed, profile)
    on_demand = tuple(_on_demand(settings, carrier, profile))
    carrier = Sum((carrier, *on_demand)) if on_demand else carrier
    fastest = max((gust.speed for gust in on_demand), default=0.0)
    wind = carrier if settings.file is not None else _with_eddies(settings, carrier, fastest, seed, profile)
    local = tuple(_local(settings))
    blowing = Sum((wind, *local)) if local else wind
    return blowing if settings.grid is None else _on_grid(blowing, settings.grid)


def _on_grid(wind: Wind, grid: GridSettings) -> VelocityGrid:
    """All parts of a wind as the velocity functions of a grid."""
    with naming("wind.grid"):
        return VelocityGrid(box=(grid.low, grid.high), shape=grid.shape, functions=wind.parts, reading=grid.reading)


def _with_eddies(settings: WindSettings, carrier: Wind, fastest: float, seed: int, profile: WindProfile) -> Wind:
    """The wind with its turbulence, carried by the mean wind or, in calm air, by the fastest gust."""
    mean = settings.mean_speed or 0.0
    if not (mean or fastest) or not settings.turbulence:
        return carrier
    eddies = Turbulence(
        speed=mean or fastest,
        carried=profile.pace * mean or fastest,
        direction=settings.direction,
        intensity=settings.turbulence,
        form=profile.form or settings.spectrum,
        length=profile.length,
        loop=settings.loop,
        seed=seed,
        profile=profile,
    )
    return Gusty(carrier, eddies)


def _mean_and_gusts(settings: WindSettings, seed: int, profile: WindProfile) -> Wind:
    """A recording, or a mean wind with its gusts."""
    if settings.file is not None:
        return _recorded(settings)
    speed = settings.mean_speed
    direction = settings.direction
    if not speed:
        return Steady(speed=0.0, direction=direction, profile=profile)
    gusts = _gusts(settings, speed, seed, profile)
    # The mean of the gusts is subtracted from the steady part.
    rest = speed - math.hypot(*gusts.mean)
    if rest < 0:
        raise SceneError(
            f"wind: gusts must not bring more than the mean wind; with gustiness {settings.gustiness:g} they bring "
            f"{math.hypot(*gusts.mean):.1f} of {speed:.1f} m/s. Lower gustiness or lengthen gust_interval."
        )
    return Steady(speed=rest, direction=direction, profile=profile) + gusts


def _recorded(settings: WindSettings) -> Wind:
    """The wind of a file; one with directions of its own keeps them unless the table has one."""
    return wind_from(
        settings.file or "",
        direction=settings.direction if "direction" in settings.model_fields_set else None,
        columns=columns_text(settings.columns) if settings.columns else None,
        mast_height=settings.mast_height,
        repeat=settings.repeat,
        profile=Profile(**settings.profile.model_dump()),
    )


def _gusts(settings: WindSettings, speed: float, seed: int, profile: WindProfile) -> Gusts:
    return Gusts(
        speed=profile.pace * speed,
        direction=settings.direction,
        strength=settings.gustiness * speed,
        interval=settings.gust_interval,
        duration=settings.gust_duration,
        rise=settings.gust_duration / 6,
        fall=settings.gust_duration / 2,
        width=settings.gust_width,
        loop=settings.loop,
        seed=seed,
        profile=profile,
    )


def _on_demand(settings: WindSettings, wind: Wind, profile: WindProfile) -> Iterator[Gust]:
    for index, gust in enumerate(settings.gusts):
        with naming(f"wind.gusts[{index}]"):
            yield _gust(gust, settings, wind, profile)


def _gust(gust: GustSettings, settings: WindSettings, wind: Wind, profile: WindProfile) -> Gust:
    """A gust whose front moves with the mean wind, or faster if the gust is stronger than that."""
    blowing = settings.direction if settings.file is None else direction_of(wind.mean)
    chosen = gust.model_dump(exclude_none=True)
    front = profile.pace * max(math.hypot(*wind.mean), gust.strength, 1.0)
    usual = {"speed": front, "direction": blowing}
    return Gust(**(usual | chosen), profile=profile)


def _local(settings: WindSettings) -> Iterator[Wind]:
    """The local winds, all sources of a kind together."""
    winds: dict[type[SourceSettings], list[Wind]] = {}
    for index, source in enumerate(settings.sources):
        with naming(f"wind.sources[{index}]"):
            winds.setdefault(type(source), []).append(source.wind())
    for kind, some in winds.items():
        yield kind.together(some)
