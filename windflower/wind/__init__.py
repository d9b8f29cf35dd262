"""What pushes the plant: one field of velocity with many sources.

  Steady ─────────────── mean wind ──┐
  Gust, Gusts ───────── fronts ──────┤
  Turbulence ────────── eddies ──────┤    profiles of open country and of forests say how strong these are at a place
  Vortex, Fan, Explosion, Front ─────┼─ + ─> Wind.velocity(points, t), m/s ──> motions
  VelocityGrid, ArrayWind ── grids ──┤
  Recording, TurbSimWind ── files ───┤
  Forces ── ForceWind (drag) ────────┘ <── DragForces ──> Forces.force(points, t), N

`wind_from(9)`, in m/s, `Wind.beaufort(5)`, `preset("gale")` and `wind_from("wind.csv")` make whole winds; `wind_speed`
reads the strength of a wind wherever one is written, and a bare number is m/s. Directions are where the wind blows
from, in degrees: 0 is north (-z), 90 east (+x); by default 270, along +x. The ground lies at y = 0.
"""

from windflower.wind.beaufort import beaufort_of, beaufort_speed, speed_text, speeds_text
from windflower.wind.direction import direction_of, wind_axes
from windflower.wind.disk import DragForces, ForceWind
from windflower.wind.explosion import Explosion
from windflower.wind.fan import Fan
from windflower.wind.field import Sum, Wind
from windflower.wind.forces import Branch, ForcePrimitive, Forces, ForceSum, drag_force, drag_velocity
from windflower.wind.forest import Forest
from windflower.wind.forest_profile import ForestProfile, deep_forest, forest_profile
from windflower.wind.front import Front
from windflower.wind.grid import Box
from windflower.wind.gridded import ArrayWind, VelocityGrid, read_array, write_array
from windflower.wind.gusts import Gust, Gusts
from windflower.wind.gusty import Gusty, turbulence_of
from windflower.wind.mast_columns import columns_text
from windflower.wind.presets import Aligned, beaufort_wind, flag_air, gusty_wind, pole_wake, preset, wind_from
from windflower.wind.profile import Profile, WindProfile
from windflower.wind.recorded import Recording, read_csv
from windflower.wind.registry import SOURCES
from windflower.wind.source import SourceSettings
from windflower.wind.steady import Steady
from windflower.wind.strength import PRESETS, strength_in, wind_speed
from windflower.wind.turbsim import TurbSimBox, TurbSimWind, read_bts, write_bts
from windflower.wind.turbulence import Turbulence
from windflower.wind.vortex import Vortex

__all__ = [
    "PRESETS",
    "SOURCES",
    "Aligned",
    "ArrayWind",
    "Box",
    "Branch",
    "DragForces",
    "Explosion",
    "Fan",
    "ForcePrimitive",
    "ForceSum",
    "ForceWind",
    "Forces",
    "Forest",
    "ForestProfile",
    "Front",
    "Gust",
    "Gusts",
    "Gusty",
    "Profile",
    "Recording",
    "SourceSettings",
    "Steady",
    "Sum",
    "TurbSimBox",
    "TurbSimWind",
    "Turbulence",
    "VelocityGrid",
    "Vortex",
    "Wind",
    "WindProfile",
    "beaufort_of",
    "beaufort_speed",
    "beaufort_wind",
    "columns_text",
    "deep_forest",
    "direction_of",
    "drag_force",
    "drag_velocity",
    "flag_air",
    "forest_profile",
    "gusty_wind",
    "pole_wake",
    "preset",
    "read_array",
    "read_bts",
    "read_csv",
    "speed_text",
    "speeds_text",
    "strength_in",
    "turbulence_of",
    "wind_axes",
    "wind_from",
    "wind_speed",
    "write_array",
    "write_bts",
]
