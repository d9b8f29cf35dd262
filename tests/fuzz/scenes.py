"""Targets: random scenes of the scene file's own models, small enough to be moved and drawn; and strange plants."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz import corpora
from tests.fuzz.extremes import extreme_float
from tests.fuzz.invariants import (
    check_modes,
    check_motion,
    check_picture,
    check_plant,
    check_settings,
    check_simulation,
)
from tests.fuzz.plants import plant_of, strange_plant
from tests.fuzz.schemas import Drawing, Special, repaired, schema_of, toml_of
from tests.fuzz.target import Target
from windflower import (
    MOTIONS,
    SOURCES,
    ModalMotion,
    Scene,
    SceneSettings,
    Simulation,
    Steady,
    analyse,
    build_scene,
    read_scene,
)
from windflower.mechanics.objects import OBJECTS
from windflower.scene import PlantCache

__all__ = ["BESIDE", "SCENES", "draw_one", "scene_text"]

MANY = 2000  # trees, of which steps take longer than an input may; a scene of more is only built
SMALL = ("violet", "eelgrass", "hollyhock", "banana", "palm", "hazel-bush", "hosta", "giant-kelp")
BESIDE: dict[str, Callable[[], bytes]] = {
    "plant.mtg": lambda: corpora.plant_files("mtg")[0],
    "plant.csv": lambda: corpora.plant_files("archi")[1],
    "own.toml": lambda: next(file for file in corpora.species_files() if b"violet" in file.lower()),
    "map.png": lambda: corpora.pictures()[0],
    "map.npy": lambda: corpora.maps()[0],
    "wind.csv": lambda: corpora.recordings()[1],
    "wind.bts": lambda: corpora.boxes()[0],
    "wind.npz": lambda: corpora.arrays(".npz")[0],
}
"""Files that a scene may name, beside it."""


def scene_text(rng: Random, *, kinds: tuple[str, ...] = ()) -> bytes:
    """A scene file with a few small plants; every key of every table may stand in it."""
    wild, wrong = rng.choice(((0.0, 0.0), (0.0, 0.0), (0.03, 0.0), (0.15, 0.0), (0.02, 0.01), (0.1, 0.05)))
    special: dict[str, Special] = {
        "StandSettings.plant": _plant,
        "StandSettings.motion": partial(_motion, kinds or tuple(MOTIONS)),
        "StandSettings.changes": _changes,
        "StandSettings.detail": lambda d: d.rng.choice((0.02, 0.05, 0.1)),
        "StandSettings.count": lambda d: d.rng.randrange(1, 6),
        "StandSettings.specimens": lambda d: d.rng.choice((1, 1, 2)),
        "StandSettings.scale": _scale,
        "Row.rows": lambda d: d.rng.randrange(1, 4),
        "Row.start": lambda d: [d.rng.uniform(-50, 50), 0.0],  # not a hundred kilometres of trees
        "Row.end": lambda d: [d.rng.uniform(-50, 50), d.rng.uniform(-50, 50)],
        "WindSettings.sources": _sources,
        "WindSettings.file": lambda d: d.rng.choice(("wind.csv", "wind.bts", "wind.npz", "no.csv")),
        "TerrainSettings.file": lambda d: d.rng.choice((None, "map.png", "map.npy", "wind.csv")),
        "DensitySettings.file": lambda d: d.rng.choice((None, "map.png", "map.npy", "..")),
        "SceneSettings.size": lambda _: [64, 36],
        "SceneSettings.seconds": lambda d: d.rng.choice((0.2, 1.0, 2.0)),
        "SceneSettings.season": lambda d: d.rng.choice(("spring", "summer", "autumn", "winter", 100.0, 366.0)),
    }  # fmt: skip
    table = Drawing(rng, special, wild=wild, wrong=wrong).table(schema_of(SceneSettings), 0.35)
    table |= {"size": [64, 36], "seconds": table.get("seconds", 1.0)}
    if rng.random() < 0.9:
        table = repaired(rng, table, SceneSettings)
    stands = table.get("stands")
    for stand in stands if isinstance(stands, list) else []:
        if isinstance(stand, dict):
            stand.setdefault("detail", 0.05)
    return "\n".join(f"{json.dumps(str(key))} = {toml_of(value)}" for key, value in table.items()).encode()


def _plant(drawing: Drawing) -> str:
    others = ("plant.mtg", "plant.csv", "own.toml", "no.mtg")
    rng = drawing.rng
    return rng.choice(SMALL) if rng.random() < 0.7 else rng.choice((*OBJECTS, *others))


def _scale(drawing: Drawing) -> float:
    rng = drawing.rng
    return extreme_float(rng) if rng.random() < drawing.wild else rng.choice((0.3, 1.0, 3.0))


def _motion(kinds: tuple[str, ...], drawing: Drawing) -> Any:
    kind = drawing.rng.choice(kinds)
    table = drawing.table(schema_of(MOTIONS[kind].settings))
    if "of" in table:
        table["of"] = drawing.rng.choice(("modal", "cantilever", "hybrid", "spectral", {"kind": "modal", "modes": 3}))
    if "modes" in table:
        table["modes"] = drawing.rng.randrange(1, 12)
    return kind if drawing.rng.random() < 0.3 else {**table, "kind": kind}


def _sources(drawing: Drawing) -> list[Any]:
    kinds = [drawing.rng.choice(list(SOURCES)) for _ in range(drawing.rng.randrange(1, 3))]
    return [{**drawing.table(schema_of(SOURCES[kind])), "kind": kind} for kind in kinds]


def _changes(drawing: Drawing) -> dict[str, Any]:
    rng = drawing.rng
    number = extreme_float(rng) if rng.random() < drawing.wild * 3 else rng.uniform(0.2, 4.0)
    species = ({"growth": {"height": number}}, {"girth": {"trunk": number / 20}}, {"leaf": {"per_metre": number}})
    return rng.choice(
        (*species, {"length": number}, {"leaf": {"droop": number}}, {"width": number, "pole": 4 + number})
    )


def _put_beside(folder: Path) -> None:
    for name, content in BESIDE.items():
        (folder / name).write_bytes(content())


def _built(data: bytes, folder: Path) -> Scene:
    _put_beside(folder)
    path = folder / "scene.toml"
    path.write_bytes(data)
    settings = read_scene(path)
    check_settings(settings)
    scene = build_scene(settings, plants=PlantCache(keep=False))
    for stand in scene.stands:
        for instance in {0, len(stand) - 1}:
            check_plant(stand.tree(instance))
    return scene


def _simulated(data: bytes, folder: Path) -> bool:
    scene = _built(data, folder)
    if scene.trees > MANY:
        return True
    simulation = Simulation(scene)
    for moment in (0.05, 0.1, 0.3):
        simulation.advance(moment)
    check_simulation(simulation)
    return True


def _drawn(data: bytes, folder: Path) -> bool:
    from windflower import Film

    scene = _built(data, folder)
    film = Film(scene, quality="draft")
    picture = film.frame(0.1)
    check_simulation(film.simulation)
    check_picture(picture, scene)
    return True


def _bent(data: bytes, folder: Path) -> bool:
    del folder
    plant = plant_of(data)
    check_plant(plant)
    modes = analyse(plant, count=3, cache=False, wood="oak")
    check_modes(modes)
    check_motion(ModalMotion(modes), Steady(speed=6.0))  # type: ignore[arg-type]
    return True


def draw_one() -> None:
    """Compile the shaders once."""
    from windflower import Film, parse_scene

    Film(
        build_scene(parse_scene('size = [64, 36]\n[[stands]]\nplant = "violet"\ndetail = 0.1')), quality="draft"
    ).frame(0.1)


SCENES = [
    Target("bending", strange_plant, _bent, ".json", 1, "scenes"),
    Target("scene", scene_text, _simulated, ".toml", 1, "scenes"),
    Target("drawn", scene_text, _drawn, ".toml", 0.1, "drawn", draw_one),
]
