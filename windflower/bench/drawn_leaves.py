"""What drawing leaves costs: whole frames of aspens in a wind, in leaf and bare."""

import numpy as np

from windflower.bench.timing import rate_of
from windflower.core.device import Gpu
from windflower.render.daylight import daylight
from windflower.render.film import Film, surroundings
from windflower.scene import build, parse_scene

__all__ = ["seconds_to_draw"]

SCENE = """
size = [{width}, {height}]
[[stands]]
plant = "quaking-aspen"
count = {trees}
area = {{ kind = "rectangle", size = [{side}, {side}] }}
motion = "cantilever"
[wind]
speed = 4.0
"""
APART = 5.0  # m from tree to tree, on average


def seconds_to_draw(gpu: Gpu, trees: int, size: tuple[int, int], *, seconds: float) -> tuple[int, float]:
    """How many leaves so many aspens have at their finest level, and seconds that those add to a frame.

    All of them flutter in the vertex shader of the shadow and of the view pass.
    """
    width, height = size
    text = SCENE.format(width=width, height=height, trees=trees, side=APART * np.sqrt(trees))
    film = Film(build(parse_scene(text)), gpu=gpu, quality="good")
    stand = film.stage.stands[0]
    stand.finest = np.arange(trees)
    film.stage.advance(0.5)
    in_leaf = 1 / rate_of(lambda count: _draw(film, count), seconds)
    leaves = sum(mesh.leaf_count for mesh in stand.meshes[:1]) * trees
    for mesh in stand.meshes:
        mesh.leaves = None
    return leaves, in_leaf - 1 / rate_of(lambda count: _draw(film, count), seconds)


def _draw(film: Film, count: int) -> None:
    view, scene, renderer = film.scene.camera.view(0.0), film.scene, film.renderer
    light = daylight(scene.sun.direction(0.0), clouds=0.4)
    drawn = film.stage.frame(view.eye, renderer.projection(view), renderer.pixel(view), light.sun, 10**9, alone=True)
    bounds = (drawn.middle, drawn.radius, drawn.height)
    around = surroundings(scene, view, 0.0)
    for frame in range(count):
        renderer.draw(view, light, drawn.blocks, time=frame / 60, around=around, bounds=bounds)
    renderer.read()
