"""Pages of all that has a name: species, woods, winds, scenes; from their own files."""

import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from book.species_pictures import LAND, WATER
from windflower.mechanics import wood_names, wood_of
from windflower.mechanics.wood import Rayleigh
from windflower.plant.growth import grow
from windflower.plant.species import species_names, species_of
from windflower.plant.species.settings import Species
from windflower.scene import read_scene, scene_names
from windflower.wind import PRESETS, SOURCES, beaufort_of, beaufort_speed

__all__ = ["catalogue_pages"]

DOCS = Path(__file__).parents[1] / "docs"
SPECIES = """\
# All species

The species you can grow by name. Each picture shows the same specimen in four winds, or in four currents of water.

`windflower view NAME` opens a species in the viewer, `windflower modes NAME` computes its natural frequencies. The
numbers come from its [species file](species-file.md), which is folded below each entry; [Species](species.md) compares
grown trees with published measurements. To add one, see [Your own species](own-species.md).
"""
STRIP = """\
:::{{figure}} all-species/{name}.webp
:alt: {caption}
:figclass: strip

{caption}.
:::
"""
FLOWS = {
    "land": f"in a {', a '.join(LAND[:-1])} and a {LAND[-1]}",
    "water": f"in currents of {', '.join(f'{one:g}' for one in WATER[:-1])} and {WATER[-1]:g} m/s",
}
"""What the four pictures of a species show, by where it lives."""

WOODS = """\
# All woods

The materials you can give a plant, as green wood in a standing tree. A species has a wood already; `--wood` changes
it, for example `windflower modes oak --wood ash`. For a wood of your own, write a `.toml` file with at least `E` in Pa
and `density` in kg/m³, and give its path (`windflower fit` writes such files).

The damping ratio is the same for every mode; where there are two numbers, they are Rayleigh's alpha in 1/s and beta
in s. "Tabulated" means the mean of green stem wood in timber catalogues (Spatz & Pfisterer 2013 compare three of
them); an "estimate" has the right order of magnitude, but was not measured.

:::{container} entries woods

| name | E, GPa | density, kg/m³ | damping | source |
|---|---|---|---|---|
"""
WINDS = """\
# All winds

Every command that takes a wind (`--wind`) accepts a mean speed in m/s (`9`, `9.5m/s`), a Beaufort number (`b6`,
`6bft`), one of the names below, or a file: a recording from a mast, a TurbSim box or an array. A bare number is m/s.
[Your own wind](own-wind.md) shows how, and [the wind](wind.md) explains the model. Speeds are means at 10 m; gusts and
turbulence are added.

| name | Beaufort | mean, m/s | |
|---|---|---|---|
"""
SCENES = """\
# All scenes

The scenes that come with Windflower. `windflower view NAME` opens one in the viewer, `windflower render NAME -o
clip.mp4` makes a clip. Each is a [scene file](scene-file.md), folded below its picture: copy one to start your own.
"""


def catalogue_pages() -> Iterator[tuple[str, str]]:
    """Name and text of each page."""
    yield "all-species", SPECIES + "".join(_species(species_of(name)) for name in species_names())
    yield "woods", WOODS + "\n".join(_wood(name) for name in wood_names()) + "\n\n:::\n"
    yield "winds", _winds()
    yield "all-scenes", SCENES + "".join(_scene(name) for name in scene_names())


def _file(package: str, name: str) -> str:
    return (resources.files(package) / name).read_text("utf-8")


def _species(one: Species) -> str:
    picture = DOCS / "all-species" / f"{one.name}.webp"
    shown = STRIP.format(name=one.name, caption=f"{one.title} {FLOWS[one.habitat]}") if picture.exists() else ""
    rows = "\n".join(f"| {name} | {value} |" for name, value in _facts(one))
    text = _file("windflower.plant.species", f"{one.name}.toml")
    return (
        f"\n## {one.title}\n\n*{one.latin}*, `{one.name}`\n\n{shown}\n| | |\n|---|---|\n{rows}\n\n"
        f"Source: {one.source}.\n"
        f"{_folded('The species file, with the source of each number', text)}"
    )


def _facts(one: Species) -> Iterator[tuple[str, str]]:
    height = getattr(one.growth, "height", None)
    yield "height", f"{height:g} m" if height else f"{grow(one, seed=2).height:.2g} m, as the specimen shown"
    yield "radius of the foot; of the thinnest twig", f"{100 * one.girth.trunk:.3g} cm; {1000 * one.girth.twig:.3g} mm"
    wood = wood_of(one.wood)
    yield "wood", f"[{one.wood}](woods.md): E {wood.E / 1e9:g} GPa, {wood.density:g} kg/m³"
    if one.leaf:
        yield "leaves", f"{one.leaf.shape}, {100 * one.leaf.length:.3g} cm long, {one.leaf.mass_per_area:g} kg/m²"
    yield "drag of the crown", f"C_D = {one.air.drag:g} U<sup>−{one.air.streamlining:g}</sup>, U in m/s"
    if one.habitat == "land":
        yield "roots hold", f"{one.anchorage:g} N·m per kg of stem"
    yield "growth method", one.growth.method


def _wood(name: str) -> str:
    one = wood_of(name)
    head = rf"^\[{re.escape(name)}\]\s*(#.*(?:\n#.*)*)"
    found = re.search(head, _file("windflower.mechanics", "woods.toml"), re.MULTILINE)
    source = " ".join(re.sub(r"^#\s*", "", found[1], flags=re.MULTILINE).split()) if found else ""
    ratio = one.damping
    damping = f"{ratio.alpha:g}, {ratio.beta:g}" if isinstance(ratio, Rayleigh) else f"{ratio:g}"
    return f"| `{name}` | {one.E / 1e9:g} | {one.density:g} | {damping} | {source} |"


def _winds() -> str:
    rows = []
    for name, step in PRESETS.items():
        speed = beaufort_speed(step)
        rows.append(f"| `{name}` | {step} | {speed:.1f} | {beaufort_of(speed)[1]} |")
    kinds = [f"| `{kind}` | {' '.join((table.__doc__ or '').split())} |" for kind, table in SOURCES.items()]
    return (
        WINDS
        + "\n".join(rows)
        + "\n\n## Beaufort's scale\n\n| number | middle, m/s | name |\n|---|---|---|\n"
        + "\n".join(f"| `b{n}` | {beaufort_speed(n):.1f} | {beaufort_of(beaufort_speed(n))[1]} |" for n in range(13))
        + "\n\n## Local winds of a scene\n\n"
        "Tables of `[[wind.sources]]`; their keys are in the [scene file](scene-file.md).\n\n"
        "| kind | |\n|---|---|\n" + "\n".join(kinds) + "\n"
    )


def _scene(name: str) -> str:
    settings = read_scene(name)
    still = next((DOCS / place for place in (f"stills/{name}.webp", f"{name}.webp") if (DOCS / place).exists()), None)
    text = _file("windflower", f"scenes/{name}.toml")
    about = " ".join(line[1:].strip() for line in text.splitlines()[:3] if line.startswith("#"))
    shown = f"![{about}]({still.relative_to(DOCS).as_posix()})\n" if still else f"{about}\n"
    return f"\n## {settings.title}\n\n`{name}`\n\n{shown}{_folded('The scene file', text)}"


def _folded(title: str, toml: str) -> str:
    return f"\n<details><summary>{title}</summary>\n\n```toml\n{toml.strip()}\n```\n\n</details>\n"
