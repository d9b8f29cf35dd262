"""Generates docs/scene-file.md from the tables themselves, so that it cannot be out of date."""

from typing import Any

from pydantic import BaseModel

from windflower.motion.registry import MOTIONS
from windflower.scene.areas import Circle, Rectangle, Row
from windflower.scene.breaking import BreakSettings
from windflower.scene.camera_table import FixedCamera, FlyCamera, FramedCamera, Key, OrbitCamera
from windflower.scene.density import DensitySettings
from windflower.scene.foliage import SheddingSettings
from windflower.scene.ground import GroundSettings, PondSettings
from windflower.scene.settings import ClearingSettings, QualitySettings, SceneSettings
from windflower.scene.stand_table import StandSettings
from windflower.scene.sun import SunSettings
from windflower.scene.terrain import TerrainSettings
from windflower.scene.wind_table import CanopySettings, GridSettings, GustSettings, ProfileSettings, WindSettings
from windflower.wind.registry import SOURCES

__all__ = ["EXAMPLE", "scene_reference", "sections"]

EXAMPLE = """\
title = "An avenue, and a gust"
seconds = 8

[[stands]]
plant = "lombardy-poplar"
specimens = 3
area = { kind = "row", start = [0, 0], end = [0, -120], rows = 2, gap = 12 }
spacing = 7

[[stands]]
plant = "meadow/my-scan.mtg"
positions = [[24, -30]]

[wind]
preset = "breeze"
direction = 250

[[wind.gusts]]
at = 3
strength = 9

[sun]
hour = 18.5
latitude = 46
date = 2024-09-01

[camera]
kind = "fly"
keys = [
    { eye = [0, 2, 20], target = [0, 8, -60] },
    { eye = [0, 3, -40], target = [0, 8, -120] },
]
"""

INTRODUCTION = f"""\
# The scene file

A scene is a TOML file: plants, wind, sun, ground and camera. All it needs is one stand:

```toml
[[stands]]
plant = "oak"
```

`windflower render scene.toml -o clip.mp4` draws it. Everything else has a default. A longer one:

```toml
{EXAMPLE}```

Metres, seconds and degrees. Level ground lies at y = 0, y is up, north is -z and east is +x. A place on the ground is
x and z. Files that a scene names are looked for beside it, and read only in its own folder and in those that you allow
(`--allow FOLDER`; [why](files-from-strangers.md)). This page is made from the program's own tables.
"""


def scene_reference() -> str:
    """The whole page as Markdown."""
    return INTRODUCTION + "".join(_section(title, model) for title, model in sections().items())


def sections() -> dict[str, type[BaseModel]]:
    """Models by section title, registered motions and wind sources included."""
    return {
        "The file": SceneSettings,
        "`[[stands]]`": StandSettings,
        "`stands.area`, a rectangle": Rectangle,
        "`stands.area`, a circle": Circle,
        "`stands.area`, a row": Row,
        "`stands.density`": DensitySettings,
        **{f"`stands.motion`, {kind}": motion.settings for kind, motion in MOTIONS.items()},
        "`stands.shedding`": SheddingSettings,
        "`stands.breaks`": BreakSettings,
        "`[wind]`": WindSettings,
        "`[[wind.gusts]]`": GustSettings,
        **{f"`[[wind.sources]]`, {_with_article(kind)}": table for kind, table in SOURCES.items()},
        "`[wind.grid]`": GridSettings,
        "`wind.profile`": ProfileSettings,
        "`wind.canopy`": CanopySettings,
        "`[sun]`": SunSettings,
        "`[ground]`": GroundSettings,
        "`ground.terrain`": TerrainSettings,
        "`ground.pond`": PondSettings,
        "`[camera]`, fixed": FixedCamera,
        "`[camera]`, orbit": OrbitCamera,
        "`[camera]`, framed": FramedCamera,
        "`[camera]`, fly": FlyCamera,
        "`[[camera.keys]]`": Key,
        "`[[clearings]]`": ClearingSettings,
        "`[quality]`": QualitySettings,
    }


def _with_article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def _section(title: str, model: type[BaseModel]) -> str:
    schema = model.model_json_schema()
    required = schema.get("required", [])
    fields = sorted(schema["properties"].items(), key=lambda item: item[0] != "kind")
    rows = [_row(name, field, name in required) for name, field in fields]
    about = " ".join((model.__doc__ or "").split())
    return "\n".join(
        ["", f"## {title}", "", about, "", "| key | allowed | default | |", "|---|---|---|---|", *rows, ""]
    )


def _row(name: str, field: dict[str, Any], required: bool) -> str:
    default = "needed" if required else _default(field.get("default"))
    return f"| `{name}` | {_allowed(field)} | {default} | {field.get('description', '')} |"


def _default(value: Any) -> str:
    """Cell with a default value; empty for tables, whose own section has their defaults."""
    if value in (None, [], "") or isinstance(value, dict):
        return ""
    return "`true`" if value is True else "`false`" if value is False else f"`{value}`"


def _allowed(field: dict[str, Any]) -> str:
    """Allowed values of a field, from its JSON schema."""
    if "const" in field:
        return f"`{field['const']}`"
    if "enum" in field:
        return ", ".join(f"`{value}`" for value in field["enum"])
    if "anyOf" in field or "oneOf" in field:
        parts = [part for part in field.get("anyOf") or field["oneOf"] if part.get("type") != "null"]
        return " or ".join(dict.fromkeys(_allowed(part) for part in parts))
    if "$ref" in field or field["type"] == "object":
        return "a table"
    if field["type"] == "array":
        return _list(field)
    return _scalar(field)


def _list(field: dict[str, Any]) -> str:
    if "prefixItems" in field:
        return f"{len(field['prefixItems'])} × {_allowed(field['prefixItems'][0])}"
    inner = _allowed(field["items"])
    return "tables" if inner == "a table" else f"a list of {inner}"


def _scalar(field: dict[str, Any]) -> str:
    names = {"number": "a number", "integer": "a whole number", "string": "text", "boolean": "true or false"}
    if field.get("format") == "date":
        return "a date"
    words = {"exclusiveMinimum": "above", "minimum": "from", "exclusiveMaximum": "below", "maximum": "to"}
    bounds = [f"{word} {field[key]:,}".removesuffix(".0") for key, word in words.items() if key in field]
    return " ".join([names[field["type"]], *bounds])
