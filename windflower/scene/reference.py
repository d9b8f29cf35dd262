"""Generates docs/scene-file.md from the tables themselves, so that it cannot be out of date."""

from pydantic import BaseModel

from windflower.core.table_page import examples_in, section
from windflower.motion.registry import MOTIONS
from windflower.scene.areas import Circle, Rectangle, Row
from windflower.scene.breaking import BreakSettings
from windflower.scene.camera_table import FixedCamera, FlyCamera, FramedCamera, Key, OrbitCamera
from windflower.scene.density import DensitySettings
from windflower.scene.files import parse_scene, read_scene, scene_names
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

MORE = {
    "The file": 'quality = { level = "best" }',
    "`[[stands]]`": """
species = "silver-birch"
wood = "oak"
leaves = false
gravity = false
roots = "clamped"
radii = "corrected"
unit = "cm"
diameter_unit = "mm"
up = "y"
flutter = 0.5""",
    "`stands.area`, a rectangle": "turn = 30",
    "`stands.area`, a row": "jitter = 0.4",
    "`stands.density`": 'file = "density.png"\nsize = [400, 400]\ncentre = [0, -100]',
    "`stands.motion`, modal": 'pose = "linear"\ntwigs = false\nintegrator = "paper"',
    "`stands.motion`, spectral": """
pose = "linear"
cells = 4
twigs = false
period = 12
drag = "doubled"
lines = "printed"
alpha = 0.3
reading = "linear\"""",
    "`stands.motion`, cantilever": """
limit = 15
frequency = 0.159
noise = 1
unison = 0
loads = "own"
weight = false
inertia = false""",
    "`stands.motion`, hybrid": """
catch = "same"
probe = "tree"
limit = 0.8
timing = "printed"
eddies = 0.3
fade = 2
fading = "linear"
torque = "printed"
integrator = "printed"
nesting = "felt"
reach = 30""",
    "`stands.motion`, broadleaf": """
mass = 1.5
length = 1.2
rigidity = 0.7
blade_rigidity = 0.5
transfer = 0.9
flutter = 0.5
wake = 0
texture = "plain"
wind_law = "paper"
weight = "sag"
constant_rigidity = 4e4
moments = false
handed_over = "longitudinal"
inertia = "own"
integrator = "paper"
longest = 0.004""",
    "`stands.motion`, loop": 'of = "cantilever"\nperiod = 8\nheadings = 4',
    "`[wind]`": """
beaufort = 6
file = "mast.csv"
columns = "time=TIMESTAMP,speed=WS_Avg"
mast_height = 12
repeat = true
spectrum = "karman"
gust_duration = 8
gust_width = 40
loop = 20
seed = 3
sources = [{ kind = "fan", place = [0, 2, 0], toward = [1, 0, 0], speed = 8 }]""",
    "`[[wind.gusts]]`": "direction = 250",
    "`[[wind.sources]]`, a vortex": 'spin = "right"',
    "`[[wind.sources]]`, a fan": "place = [-6, 2, 0]\ntoward = [1, 0, 0]\nspeed = 9\nradius = 1.5\nangle = 15",
    "`[[wind.sources]]`, an explosion": """
place = [0, 1, 0]
at = 2
strength = 30
speed = 60
thickness = 4
reach = 80""",
    "`[[wind.sources]]`, a front": "reach = 60",
    "`[[wind.sources]]`, a disk": 'phase = 90\nturbulence = 0.5\nbeat = "printed"',
    "`wind.profile`": "exponent = 0.25\nroughness = 0.03",
    "`wind.canopy`": "height = 18\nleaf_area = 4",
    "`[sun]`": "longitude = 9\nzone = 1\nturbidity = 4\nazimuth = 200\nelevation = 35",
    "`[ground]`": "colour = [0.1, 0.13, 0.05]\nsize = 400",
    "`ground.terrain`": 'file = "heights.png"',
    "`[camera]`, fixed": "over_ground = true\nfocus = 12",
    "`[camera]`, orbit": "clearing = 5\nover_ground = true\naperture = 0.02\nfocus = 12",
    "`[camera]`, framed": """
field_of_view = 35
clearing = 5
over_ground = true
aperture = 0.02
focus = 12
subject = "oak:2"
margin = 0.1
azimuth = 200
elevation = 10""",
    "`[camera]`, fly": 'aperture = 0.02\nfocus = 12\npace = "even"\nclosed = true',
    "`[[camera.keys]]`": "at = 4",
    "`[quality]`": 'level = "good"\nshadows = "planar"',
}
"""Examples of keys that no stock scene has, by section; two of them need not go together."""

INTRODUCTION = f"""\
# The scene file

For everyone who writes a scene: all keys, with examples. A scene is a TOML file: plants, wind, sun, ground and
camera. All it needs is one stand, a group of plants that move in one way:

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
    examples = _examples()
    return INTRODUCTION + "".join(section(title, model, examples[model]) for title, model in sections().items())


def _examples() -> dict[type[BaseModel], dict[str, str]]:
    """Examples of keys, by table: from stock scenes, then from the one above, then by hand."""
    found = examples_in([*(read_scene(name) for name in scene_names()), parse_scene(EXAMPLE)])
    for title, model in sections().items():
        by_hand = dict(line.split(" = ", 1) for line in MORE.get(title, "").splitlines() if line)
        stock = found.get(model, {})
        found[model] = {**by_hand, **{name: text for name, text in stock.items() if name not in by_hand}}
    return found


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
