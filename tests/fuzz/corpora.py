"""Good files to begin with: made by our own writers, or as other programs write them. Each is a few kilobytes."""

import io
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from tests.fuzz.plants import random_plant
from tests.fuzz.structures import array_file
from tests.fuzz.target import rng_of
from tests.importer_files import WRITERS, oak
from tests.mast_files import MASTS
from windflower import Modes, Plant, SpectralMotion, analyse, grow
from windflower.scene import scene_names
from windflower.scene.reference import EXAMPLE
from windflower.wind import ArrayWind, TurbSimBox, Turbulence, write_array, write_bts

__all__ = [
    "arrays", "boxes", "loops", "maps", "modes_files", "pictures", "plant_files", "real_files", "recordings",
    "scene_files", "small_box", "small_modes", "species_files",
]  # fmt: skip

REAL = Path(__file__).parents[3] / "shared" / "data"
LARGEST_REAL = 300_000  # bytes


def _written(suffix: str, *writers: Callable[[Path], None]) -> tuple[bytes, ...]:
    with TemporaryDirectory() as folder:
        path, found = Path(folder) / f"x{suffix}", []
        for write in writers:
            write(path)
            found.append(path.read_bytes())
    return tuple(found)


@cache
def plant_files(kind: str) -> tuple[bytes, ...]:
    """Plants in one of the formats of `WRITERS`."""
    suffix, write = WRITERS[kind]
    plants = [oak(), *(random_plant(rng_of(0, "corpus", index)) for index in range(4))]
    if kind == "archive":
        plants.append(grow("violet", detail=0.1))
    return _written(suffix, *(lambda path, plant=plant: write(plant, path) for plant in plants))


@cache
def species_files() -> tuple[bytes, ...]:
    """The species that come with Windflower."""
    folder = resources.files("windflower.plant.species")
    return tuple(file.read_bytes() for file in sorted(folder.iterdir(), key=str) if file.name.endswith(".toml"))


@cache
def scene_files() -> tuple[bytes, ...]:
    """The scenes that come with Windflower, and the example of the manual."""
    folder = resources.files("windflower") / "scenes"
    return EXAMPLE.encode(), *((folder / f"{name}.toml").read_bytes() for name in scene_names())


@cache
def recordings() -> tuple[bytes, ...]:
    """Winds as anemometers write them."""
    rows = [(0.1 * i, 5 + np.sin(i), 0.3 * np.cos(2 * i), 0.1 * (i % 3)) for i in range(40)]
    plain = "\n".join(",".join(f"{value:.3f}" for value in row) for row in rows)
    named = "Time [s];u;v;w\n" + plain.replace(",", ";")
    tabs = "# a comment\nt\tux\tuy\n" + plain.replace(",", "\t")
    return tuple(text.encode() for text in (plain, named, tabs, *MASTS.values()))


@cache
def small_box() -> TurbSimBox:
    """A box of wind."""
    numbers = np.random.default_rng(1).normal(6, 1, (5, 3, 4, 3))
    return TurbSimBox(velocity=numbers, dt=0.2, dy=2.0, dz=2.0, hub_speed=6.0, hub_height=8.0, bottom=4.0, note="mine")


@cache
def boxes() -> tuple[bytes, ...]:
    """TurbSim's boxes."""
    box = small_box()
    tower = replace(box, tower=box.velocity[:, 0, :2], periodic=True)
    return _written(".bts", lambda path: write_bts(box, path), lambda path: write_bts(tower, path))


@cache
def arrays(suffix: str) -> tuple[bytes, ...]:
    """Winds as arrays of velocities."""
    values = np.random.default_rng(2).normal(5, 1, (4, 3, 2, 3, 3))
    if suffix == ".npy":
        return array_file(values), array_file(values.astype(np.float32))
    wind = ArrayWind(values=values, box=[[0, 0, 0], [4, 2, 4]], step=0.2, start=1.0)
    return _written(".npz", lambda path: write_array(wind, path))


@cache
def maps() -> tuple[bytes, ...]:
    """Maps as arrays."""
    heights = np.add.outer(np.arange(7.0), np.arange(5.0) ** 2)
    return tuple(array_file(a) for a in (heights, heights.astype(np.uint16), heights > 4, heights.T.copy(order="F")))


@cache
def pictures() -> tuple[bytes, ...]:
    """Maps as pictures of every depth, and other formats under a picture's name."""
    from PIL import Image

    grey = (np.add.outer(np.arange(9), np.arange(6)) * 17 % 251).astype(np.uint8)
    drawn = [
        Image.fromarray(grey),
        Image.fromarray(grey.astype(np.uint16) * 257),
        Image.fromarray(np.dstack([grey] * 3)),
    ]
    drawn += [Image.fromarray(np.dstack([grey] * 4)), Image.fromarray(grey > 99), Image.fromarray(grey).convert("P")]
    found = [_picture(picture, "PNG") for picture in drawn]
    found += [_picture(drawn[0], kind) for kind in ("BMP", "GIF", "TIFF", "JPEG", "PPM", "TGA", "PCX", "ICO")]
    eps = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 6\n%%EndComments\n0 setgray\nshowpage\n"
    return *found, eps


def _picture(picture: "object", kind: str) -> bytes:
    file = io.BytesIO()
    picture.save(file, kind)  # type: ignore[attr-defined]
    return file.getvalue()


@cache
def small_modes() -> Modes:
    """Modes of a small plant with leaves."""
    return analyse(grow("violet", detail=0.1), count=3, cells=2, cache=False)


@cache
def modes_files() -> tuple[bytes, ...]:
    """Modes that were kept by an earlier run."""
    pole = Plant(parent=range(-1, 5), position=np.outer(np.arange(6.0), [0, 1, 0]), radius=np.full(6, 0.05))
    return _written(
        ".npz", *(lambda path, m=m: m.save(path) for m in (small_modes(), analyse(pole, count=2, cache=False)))
    )


@cache
def loops() -> tuple[bytes, ...]:
    """Loops that were saved."""
    motion = SpectralMotion(small_modes(), period=2.0, wind=Turbulence(speed=4.0), headings=2)
    return _written(".npz", motion.save)


@cache
def real_files() -> tuple[tuple[str, bytes], ...]:
    """Suffix and content of other people's trees and winds, where they lie beside the checkout."""
    paths = sorted(path for path in REAL.rglob("*") if path.is_file()) if REAL.is_dir() else []
    kinds = (".mtg", ".txt", ".csv", ".mat", ".bts")
    small = [path for path in paths if path.suffix in kinds and path.stat().st_size < LARGEST_REAL]
    return tuple((path.suffix, path.read_bytes()) for path in small)
