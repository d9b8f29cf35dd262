"""Scenes for data passes, and the truth about one: triangles in the world at two times, and rays cast at them."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tests.drawn_leaves import DrawnLeaves, Seen, alpha_at, drawn_leaves
from tests.drawn_wood import bark_of, drawn_wood
from windflower.core.arrays import FloatArray, IntArray
from windflower.core.device import Gpu
from windflower.geometry.finishes import Bark
from windflower.geometry.frames import LeafConditions
from windflower.geometry.leaf_textures import leaf_mask
from windflower.geometry.lod_meshes import stand_meshes
from windflower.geometry.triangle_mesh import SHEETS, triangle_mesh
from windflower.mechanics.foliage import known_species
from windflower.render.film import PRE_ROLL, Film
from windflower.render.passes.frame_data import FrameData
from windflower.render.passes.pass_clip import PassClip
from windflower.render.passes.registry import PARTS, checked_passes
from windflower.scene import Scene, build, parse_scene
from windflower.simulation import DeviceSimulation

__all__ = [
    "ABOUT", "FPS", "GRASS", "GROUND", "LEAF", "SHEET", "SIZE", "START", "WALNUT", "WATER", "WOOD_PART", "Triangles",
    "Truth", "passes_of", "scene_of",
]  # fmt: skip

FPS, START = 32.0, 1.0  # moments that float32 has exactly, so that both see the same phase of every leaf
SIZE = (320, 240)
SCENE = """
size = [{width}, {height}]
[wind]
speed = {speed}
[ground]
kind = "{ground}"
[camera]
{camera}
"""
WALNUT = '[[stands]]\nplant = "walnut"\ndetail = 0.15\nmotion = { kind = "modal", modes = 10 }\n'
ABOUT = 'kind = "orbit"\ntarget = [0, 4, 0]\ndistance = 5\nturn = 6'
LEAF, WOOD_PART, SHEET, GROUND, GRASS, WATER = map(PARTS.index, ("leaf", "wood", "sheet", "ground", "grass", "water"))


def scene_of(
    stands: str, camera: str = ABOUT, ground: str = "sand", speed: float = 6.0, size: tuple[int, int] = SIZE
) -> Scene:
    width, height = size
    head = SCENE.format(camera=camera, ground=ground, speed=speed, width=width, height=height)
    return build(parse_scene(head + stands))


def passes_of(film: Film, *names: str, frames: int = 1, start: float = START) -> list[FrameData]:
    clip = PassClip(film, checked_passes(names))
    return list(clip.frames(frames / FPS, FPS, start))


@dataclass
class Triangles:
    """Triangles in the world at two times, with the coverage of leaves."""

    now: FloatArray
    after: FloatArray
    part: IntArray
    uv: FloatArray
    small: FloatArray
    mask: Any
    layer: int

    @cached_property
    def planes(self) -> tuple[FloatArray, FloatArray]:
        return self.now[:, 1] - self.now[:, 0], self.now[:, 2] - self.now[:, 0]

    def hit(self, eye: FloatArray, ray: FloatArray) -> tuple[int, FloatArray, float] | None:
        """The nearest triangle that a ray meets, by its volume with each of them (Möller and Trumbore 1997)."""
        first, second = self.planes
        across = np.cross(ray, second)
        volume = (first * across).sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            away = eye - self.now[:, 0]
            u = (away * across).sum(axis=1) / volume
            turned = np.cross(away, first)
            v = turned @ ray / volume
            t = (second * turned).sum(axis=1) / volume
            met = np.flatnonzero((u >= 0) & (v >= 0) & (u + v <= 1) & (t > 0.05))
        for at in met[np.argsort(t[met])]:
            share = np.array([1 - u[at] - v[at], u[at], v[at]])
            if self.part[at] != LEAF or self._covers(at, share):
                return int(at), share, float(t[at])
        return None

    def _covers(self, at: int, share: FloatArray) -> bool:
        uv = share @ self.uv[at]
        return bool(alpha_at(self.mask, self.layer, uv[None])[0] + self.small[at] >= 0.5)


Solid = tuple[FloatArray, IntArray]
"""Triangles (n, 3, 3) of wood and sheets, and which part each is."""


class Truth:
    """Two moments of the first plant of a scene, posed on the side."""

    def __init__(self, gpu: Gpu, scene: Scene) -> None:
        self.scene, self.stand = scene, scene.stands[0]
        self.mesh = stand_meshes(self.stand).meshes[0]
        self.simulation = DeviceSimulation(scene, gpu, start=-PRE_ROLL)
        self.simulation.advance(START - 1 / FPS)
        self.times = START, START + 1 / FPS
        self.poses = [self._posed(t) for t in self.times]

    def _posed(self, t: float) -> tuple[FloatArray, FloatArray, FloatArray]:
        self.simulation.advance(t)
        strain = self.simulation.strain(0, 0) if self.stand.motion.gives_strain else np.zeros(0)
        return self.simulation.pose(0, 0)[None], self.simulation.air(0)[:1], strain

    def triangles(self) -> Triangles:
        """Wood, leaves and sheets as they are drawn."""
        both = [self._at(*pose[:2], t) for pose, t in zip(self.poses, self.times, strict=True)]
        solid, leaves = zip(*both, strict=True)
        part = solid[0][1]
        count = 0 if leaves[0] is None else len(leaves[0].triangle)
        blank = np.zeros((len(part), 3, 2))
        species = known_species(self.stand.plant)
        leaf = species.leaf if species else None
        if not count:
            return Triangles(solid[0][0], solid[1][0], part, blank, np.zeros(len(part)), None, 0)
        return Triangles(
            np.concatenate([solid[0][0], leaves[0].triangle]),
            np.concatenate([solid[1][0], leaves[1].triangle]),
            np.concatenate([part, np.full(count, LEAF)]),
            np.concatenate([blank, leaves[0].triangle_uv]),
            np.concatenate([np.zeros(len(part)), np.repeat(leaves[0].small.ravel(), 2)]),
            leaf_mask(leaf.shape, leaf.aspect),  # type: ignore[union-attr]
            self.mesh.sprig.layer,
        )

    def _at(self, points: FloatArray, air: FloatArray, t: float) -> tuple[Solid, DrawnLeaves | None]:
        place, species = self.stand.places.some(np.array([0])), known_species(self.stand.plant)
        conditions = LeafConditions(air=place.turned_to_plant(air[:, None])[:, 0], time=t, foliage=self.stand.foliage)
        mesh = triangle_mesh(self.mesh, points, leaves=conditions).placed(place)
        eye = self.scene.camera.view(t).eye
        sheets = mesh.position[0][mesh.triangle[mesh.part == SHEETS]]
        wood = drawn_wood(self.mesh, points, place, eye, bark_of(Bark.of(species)))
        solid = np.concatenate([wood, sheets]), np.repeat([WOOD_PART, SHEET], [len(wood), len(sheets)])
        if species is None or species.leaf is None or not len(self.mesh.leaves):
            return solid, None
        view = self.scene.camera.view(START)  # how small a leaf is, is asked of the camera of the frame that is shown
        seen = Seen(view.eye, view.pixel(SIZE))
        return solid, drawn_leaves(self.mesh, species.leaf, points, conditions, place, seen)

    def rays(self, pixels: IntArray) -> FloatArray:
        """(n, 3) rays through the middles of pixels (n, 2): row, column; 1 m along the camera's axis."""
        view = self.scene.camera.view(START)
        matrix = np.linalg.inv(view.projection(SIZE))
        flat = np.column_stack([
            (pixels[:, 1] + 0.5) / SIZE[0] * 2 - 1, 1 - (pixels[:, 0] + 0.5) / SIZE[1] * 2, np.ones((len(pixels), 2))
        ]) @ matrix.T  # fmt: skip
        ray = flat[:, :3] / flat[:, 3:] - view.eye
        ahead = (view.target - view.eye) / np.linalg.norm(view.target - view.eye)
        return np.asarray(ray / (ray @ ahead)[:, None])

    def projected(self, points: FloatArray, t: float) -> FloatArray:
        clip = np.column_stack([points, np.ones(len(points))]) @ self.scene.camera.view(t).projection(SIZE).T
        return (clip[:, :2] / clip[:, 3:] * (1, -1) + 1) / 2 * SIZE
