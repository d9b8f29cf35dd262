"""Sun and sky through the air: scattering by air and haze, and ozone, around a planet, with light scattered many times.

Light of the sun outside the air is 1 in each of three colours: a camera balanced for daylight. Scattering follows
Hillaire (2020, "A scalable and production ready sky and atmosphere rendering technique"): single scattering along each
ray, and all further orders as if they came equally from everywhere. Optical depths along slanted paths use Chapman's
function, so that no table of transmittance is needed.

turbidity  optical depth of air with its haze over that of air alone: 2 is very clear, 3 fair, 8 hazy
"""

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.ndimage import map_coordinates

from windflower.core.arrays import FloatArray

__all__ = ["AROUND", "UPWARD", "dome", "in_luminance", "sky", "sunbeam"]

PLANET, TOP = 6_360_000.0, 80_000.0  # radius of the planet, and height of the air, m
RAYLEIGH = np.array(
    [5.802e-6, 13.558e-6, 33.1e-6]
)  # scattering at the ground, 1/m (Bruneton & Neyret 2008, red to blue)
RAYLEIGH_HEIGHT, MIE_HEIGHT = 8_000.0, 1_200.0  # over which they fall to 1/e, m
MIE_COLOUR = np.array([0.76, 1.0, 1.34])  # of haze, (550 nm / λ)^1.3 (Ångström)
MIE_ALBEDO, MIE_FORWARD = 0.92, 0.76  # share of light that haze scatters, and its mean cosine
OZONE = np.array([0.650e-6, 1.881e-6, 0.085e-6])  # absorption at the middle of its layer, 1/m
OZONE_HEIGHT, OZONE_WIDTH = 25_000.0, 15_000.0  # of that layer, and half its base: it is a tent, m
GROUND_ALBEDO = 0.2  # of the land far around, for light that it sends back into the air
APART = 0.5  # degrees of the sun's elevation between skies that are worked out; between them is interpolated
STEPS = 22  # along a ray
AROUND, UPWARD = 25, 32  # directions of the dome: from the sun's side to the other; from the horizon to the zenith


def in_luminance(colour: ArrayLike) -> FloatArray:
    """Luminance of linear sRGB colours (..., 3)."""
    return np.asarray(np.asarray(colour, float) @ np.array([0.2126, 0.7152, 0.0722]))


def sunbeam(elevation: float, turbidity: float, height: float = 0.0) -> FloatArray:
    """Share (3,) of the sun's light that arrives straight at a height, m; `elevation` in degrees, negative too."""
    sine = np.sin(np.radians(elevation))
    return _to_the_sun(np.array([height]), np.array([sine]), turbidity)[0]


def dome() -> tuple[FloatArray, FloatArray]:
    """Angles of the dome's directions: from the sun's azimuth (AROUND,) and above the horizon (UPWARD,), rad.

    Low directions lie close together, for there the sky changes most; light.wgsl reads the dome the same way.
    """
    return np.linspace(0, np.pi, AROUND), np.linspace(0, 1, UPWARD) ** 2 * np.pi / 2


def sky(elevation: float, turbidity: float) -> FloatArray:
    """Radiance (UPWARD, AROUND, 3) of the clear sky, for a sun of irradiance 1; `elevation` in degrees."""
    low = np.floor(elevation / APART)
    share = elevation / APART - low
    below, above = (_sky_at(float(APART * (low + k)), turbidity) for k in (0, 1))
    return np.asarray(below + share * (above - below))


@lru_cache(maxsize=256)
def _sky_at(elevation: float, turbidity: float) -> FloatArray:
    azimuth, height = (x.ravel() for x in np.meshgrid(*dome()))
    ray = np.column_stack([np.cos(height) * np.cos(azimuth), np.sin(height), np.cos(height) * np.sin(azimuth)])
    sine = np.sin(np.radians(elevation))
    sun = np.array([np.sqrt(1 - sine**2), sine, 0.0])
    light = _along(np.full(len(ray), 2.0), ray, sun, turbidity, _scattered_often(turbidity))[0]
    light.flags.writeable = False
    return light.reshape(UPWARD, AROUND, 3)


def _along(
    start: FloatArray, ray: FloatArray, sun: FloatArray, turbidity: float, often: FloatArray | None
) -> tuple[FloatArray, FloatArray]:
    """Light (n, 3) that the air sends along rays (n, 3) seen from heights (n,).

    Without a table `often`, light scattered once, as if equally in all directions, and what a unit of light from
    everywhere becomes: Hillaire's equations 6 and 8.
    """
    bound, grounded = _to_the_end(start, ray[:, 1])
    edges = np.linspace(0, 1, STEPS + 1) ** 2  # the air is densest near the camera
    middle, share = (edges[1:] + edges[:-1]) / 2, np.diff(edges)
    way = bound[:, None] * middle
    r = PLANET + start[:, None]
    radius = np.sqrt(r**2 + way**2 + 2 * r * way * ray[:, 1:2])
    height = np.maximum(radius - PLANET, 0.0)
    to_sun = (r * sun[1] + way * (ray @ sun)[:, None]) / radius
    air, haze, taken = _air(height, turbidity)
    step = bound[:, None, None] * share[:, None]
    thick = np.cumsum(taken * step, axis=1)
    arriving = np.exp(-(thick - taken * step))
    passed = arriving * (1 - np.exp(-taken * step)) / np.maximum(taken, 1e-12)
    lit = _to_the_sun(height, to_sun, turbidity)
    if often is None:  # the first scattering, and what a unit of light from everywhere becomes
        first = (passed * (air + haze) * lit).sum(axis=1) / (4 * np.pi)
        land = np.exp(-thick[:, -1]) * grounded[:, None] * GROUND_ALBEDO / np.pi
        low = np.maximum((r[:, 0] * sun[1] + bound * (ray @ sun)) / PLANET, 0.0)
        first += land * low[:, None] * _to_the_sun(np.zeros(len(ray)), low, turbidity)
        return first, (passed * (air + haze)).sum(axis=1)
    cosine = (ray @ sun)[:, None, None]
    source = lit * (air * _rayleigh(cosine) + haze * _mie(cosine)) + (air + haze) * _look_up(often, height, to_sun)
    return (passed * source).sum(axis=1), np.zeros(3)


def _air(height: FloatArray, turbidity: float) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Scattering by air and by haze, and all that is taken from a ray, (..., 3), 1/m."""
    air = RAYLEIGH * np.exp(-height / RAYLEIGH_HEIGHT)[..., None]
    haze = _haze(turbidity) * np.exp(-height / MIE_HEIGHT)[..., None]
    ozone = OZONE * np.maximum(1 - np.abs(height - OZONE_HEIGHT) / OZONE_WIDTH, 0)[..., None]
    return air, MIE_ALBEDO * haze, air + haze + ozone


def _haze(turbidity: float) -> FloatArray:
    """Extinction of haze at the ground (3,), 1/m."""
    return (turbidity - 1) * RAYLEIGH[1] * RAYLEIGH_HEIGHT / MIE_HEIGHT * MIE_COLOUR


def _to_the_sun(height: FloatArray, sine: FloatArray, turbidity: float) -> FloatArray:
    """Share (..., 3) of the sun's light that reaches a height, m; 0 in the planet's shadow.

    sine  of the sun's elevation there
    """
    air = RAYLEIGH * RAYLEIGH_HEIGHT * _slant(height, sine, RAYLEIGH_HEIGHT)[..., None]
    haze = _haze(turbidity) * MIE_HEIGHT * _slant(height, sine, MIE_HEIGHT)[..., None]
    # The tent of ozone as a thin shell: its depth over the cosine there, twice for a ray that dips below it.
    down = (PLANET + height) / (PLANET + np.maximum(OZONE_HEIGHT, height))
    cosine = np.sqrt(np.maximum(1 - down**2 * (1 - sine**2), 4e-4))
    above = np.clip((OZONE_HEIGHT + OZONE_WIDTH - height) / (2 * OZONE_WIDTH), 0, 1)
    ozone = OZONE * OZONE_WIDTH * (above / cosine)[..., None]
    # The disc, half a degree wide, sinks behind the horizon; refraction lifts it by as much (0.57°).
    horizon = -np.sqrt(np.maximum(1 - (PLANET / (PLANET + height)) ** 2, 0))
    shown = np.clip((sine - horizon + 0.0145) / 0.0093, 0, 1)[..., None]
    return np.asarray(np.exp(-np.minimum(air + haze + ozone, 80.0)) * shown)


def _slant(height: FloatArray, sine: FloatArray, scale: float) -> FloatArray:
    """Air along a slanted path over that straight up from the ground: Chapman's function (Schüler 2012, GPU Pro 3)."""
    x = (PLANET + height) / scale
    c = np.sqrt(np.pi * x / 2)
    up = c / ((c - 1) * np.abs(sine) + 1)
    across = np.sqrt(np.maximum(1 - sine**2, 1e-12))
    lowest = np.exp(np.minimum(x * (1 - across), 60.0))  # density at the lowest point of the path
    down = 2 * np.sqrt(np.pi * x * across / 2) * lowest - up
    return np.asarray(np.exp(-height / scale) * np.where(sine >= 0, up, down))


def _to_the_end(height: FloatArray, sine: FloatArray) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Length of rays within the air, m, and whether they end on the ground."""
    r = PLANET + height
    ground = r**2 * (sine**2 - 1) + PLANET**2
    hits = (sine < 0) & (ground > 0)
    out = -r * sine + np.sqrt(r**2 * (sine**2 - 1) + (PLANET + TOP) ** 2)
    return np.where(hits, -r * sine - np.sqrt(np.maximum(ground, 0)), out), hits


def _rayleigh(cosine: FloatArray) -> FloatArray:
    return 3 / (16 * np.pi) * (1 + cosine**2)


def _mie(cosine: FloatArray) -> FloatArray:
    """Phase function of haze (Cornette & Shanks 1992)."""
    g = MIE_FORWARD
    return np.asarray(
        3 / (8 * np.pi) * (1 - g**2) * (1 + cosine**2) / ((2 + g**2) * (1 + g**2 - 2 * g * cosine) ** 1.5)
    )


HEIGHTS = np.linspace(0, 1, 10) ** 2 * 60_000.0  # of the table of light scattered often, m
SINES = np.linspace(-0.35, 1, 28)


@lru_cache(maxsize=8)
def _scattered_often(turbidity: float) -> FloatArray:
    """Light (heights, sines, 3) that comes equally from everywhere after two and more scatterings."""
    count = 48
    up = 1 - 2 * (np.arange(count) + 0.5) / count  # a spiral over the sphere
    turn = np.pi * (1 + np.sqrt(5)) * np.arange(count)
    ray = np.column_stack([np.sqrt(1 - up**2) * np.cos(turn), up, np.sqrt(1 - up**2) * np.sin(turn)])
    table = np.empty((len(HEIGHTS), len(SINES), 3))
    for i, height in enumerate(HEIGHTS):
        for j, sine in enumerate(SINES):
            sun = np.array([np.sqrt(1 - sine**2), sine, 0.0])
            first, again = _along(np.full(count, height), ray, sun, turbidity, None)
            table[i, j] = first.mean(axis=0) / (1 - again.mean(axis=0))
    return table


def _look_up(table: FloatArray, height: FloatArray, sine: FloatArray) -> FloatArray:
    """The table at heights and sines of the sun's elevation (...), bilinear."""
    i = np.sqrt(np.clip(height / HEIGHTS[-1], 0, 1)) * (len(HEIGHTS) - 1)
    j = (np.clip(sine, SINES[0], 1) - SINES[0]) / (1 - SINES[0]) * (len(SINES) - 1)
    return np.stack([map_coordinates(table[..., k], [i, j], order=1) for k in range(3)], axis=-1)
