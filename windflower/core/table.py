"""Base class and number types of the tables of scene and species files: no unknown keys, finite numbers, immutable."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Annotated, Any, NoReturn

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

__all__ = [
    "FARTHEST",
    "SHORTEST",
    "Angle",
    "Colour",
    "Coordinate",
    "Flag",
    "Length",
    "Number",
    "OnGround",
    "Point",
    "Seed",
    "Share",
    "Table",
    "Whole",
    "by_kind",
    "closest",
    "ending",
    "nearest",
    "refuse",
]

FARTHEST = 100_000.0
"""Largest distance from the origin in a scene, m; float32 still resolves centimetres there."""
SHORTEST = 0.001
"""Shortest length in a scene, m."""
LONGEST_NAME = 200  # characters of a name for which a similar one is sought

# Strict: no text and no boolean is read as a number.
Number = Annotated[float, Field(strict=True)]
Whole = Annotated[int, Field(strict=True)]
Flag = Annotated[bool, Field(strict=True)]
Coordinate = Annotated[Number, Field(ge=-FARTHEST, le=FARTHEST)]
Length = Annotated[Number, Field(ge=SHORTEST, le=FARTHEST)]
Angle = Annotated[Number, Field(ge=-360, le=360)]
Share = Annotated[Number, Field(ge=0, le=1)]
Seed = Annotated[Whole, Field(ge=0, lt=2**53)]
OnGround = tuple[Coordinate, Coordinate]
Point = tuple[Coordinate, Coordinate, Coordinate]
Colour = tuple[Share, Share, Share]


class Table(BaseModel):
    """A table of a scene file or a species file."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _known_keys(cls, data: Any) -> Any:
        """Refuse an unknown key, and suggest the most similar known one."""
        if isinstance(data, dict):
            for name in data:
                if name not in cls.model_fields:
                    hint = nearest(str(name), cls.model_fields)
                    refuse(
                        f"there is no key {name[:40]!r} here; {hint or 'the keys are ' + ', '.join(cls.model_fields)}"
                    )
        return data


def by_kind(tables: Mapping[str, type[Table]], value: Any) -> Any:
    """Validate a table as the model that its `kind` names; for a pydantic `BeforeValidator`."""
    if not isinstance(value, dict):
        return value
    kind = value.get("kind")
    if not isinstance(kind, str) or kind not in tables:
        raise PydanticCustomError("unknown_kind", "{known}", {"known": ", ".join(tables), "kind": kind})
    return tables[kind].model_validate(value)


def nearest(name: str, known: Any) -> str:
    """Suggestion `did you mean 'x'?`, or an empty text."""
    found = closest(name, known)
    return f"did you mean '{found}'?" if found else ""


def ending(name: str, known: Any, otherwise: str = "") -> str:
    """End of a sentence that refuses this name: with the known one that was meant, or with another remedy."""
    hint = nearest(name, known)
    return f"; {hint}" if hint else f". {otherwise}".rstrip()


def closest(name: str, known: Iterable[str]) -> str | None:
    """The known name that contains this word or is most similar."""
    names, word = list(known), name.lower()[:LONGEST_NAME]
    worded = [other for other in names if word in other.split("-")]
    return next(iter(worded or get_close_matches(word, names, n=1, cutoff=0.6)), None)


def refuse(text: str) -> NoReturn:
    """Raise a validation error in a table's validator; `text` is a sentence without its full stop."""
    raise PydanticCustomError("refused", "{text}", {"text": text})
