"""Storm damage in a scene file: how the plants of a stand may break."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from windflower.core.table import Length, Number, Table

__all__ = ["BreakSettings", "Breaks"]


class BreakSettings(Table):
    """Wood that is bent beyond its strength breaks and falls; roots that are pulled too hard give way."""

    strength: Number = Field(1.0, gt=0, le=100, description="factor on the strength of the wood: below 1 for rot")
    anchorage: Number = Field(1.0, gt=0, le=100, description="factor on what roots hold: below 1 on wet soil")
    thicker: Length = Field(
        0.02, description="diameter of the thinnest wood that breaks, m: thinner shoots stream in the wind and live"
    )


def _table(value: Any) -> Any:
    """`true` is short for a table with nothing in it, and `false` for none."""
    return {} if value is True else None if value is False else value


Breaks = Annotated[BreakSettings | None, BeforeValidator(_table)]
