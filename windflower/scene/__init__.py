"""The scene: stands of plants, wind, sun, ground and camera, as a scene file describes them.

scene, species, plant file ──subjects──┐
scene file ──files: read_scene─────────┴─> settings: SceneSettings ──scene: build──> Scene ──> simulation, render
    ^                                          │
    └───────────────files: save_scene──────────┘

Tables of the file          settings, stand_table, wind_table, camera_table; those of sun, ground, terrain, density and
                            foliage stand beside what is built from them
Reading and writing         files; error_messages  what is wrong with a file; reference  docs/scene-file.md, generated
Where trees stand           layout ──> density (where trees may grow), scatter (dart throwing, rows) ──> Places
                            thinning  the same scene with more or fewer trees
What the tables become      stands (plants and motions, cached), objects (flags, signs), foliage, wind, sun,
                            ground ──> terrain ──> maps, camera ──> projection (matrices), bounds
"""

from windflower.motion.stand import Stand
from windflower.scene.camera import Camera, View
from windflower.scene.files import parse_scene, read_scene, save_scene, scene_names
from windflower.scene.ground import Ground
from windflower.scene.scene import Scene, build
from windflower.scene.settings import SceneSettings
from windflower.scene.stands import PlantCache, Progress
from windflower.scene.subjects import scene_of, settings_of
from windflower.scene.sun import Sun

__all__ = [
    "Camera",
    "Ground",
    "PlantCache",
    "Progress",
    "Scene",
    "SceneSettings",
    "Stand",
    "Sun",
    "View",
    "build",
    "parse_scene",
    "read_scene",
    "save_scene",
    "scene_names",
    "scene_of",
    "settings_of",
]
