"""What a data set holds, on one page: a contact sheet, and how often what was drawn."""

import html
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.batch.reader import Sample, read_dataset
from windflower.batch.recipe import Recipe
from windflower.batch.sample import PICTURES
from windflower.core.files import replacing
from windflower.core.reading import read_file
from windflower.render.passes.pass_pictures import pass_picture
from windflower.render.passes.registry import checked_passes, layers_of

__all__ = ["write_summary"]

SHOWN = 48  # samples of the contact sheet
ACROSS = 8
ROWS = 6  # samples whose layers are shown side by side
WIDE = 160  # pixels of a picture in it
MOST = 10_000  # samples that statistics are taken of
BINS = 24
STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "img{max-width:100%}table{border-collapse:collapse}td,th{padding:.2rem .8rem;text-align:left;vertical-align:bottom}"
    "svg{height:2.5rem;width:14rem;fill:#4a7c59}th{border-bottom:1px solid #999}"
)


def write_summary(recipe: Recipe, folder: Path) -> Path:
    """Write contact-sheet.png and index.html into the folder of a whole data set; with data passes, passes.png too."""
    samples = list(_shown(recipe, folder))
    layers = [layer.name for layer in layers_of(checked_passes(recipe.passes))]  # the picture, if there is one, first
    _save(_grid([_middle(sample, layers[0]) for sample in samples], ACROSS), folder / "contact-sheet.png")
    if len(layers) > 1:
        few = samples[:: max(1, len(samples) // ROWS)][:ROWS]
        pictures = [_middle(sample, layer) for sample in few for layer in layers]
        _save(_grid(pictures, len(layers)), folder / "passes.png")
    manifest = json.loads(read_file(folder / "manifest.json", "archive"))
    with replacing(folder / "index.html") as temporary:
        temporary.write_text(_page(recipe, manifest, layers, _drawn(recipe)), "utf-8")
    return folder / "index.html"


def _shown(recipe: Recipe, folder: Path) -> Iterator[Sample]:
    """Samples of the contact sheet, evenly from the whole data set."""
    chosen = np.unique(np.linspace(0, recipe.samples - 1, min(SHOWN, recipe.samples)).astype(int))
    return read_dataset(folder, samples=chosen.tolist())


def _middle(sample: Sample, layer: str) -> NDArray[np.uint8]:
    """The middle frame of a layer as a small picture."""
    array = sample.frame(layer, len(sample.facts["frames"]) // 2)
    is_label = layer not in PICTURES and array.dtype.kind in "bu"
    return _small(pass_picture(layer, array), mixed=not is_label)


def _save(picture: NDArray[np.uint8], path: Path) -> None:
    from PIL import Image

    with replacing(path) as temporary:
        Image.fromarray(picture).save(temporary)


def _grid(pictures: list[NDArray[np.uint8]], most: int) -> NDArray[np.uint8]:
    """Pictures side by side, so many in a row."""
    high, across = max(map(len, pictures)), min(most, len(pictures))
    sheet = np.full((-(-len(pictures) // across) * (high + 4), across * (WIDE + 4), 3), 255, np.uint8)
    for index, picture in enumerate(pictures):
        row, column = divmod(index, across)
        top, left = row * (high + 4), column * (WIDE + 4)
        sheet[top : top + len(picture), left : left + WIDE] = picture
    return sheet


def _small(picture: NDArray[np.uint8], *, mixed: bool) -> NDArray[np.uint8]:
    """A picture of the sheet's width; colours that are labels are not `mixed`."""
    from PIL import Image

    how = Image.Resampling.LANCZOS if mixed else Image.Resampling.NEAREST
    high = max(1, round(WIDE * picture.shape[0] / picture.shape[1]))
    return np.asarray(Image.fromarray(picture[..., :3]).resize((WIDE, high), how))


def _drawn(recipe: Recipe) -> dict[str, list[Any]]:
    """What samples have drawn, by key."""
    found: dict[str, list[Any]] = {}
    for number in np.unique(np.linspace(0, recipe.samples - 1, min(MOST, recipe.samples)).astype(int)):
        for key, value in recipe.drawn(int(number)).items():
            found.setdefault(key, []).append(value)
    return found


def _page(recipe: Recipe, manifest: dict[str, Any], layers: list[str], drawn: dict[str, list[Any]]) -> str:
    title = html.escape(recipe.title or "A data set")
    rows = "".join(
        f"<tr><td><code>{html.escape(key)}</code></td>{_cells(values)}</tr>" for key, values in drawn.items()
    )
    table = f"<table><tr><th>key</th><th>drawn</th><th></th></tr>{rows}</table>" if rows else "<p>Nothing is drawn.</p>"
    drivers = ", ".join(f"{html.escape(name)} ({count:,})" for name, count in manifest["drivers"].items())
    passes = f'<p>{", ".join(layers)}:</p><img src="passes.png" alt="Layers of samples">' if len(layers) > 1 else ""
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><style>{STYLE}</style>'
        f"<h1>{title}</h1><p>{recipe.samples:,} samples in shards of {recipe.shard:,}, {manifest['bytes'] / 1e6:,.1f} "
        f"MB; Windflower {manifest['windflower']}, drawn by {drivers}.</p>"
        f'<img src="contact-sheet.png" alt="Middle frames of samples, evenly from the whole data set">{passes}'
        f"{table}</html>\n"
    )


def _cells(values: list[Any]) -> str:
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        numbers = np.asarray(values, float)
        told = f"{numbers.min():.4g} to {numbers.max():.4g}, mean {numbers.mean():.4g}"
        return f"<td>{told}</td><td>{_bars(_counts(values, numbers))}</td>"
    counts = Counter(map(str, values)).most_common()
    told = ", ".join(f"{html.escape(name)} {count / len(values):.0%}" for name, count in counts[:12])
    return f"<td>{told}</td><td>{_bars([count for _, count in counts[:BINS]])}</td>"


def _counts(values: list[Any], numbers: NDArray[np.float64]) -> list[int]:
    """How many are in each bin; few whole numbers have one each."""
    low, high = numbers.min(), numbers.max()
    if all(isinstance(value, int) for value in values) and high - low < BINS:
        return [values.count(number) for number in range(int(low), int(high) + 1)]
    return np.histogram(numbers, BINS)[0].tolist()


def _bars(counts: list[int]) -> str:
    """A histogram as a small drawing."""
    most = max(max(counts), 1)
    bars = "".join(
        f'<rect x="{i}" y="{1 - count / most:.3f}" width=".9" height="{count / most:.3f}"/>'
        for i, count in enumerate(counts)
    )
    return f'<svg viewBox="0 0 {len(counts)} 1" preserveAspectRatio="none">{bars}</svg>'
