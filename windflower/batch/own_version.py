"""The version of Windflower that makes samples, which samples of one data set have in common."""

from functools import cache
from importlib.metadata import PackageNotFoundError, version

__all__ = ["own_version"]


@cache
def own_version() -> str:
    """The installed version; "source" where the source code runs without being installed."""
    try:
        return version("windflower")
    except PackageNotFoundError:
        return "source"
