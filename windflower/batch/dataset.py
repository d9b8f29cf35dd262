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

import contextlib
import hashlib
import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from windflower.batch.own_version import own_version
from windflower.batch.pieces import Pieces, held
from windflower.batch.recipe import Recipe
from windflower.batch.sample import make_sample, sample_facts, sample_key
from windflower.batch.summary import write_summary
from windflower.batch.workers import Workers
from windflower.core.files import check_folder, replacing, unwritten
from windflower.core.reading import read_file
from windflower.core.temporary import sweep
from windflower.errors import FileError

__all__ = ["make_dataset"]

END = bytes(1024)  # of a .tar file
RECIPE = "recipe.json"
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
    with _made(place), held(place), _begun(recipe, place):
        return _Making(recipe, place, told or (lambda *_: None)).run(workers or Workers())


@contextlib.contextmanager
def _made(folder: Path) -> Iterator[None]:
    """Make the folder and those above it; after an end that leaves nothing in them, they go again."""
    new = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritten(folder, error) from None
    try:
        yield
    finally:
        for each in new:
            with contextlib.suppress(OSError):  # there is something in it
                each.rmdir()


@contextlib.contextmanager
def _begun(recipe: Recipe, folder: Path) -> Iterator[None]:
    """Say in the folder of which recipe it is; after an end before the first sample, nothing is said."""
    is_new = _check_recipe(recipe, folder)
    try:
        yield
    finally:
        if is_new and not any(folder.glob("shard-*")) and not (pieces := Pieces(folder)).done():
            pieces.remove()
            (folder / RECIPE).unlink()


class _Shard:
    """Samples of one .tar file."""

    def __init__(self, recipe: Recipe, folder: Path, number: int) -> None:
        self.number = number
        self.samples = range(number * recipe.shard, min((number + 1) * recipe.shard, recipe.samples))
        self.file, self.about = (folder / f"shard-{number:05d}{suffix}" for suffix in (".tar", ".json"))

    @property
    def is_done(self) -> bool:
        """Whether its two files are there and fit one another."""
        if not self.about.is_file() or not self.file.is_file():
            return False
        try:
            facts = self.facts()
        except ValueError:  # no JSON: it was changed by others
            return False
        return isinstance(facts, dict) and facts.get("bytes") == self.file.stat().st_size

    def facts(self) -> Any:
        """What its .json file says."""
        return json.loads(read_file(self.about, "scene_file", what="a shard's list"))

    def write(self, pieces: Pieces) -> None:
        """Write its files; the .tar file last, so that it is there only with its list."""
        whole, size, samples, drivers = hashlib.sha256(), 0, dict[str, str](), Counter[str]()
        with replacing(self.file, durable=True) as temporary:
            with temporary.open("wb") as file:
                for number in self.samples:
                    content = pieces.content(number)
                    file.write(content)
                    whole.update(content)
                    size += len(content)
                    samples[sample_key(number)] = hashlib.sha256(content).hexdigest()
                    drivers[sample_facts(content).get("driver", "")] += 1
                file.write(END)
                whole.update(END)
            facts = {"file": self.file.name, "bytes": size + len(END), "sha256": whole.hexdigest()}
            _write_json(self.about, facts | {"drivers": dict(drivers), "samples": samples})
        for number in self.samples:
            pieces.drop(number)


class _Making:
    """A data set that is being made.

    lacking  samples of shards that are begun and not whole, by shard
    """

    def __init__(self, recipe: Recipe, folder: Path, told: Told) -> None:
        self.recipe, self.folder, self.told, self.pieces = recipe, folder, told, Pieces(folder)
        self.shards = [_Shard(recipe, folder, number) for number in range(-(-recipe.samples // recipe.shard))]
        self.lacking: dict[int, set[int]] = {}

    def run(self, workers: Workers) -> Path:
        kept = self.pieces.done()
        left = [shard for shard in self.shards if not shard.is_done and not self._finished(shard, kept)]
        done = self.recipe.samples - sum(number not in kept for shard in left for number in shard.samples)
        self.told(done, self.recipe.samples)
        if left:  # no worker starts for nothing
            job = partial(make_sample, self.recipe)
            for number, content in workers.run(job, self._missing(left, kept), what="sample", resource="GPU"):
                self._keep(number, content)
                done += 1
                self.told(done, self.recipe.samples)
        self.pieces.remove()
        manifest = self._manifest()
        write_summary(self.recipe, self.folder)
        return manifest

    def _finished(self, shard: _Shard, kept: set[int]) -> bool:
        """Write a shard whose samples are all kept already."""
        if not kept.issuperset(shard.samples):
            return False
        shard.write(self.pieces)
        return True

    def _missing(self, left: list[_Shard], kept: set[int]) -> Iterator[int]:
        """Samples that are to be made, in order; their shards are begun as they are asked for."""
        for shard in left:
            self.lacking[shard.number] = {number for number in shard.samples if number not in kept}
            yield from sorted(self.lacking[shard.number])

    def _keep(self, number: int, content: bytes) -> None:
        """Keep a sample; the last one of a shard makes it whole."""
        self.pieces.keep(number, content)
        shard = self.shards[number // self.recipe.shard]
        self.lacking[shard.number].discard(number)
        if not self.lacking[shard.number]:
            shard.write(self.pieces)
            del self.lacking[shard.number]

    def _manifest(self) -> Path:
        shards = [shard.facts() for shard in self.shards]
        facts = {
            **_beginning(self.recipe),
            "samples": self.recipe.samples,
            "drivers": dict(sum((Counter(shard["drivers"]) for shard in shards), Counter[str]())),
            "bytes": sum(shard["bytes"] for shard in shards),
            "shards": [{**shard, "samples": len(shard["samples"])} for shard in shards],
        }
        _write_json(self.folder / "manifest.json", facts)
        return self.folder / "manifest.json"


def _beginning(recipe: Recipe) -> dict[str, Any]:
    """What all samples of a folder have in common."""
    return {"windflower": own_version(), "recipe": recipe.model_dump(mode="json"), "files": recipe.file_hashes()}


def _check_recipe(recipe: Recipe, folder: Path) -> bool:
    """Refuse a folder that something else has begun: another recipe, other files that it names, another version.

    Returns whether it is a new one, in which the recipe is written now.
    """
    file, now = folder / RECIPE, json.loads(json.dumps(_beginning(recipe)))
    if file.is_file():
        before = _said(file)
        for name, what in (
            ("recipe", "one recipe"),
            ("files", "one content of named files"),
            ("windflower", "one version of Windflower"),
        ):
            if before.get(name) != now[name]:
                raise FileError(f"a folder holds samples of {what}; {folder} holds those of another. Use a new folder.")
        return False
    sweep(folder)  # what a killed process has left of the recipe
    other = sorted(each.name for each in folder.iterdir())
    if other:
        raise FileError(f"a data set gets a folder of its own; {folder} holds {other[0]}. Use a new folder.")
    _write_json(file, now)
    return True


def _said(file: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(read_file(file, "scene_file", what="the recipe")))
    except (TypeError, ValueError):
        raise FileError(f"{file} says what its folder holds; it is damaged. Use a new folder.") from None


def _write_json(path: Path, facts: dict[str, Any]) -> None:
    with replacing(path, durable=True) as temporary:
        temporary.write_text(json.dumps(facts, indent=1, sort_keys=True) + "\n", "utf-8")
