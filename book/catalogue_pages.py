"""Pages of all that has a name: species, woods, winds, scenes; from their own files."""

import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from windflower.mechanics import wood_names, wood_of
from windflower.mechanics.wood import Rayleigh
from windflower.plant.species import species_names, species_of
from windflower.plant.species.settings import Species
from windflower.scene import read_scene, scene_names
from windflower.wind import PRESETS, SOURCES, beaufort_of, beaufort_speed

__all__ = ["catalogue_pages"]

DOCS = Path(__file__).parents[1] / "docs"
SPECIES = """\
# All species

Each picture shows one specimen in four winds: calm, breeze, gale and storm; in water, in currents of 0, 0.1, 0.2
and 0.4 m/s. `windflower view NAME` opens it in a window, `windflower modes NAME` tells how it sways. Numbers are
from [species files](species-file.md); [species](species.md) compares grown trees with published ones.
"""
WOODS = """\
# All woods

Green wood, as it stands in a tree. `windflower modes oak --wood ash` takes another; a `.toml` file with the same
keys is a wood of your own. A damping ratio holds for every mode; where two numbers stand, they are Rayleigh's alpha
in 1/s and beta in s. "Tabulated" is the mean of green stem wood in timber catalogues (Spatz & Pfisterer 2013
compare three of them); "estimate" is of the right order, not measured.

| name | E, GPa | density, kg/m³ | damping | source |
|---|---|---|---|---|
"""
WINDS = """\
# All winds

Wherever a wind is asked for: one of these names, a speed in m/s, a Beaufort number such as `b6`, or a file of a
mast, of TurbSim, or an array ([the wind](wind.md), [your own](own-wind.md)). Speeds are means at 10 m; gusts and
turbulence come on top.

| name | Beaufort | mean, m/s | |
|---|---|---|---|
"""
SCENES = """\
# All scenes

`windflower view NAME` opens one in a window, `windflower render NAME -o clip.mp4` makes a clip. Each is a [scene
file](scene-file.md), shown whole: copy one to begin your own.
"""


def catalogue_pages() -> Iterator[tuple[str, str]]:
    """Name and text of each page."""
    yield "all-species", SPECIES + "".join(_species(species_of(name)) for name in species_names())
    yield "woods", WOODS + "\n".join(_wood(name) for name in wood_names()) + "\n"
    yield "winds", _winds()
    yield "all-scenes", SCENES + "".join(_scene(name) for name in scene_names())


def _file(package: str, name: str) -> str:
    return (resources.files(package) / name).read_text("utf-8")


def _species(one: Species) -> str:
    picture = DOCS / "all-species" / f"{one.name}.webp"
    shown = f"![{one.title} in four winds](all-species/{picture.name})\n" if picture.exists() else ""
    rows = "\n".join(f"| {name} | {value} |" for name, value in _facts(one))
    text = _file("windflower.plant.species", f"{one.name}.toml")
    return (
        f"\n## {one.title}\n\n*{one.latin}*, `{one.name}`\n\n{shown}\n| | |\n|---|---|\n{rows}\n\n"
        f"Source: {one.source}.\n"
        f"{_folded('The species file, with the source of each number', text)}"
    )


def _facts(one: Species) -> Iterator[tuple[str, str]]:
    height = getattr(one.growth, "height", None)
    yield "height", f"{height:g} m" if height else "by its rules"
    yield "radius at the foot, of the thinnest twig", f"{100 * one.girth.trunk:.3g} cm, {1000 * one.girth.twig:.3g} mm"
    wood = wood_of(one.wood)
    yield "wood", f"[{one.wood}](woods.md): E {wood.E / 1e9:g} GPa, {wood.density:g} kg/m³"
    if one.leaf:
        yield "leaves", f"{one.leaf.shape}, {100 * one.leaf.length:.3g} cm long, {one.leaf.mass_per_area:g} kg/m²"
    yield "drag of the crown", f"C_D = {one.air.drag:g} U^-{one.air.streamlining:g}, U in m/s"
    if one.habitat == "land":
        yield "roots bear", f"{one.anchorage:g} N·m for each kg of stem"
    yield "grows by", one.growth.method


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
    shown = f"![{settings.title}]({still.relative_to(DOCS).as_posix()})\n" if still else ""
    text = _file("windflower", f"scenes/{name}.toml")
    about = " ".join(line[1:].strip() for line in text.splitlines()[:3] if line.startswith("#"))
    return f"\n## {settings.title}\n\n`{name}`. {about}\n\n{shown}{_folded('The scene file', text)}"


def _folded(title: str, toml: str) -> str:
    return f"\n<details><summary>{title}</summary>\n\n```toml\n{toml.strip()}\n```\n\n</details>\n"
