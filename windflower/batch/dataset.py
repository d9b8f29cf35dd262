"""`make_dataset`: a folder of samples as a recipe says, in shards that WebDataset reads.

folder/
  recipe.json           what the samples are made of; another recipe needs another folder
  shard-00000.tar       samples 0 to 99: 00000000.json, 00000000.0000.rgb.png, …
  shard-00000.json      its hash and those of its samples
  manifest.json         written when all of them are there
  index.html            what was drawn how often, with contact-sheet.png
  .pieces/              samples of shards that are not whole yet

It goes on after any end: what has a name in the folder is whole.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from windflower.batch.pieces import Pieces, held
from windflower.batch.recipe import Recipe
from windflower.batch.sample import make_sample, sample_key
from windflower.batch.summary import write_summary
from windflower.batch.workers import Workers
from windflower.core.files import check_folder, replacing
from windflower.core.reading import read_file
from windflower.errors import FileError

__all__ = ["make_dataset"]

END = bytes(1024)  # of a .tar file
Told = Callable[[int, int], None]


def make_dataset(
    recipe: Recipe,
    folder: str | os.PathLike[str],
    *,
    workers: Workers | None = None,
    told: Told | None = None,
) -> Path:
    """Make the samples of a recipe, or those that are missing in the folder; returns its manifest.

    recipe   what is drawn, from `read_recipe` or `parse_recipe`
    folder   the folder to write; one that holds a part of the same data set is completed
    workers  who makes them; by default this process
    told     called after every sample with how many are done and how many there are
    """
    place = check_folder(folder)
    place.mkdir(parents=True, exist_ok=True)
    with held(place):
        _check_recipe(recipe, place)
        shards, pieces = (
            [_Shard(recipe, place, number) for number in range(-(-recipe.samples // recipe.shard))],
            Pieces(place),
        )
        return _Making(recipe, place, shards, pieces, told or (lambda *_: None)).run(workers or Workers())


class _Shard:
    """Samples of one .tar file."""

    def __init__(self, recipe: Recipe, folder: Path, number: int) -> None:
        self.number = number
        self.samples = range(number * recipe.shard, min((number + 1) * recipe.shard, recipe.samples))
        self.file, self.about = (folder / f"shard-{number:05d}{suffix}" for suffix in (".tar", ".json"))

    @property
    def is_done(self) -> bool:
        """Whether its two files are there and fit one another."""
        return self.about.is_file() and self.file.is_file() and self.facts()["bytes"] == self.file.stat().st_size

    def facts(self) -> dict[str, Any]:
        return json.loads(read_file(self.about, "scene_file", what="a shard's list"))

    def write(self, pieces: Pieces) -> None:
        """Write its files; the .tar file last, so that it is there only with its list."""
        whole, size, samples = hashlib.sha256(), 0, dict[str, str]()
        with replacing(self.file) as temporary:
            with temporary.open("wb") as file:
                for content in (*(pieces.content(number) for number in self.samples), END):
                    file.write(content)
                    whole.update(content)
                    size += len(content)
                    if content is not END:
                        samples[sample_key(self.samples[len(samples)])] = hashlib.sha256(content).hexdigest()
            facts = {"file": self.file.name, "bytes": size, "sha256": whole.hexdigest(), "samples": samples}
            _write_json(self.about, facts)
        for number in self.samples:
            pieces.drop(number)


class _Making:
    """A data set that is being made."""

    def __init__(self, recipe: Recipe, folder: Path, shards: list[_Shard], pieces: Pieces, told: Told) -> None:
        self.recipe, self.folder, self.shards, self.pieces, self.told = recipe, folder, shards, pieces, told

    def run(self, workers: Workers) -> Path:
        whole = {shard.number for shard in self.shards if shard.is_done}
        done = {number for number in self.pieces.done() if number // self.recipe.shard not in whole}
        done |= {number for shard in self.shards if shard.number in whole for number in shard.samples}
        self.told(len(done), self.recipe.samples)
        self._finish(whole, done)
        missing = [number for number in range(self.recipe.samples) if number not in done]
        for number, content in workers.run(partial(make_sample, self.recipe), missing):
            self.pieces.keep(number, content)
            done.add(number)
            self.told(len(done), self.recipe.samples)
            self._finish(whole, done, [number])
        self.pieces.remove()
        manifest = self._manifest()
        write_summary(self.recipe, self.folder)
        return manifest

    def _finish(self, whole: set[int], done: set[int], since: Iterable[int] | None = None) -> None:
        """Write the shards whose samples are all there; with `since`, only those of these samples."""
        numbers = range(len(self.shards)) if since is None else {number // self.recipe.shard for number in since}
        for number in numbers:
            shard = self.shards[number]
            if number not in whole and done.issuperset(shard.samples):
                shard.write(self.pieces)
                whole.add(number)

    def _manifest(self) -> Path:
        facts = {
            "windflower": version("windflower"),
            "recipe": self.recipe.model_dump(mode="json"),
            "samples": self.recipe.samples,
            "shards": [shard.facts() for shard in self.shards],
        }
        _write_json(self.folder / "manifest.json", facts)
        return self.folder / "manifest.json"


def _check_recipe(recipe: Recipe, folder: Path) -> None:
    """Refuse a folder that another recipe has begun, or that holds other files."""
    file, text = folder / "recipe.json", json.dumps(recipe.model_dump(mode="json"), sort_keys=True, indent=1)
    if file.is_file():
        if read_file(file, "scene_file", what="the recipe").decode() != text:
            raise FileError(
                f"a folder holds the samples of one recipe; {folder} holds those of another. Use a new folder."
            )
        return
    other = sorted(each.name for each in folder.iterdir())
    if other:
        raise FileError(f"a data set gets a folder of its own; {folder} holds {other[0]}. Use a new folder.")
    with replacing(file) as temporary:
        temporary.write_text(text, "utf-8")


def _write_json(path: Path, facts: dict[str, Any]) -> None:
    with replacing(path) as temporary:
        temporary.write_text(json.dumps(facts, indent=1, sort_keys=True) + "\n", "utf-8")
