"""What a scene file says of a local wind: the base of all tables that `[[wind.sources]]` may hold."""

import math
from abc import abstractmethod
from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field

from windflower.core.table import Number, Table
from windflower.wind.field import Sum, Wind

__all__ = ["Moment", "SourceSettings", "Speed"]

Speed = Annotated[Number, Field(ge=0, le=100)]
Moment = Annotated[Number, Field(ge=-1e6, le=1e6)]


class SourceSettings(Table):
    """A local wind of a scene file. A subclass has a `kind` of its own, its settings, and `wind`."""

    kind: str = Field(description="name of the kind, one of `SOURCES`")

    @abstractmethod
    def wind(self) -> Wind:
        """The wind that these settings describe."""

    @property
    def ends(self) -> float:
        """Time after which this wind is zero everywhere, s; infinite if there is none."""
        return math.inf

    @property
    def options(self) -> dict[str, Any]:
        """The settings without the kind, by name."""
        return self.model_dump(exclude={"kind"})

    @classmethod
    def together(cls, winds: Sequence[Wind]) -> Wind:
        """The wind of all sources of this kind: their velocities add up, unless the kind says otherwise."""
        return winds[0] if len(winds) == 1 else Sum(tuple(winds))
