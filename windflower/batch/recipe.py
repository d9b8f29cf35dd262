"""A recipe of a data set: a scene file in which any value may be drawn, and how many samples there are.

samples = 200
passes = ["rgb", "depth", "flow"]

[scene]
seconds = 1
size = [256, 192]
wind = { speed = { uniform = [2, 14] } }

[[scene.stands]]
plant = { choose = ["oak", "silver-birch"] }
seed = { whole = [0, 99] }

Sample i is a function of the recipe and i alone.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, PrivateAttr, ValidationError

from windflower.batch.distributions import Draws
from windflower.core.randomness import key
from windflower.core.reading import is_file, read_file
from windflower.core.table import Seed, Table, Whole, refuse
from windflower.core.table_errors import first_error
from windflower.core.toml_text import parse_toml
from windflower.errors import SceneError
from windflower.render.passes.registry import checked_passes
from windflower.scene import SceneSettings, scene_names
from windflower.scene.error_messages import scene_error
from windflower.scene.files import scene_text
from windflower.scene.named_files import beside, renamed

__all__ = ["Recipe", "parse_recipe", "read_recipe"]

MOST_SHARDS = 100_000  # as many as have five digits
TRIED = 8  # samples that are drawn when a recipe is read


def _checked(names: tuple[str, ...]) -> tuple[str, ...]:
    try:
        return tuple(one.name for one in checked_passes(names))
    except SceneError as error:
        refuse(str(error).removesuffix("."))


class Recipe(Table):
    """A recipe of a data set, as its file says it."""

    title: str = Field("", max_length=200, description="what the data set is")
    samples: Annotated[Whole, Field(ge=1, le=100_000_000)] = Field(description="how many there are")
    seed: Seed = Field(1, description="seed of all draws")
    shard: Annotated[Whole, Field(ge=1, le=100_000)] = Field(100, description="samples in one .tar file")
    passes: Annotated[tuple[str, ...], AfterValidator(_checked)] = Field(
        ("rgb",), description="data passes of every frame, see docs/passes.md"
    )
    arrays: Literal["npz", "npy"] = Field("npz", description="files of arrays: npz is compressed, npy is not")
    base: str | None = Field(None, description="a stock scene whose keys `scene` adds to or replaces")
    scene: dict[str, Any] = Field(
        default_factory=dict, description="the scene, as in a scene file; any value may be drawn"
    )
    _folder: Path | None = PrivateAttr(None)
    _allow: tuple[str, ...] = PrivateAttr(())

    def drawn(self, sample: int) -> dict[str, Any]:
        """What is drawn for a sample, by key."""
        draws = Draws(self.seed, sample)
        draws.of(self._table())
        return draws.values

    def draws(self, sample: int) -> tuple[SceneSettings, dict[str, Any]]:
        """The scene of a sample, and what was drawn for it by key."""
        draws = Draws(self.seed, sample)
        table = draws.of(self._table())
        table.setdefault("seed", int(key(self.seed, sample)) % 2**53)
        origin = f"sample {sample}"
        try:
            settings = SceneSettings.model_validate(table)
        except ValidationError as error:
            raise scene_error(error, origin) from None
        if self._folder is not None:
            settings = beside(settings, self._folder, self._allow, origin=origin)
        return settings, draws.values

    def portable(self, settings: SceneSettings) -> SceneSettings:
        """The same scene with files named as seen from the recipe's folder, wherever that lies."""
        home = self._folder
        if home is None:
            return settings
        return renamed(settings, lambda name: Path(os.path.relpath(name, home)).as_posix())

    def file_hashes(self) -> dict[str, str]:
        """SHA-256 of each file that the recipe names, by its name."""
        home = self._folder or Path()
        inside = [home.resolve(), *(Path(one).resolve() for one in self._allow)]
        files = {name: (home / name).resolve() for name in sorted(set(_texts(self.scene))) if is_file(home / name)}
        return {
            name: hashlib.sha256(read_file(file, "archive")).hexdigest()
            for name, file in files.items()
            if any(file.is_relative_to(one) for one in inside)
        }

    def _table(self) -> dict[str, Any]:
        return self.scene if self.base is None else _joined(_stock(self.base), self.scene)


def read_recipe(path: str | os.PathLike[str], *, allow: Iterable[str | os.PathLike[str]] = ()) -> Recipe:
    """Read a recipe from its .toml file; files that it names are relative to its folder.

    path   the .toml file
    allow  folders outside of its own from which it may name files
    """
    file = Path(path)
    if file.suffix != ".toml":
        raise SceneError(f"a recipe is a .toml file; it is '{os.fspath(path)}'. See docs/datasets.md.")
    recipe = parse_recipe(read_file(file, "scene_file", what="the recipe"), origin=file.name)
    recipe._folder, recipe._allow = file.parent.resolve(), tuple(os.fspath(one) for one in allow)
    _try(recipe)
    return recipe


def parse_recipe(content: bytes | str, *, origin: str = "recipe") -> Recipe:
    """Read a recipe from its text; `origin` names it in error messages.

    content  the TOML text
    origin   its name in error messages
    """
    table = parse_toml(content, origin=origin, error=SceneError)
    try:
        recipe = Recipe.model_validate(table)
    except ValidationError as error:
        raise SceneError(first_error(error, origin, whole="a recipe")) from None
    if recipe.samples > MOST_SHARDS * recipe.shard:
        raise SceneError(
            f"{origin}: a data set has at most {MOST_SHARDS:,} shards; shard = {recipe.shard} makes more. Raise shard."
        )
    if recipe.base is not None and recipe.base not in scene_names():
        raise SceneError(
            f"{origin}: base is a stock scene; '{recipe.base[:40]}' is not one of them. See windflower scenes."
        )
    return recipe


def _try(recipe: Recipe) -> None:
    """Draw a few samples, so that most mistakes are found before any work is done."""
    for sample in range(min(recipe.samples, TRIED)):
        recipe.draws(sample)


def _texts(value: Any) -> Iterator[str]:
    """All texts in a table."""
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _texts(each)
    elif isinstance(value, str) and "\0" not in value:
        yield value


@lru_cache(maxsize=4)
def _stock(name: str) -> dict[str, Any]:
    return parse_toml(scene_text(name), origin=f"{name}.toml", error=SceneError)


def _joined(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """A table with another laid over it: tables are joined, all else is replaced."""
    joined = dict(below)
    for name, value in above.items():
        old = joined.get(name)
        joined[name] = _joined(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return joined
