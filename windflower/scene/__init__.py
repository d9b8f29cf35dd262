"""What is there: stands of plants, wind, sun, ground and camera, as a scene file says.

scene file ──read_scene──> SceneSettings ──build──> Scene ──> window, video, picture
               ^                 │
               └───save_scene────┘

table, *_table, settings  what a file may say, table by table
files, toml, complaints   reading, writing, and what is wrong with it
scatter, layout           which tree stands where
stands, wind, sun, camera, path, ground, bounds   what the tables become
levels                    the same plants with fewer nodes, for those far away
subjects                  a scene of whatever a person names: a scene, a species, a plant's file
reference                 the page on scene files, made from the tables
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
