"""Random tables from a model's JSON schema, and TOML of them."""

import json
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from functools import cache
from random import Random
from typing import Any

from pydantic import BaseModel, ValidationError

from tests.fuzz.extremes import WORDS, extreme_float, log_uniform

__all__ = ["Drawing", "Special", "repaired", "schema_of", "toml_of"]


@cache
def schema_of(model: type[BaseModel]) -> Mapping[str, Any]:
    """The JSON schema of a model."""
    return model.model_json_schema()


Special = Callable[["Drawing"], Any]


class Drawing:
    """Draws a table from a schema.

    special  what is drawn by other means, by "Model.key" or by "key"
    wild     chance that a number is at the edge of what is allowed
    wrong    chance that a value breaks its rule
    """

    def __init__(self, rng: Random, special: Mapping[str, Special], *, wild: float, wrong: float) -> None:
        self.rng, self.special, self.wild, self.wrong = rng, special, wild, wrong
        self.definitions: Mapping[str, Any] = {}

    def table(self, schema: Mapping[str, Any], share: float = 0.3) -> dict[str, Any]:
        """A table with what it needs, and this share of what it may have."""
        self.definitions = {**self.definitions, **schema.get("$defs", {})}
        drawn = {}
        for key, field in schema.get("properties", {}).items():
            if key in schema.get("required", ()) or self.rng.random() < share:
                own = self.special.get(f"{schema.get('title')}.{key}") or self.special.get(key)
                value = own(self) if own else self.value(field)
                if value is not None:
                    drawn[key] = value
        if self.rng.random() < self.wrong / 4:
            drawn[self.rng.choice(WORDS)] = self.rng.choice((1, "x", []))
        return drawn

    def value(self, field: Mapping[str, Any]) -> Any:
        """A value as a field's schema allows it, or seldom not."""
        if self.rng.random() < self.wrong:
            return self.rng.choice((extreme_float(self.rng), self.rng.choice(WORDS), True, [], {}, [1, 2], -1, 10**400))
        if "$ref" in field:
            return self.table(self.definitions[field["$ref"].rsplit("/", 1)[1]])
        if "anyOf" in field or "oneOf" in field:
            return self.value(
                self.rng.choice([f for f in field.get("anyOf") or field["oneOf"] if f.get("type") != "null"])
            )
        if "const" in field or "enum" in field:
            return self.rng.choice(field.get("enum") or [field["const"]])
        return getattr(self, f"_{field.get('type', 'string')}")(field)

    def _number(self, field: Mapping[str, Any]) -> float:
        low = field.get("minimum", field.get("exclusiveMinimum", -1e6))
        high = field.get("maximum", field.get("exclusiveMaximum", 1e6))
        if self.rng.random() < self.wild:
            return float(self.rng.choice((low, high, low or 1e-9, 1e-12, 1e-300, 0.0, 1.0)))
        default, inside = field.get("default"), 0.9 * high if "exclusiveMaximum" in field else high
        middle = default if isinstance(default, int | float) and default else min(high, 3.0)
        return float(min(max(log_uniform(self.rng, middle, 0.7), low + 1e-3 * ("exclusiveMinimum" in field)), inside))

    def _integer(self, field: Mapping[str, Any]) -> int:
        return int(self._number(field))

    def _boolean(self, field: Mapping[str, Any]) -> bool:
        del field
        return self.rng.random() < 0.5

    def _string(self, field: Mapping[str, Any]) -> str:
        if field.get("format") == "date":
            return (date(2024, 1, 1) + timedelta(days=self.rng.randrange(366))).isoformat()
        return self.rng.choice(WORDS)

    def _array(self, field: Mapping[str, Any]) -> list[Any]:
        if "prefixItems" in field:
            return [self.value(inner) for inner in field["prefixItems"]]
        least = field.get("minItems", 0)
        return [self.value(field["items"]) for _ in range(least + self.rng.choice((0, 1, 1, 2)))]

    def _object(self, field: Mapping[str, Any]) -> dict[str, Any]:
        return self.table(field)


def repaired(rng: Random, table: dict[str, Any], model: type[BaseModel], *, tries: int = 30) -> dict[str, Any]:
    """A table without the keys that the model refuses: what contradicts something else is dropped until it fits."""
    for _ in range(tries):
        try:
            model.model_validate(table)
        except ValidationError as error:
            _drop(rng, table, error.errors()[0]["loc"])
        except Exception:  # which is found when the scene is tried
            break
        else:
            break
    return table


def _drop(rng: Random, table: dict[str, Any], place: tuple[int | str, ...]) -> None:
    """Remove what lies at a place, or a key of it, if that is a table; names of kinds in the place are no keys."""
    holder: Any = table
    key: Any = None
    inner: Any = table
    for part in place:
        known = part in (inner if isinstance(inner, dict) else range(len(inner) if isinstance(inner, list) else 0))
        if known:
            holder, key, inner = inner, part, inner[part]
    optional = [name for name in inner if name not in ("plant", "kind", "stands")] if isinstance(inner, dict) else []
    if optional:
        del inner[rng.choice(optional)]
    elif key is not None and not (isinstance(holder, list) and len(holder) == 1):
        del holder[key]


def toml_of(value: Any) -> str:
    """A value in one line of TOML; a table at the top level in many."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(str(key))} = {toml_of(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml_of, value)) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        is_date = len(value) == 10 and value[:4].isdigit() and value[4] == "-"
        return value if is_date else json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return repr(value)
