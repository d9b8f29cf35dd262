"""The local winds that a scene file may name. To add one: a file with its class and its settings, and a line here.

A program of its own registers one with `SOURCES.register("name", Settings)`.
"""

from windflower.core.registry import Registry
from windflower.wind.source import SourceSettings

__all__ = ["SOURCES"]

SOURCES: Registry[type[SourceSettings]] = Registry(
    {
        "vortex": "windflower.wind.vortex:VortexSettings",
        "fan": "windflower.wind.fan:FanSettings",
        "explosion": "windflower.wind.explosion:ExplosionSettings",
        "front": "windflower.wind.front:FrontSettings",
        "disk": "windflower.wind.disk:DiskSettings",
    }
)
"""Settings of each kind of source, by the name that a scene file gives as `kind`."""
