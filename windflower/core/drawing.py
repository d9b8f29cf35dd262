"""Plots as methods: `plant.plot()`, `modes.plot()`, `record.plot()`.

What is drawn knows nothing of plots, which are built on top of it: the public face of the package is asked for them.
"""

from importlib import import_module
from typing import Any

__all__ = ["drawn"]


def drawn(plot: str, subject: object, options: dict[str, Any]) -> Any:
    """The axes of one of the package's plots, with these options."""
    return getattr(import_module("windflower"), plot)(subject, **options)
