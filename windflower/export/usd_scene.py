"""A scene in USD: each plant in a UsdGeomPointInstancer, with prototypes that are in different phases of its loop."""

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.export.instances import shared_phases
from windflower.export.look import Look
from windflower.export.moving_plant import MovingPlant
from windflower.export.usd_skin import moving_box, shifted_root, skinned_root
from windflower.export.usda import Prim, identifier, numbers, rows, targets

__all__ = ["instanced_root", "plant_names"]

PHASES = 8  # prototypes of a plant, at most


def instanced_root(name: str, plants: list[MovingPlant], looks: list[Look], stem: str) -> Prim:
    """The whole scene under a name; pictures of a plant lie beside `stem` and the plant's name."""
    root = Prim("Xform", name, 'kind = "assembly"')
    for own, moving, look in zip(plant_names(plants), plants, looks, strict=True):
        root.add(_instancer(own, moving, look, f"/{name}/{own}", f"{stem}_{own}"))
    return root


def plant_names(plants: list[MovingPlant]) -> list[str]:
    """A name for each plant, which no other has."""
    plain = [identifier(moving.name) for moving in plants]
    return [f"{own}_{number}" if plain.count(own) > 1 else own for number, own in enumerate(plain)]


def _instancer(name: str, moving: MovingPlant, look: Look, path: str, stem: str) -> Prim:
    places, (shares, which) = moving.places, shared_phases(len(moving.places), PHASES)
    prim = Prim("PointInstancer", name, 'kind = "group"')
    below = f"{path}/Prototypes"
    half = places.yaw / 2
    none = np.zeros(len(places))
    prim.set("int[] protoIndices", numbers(which, "%d"))
    prim.set("point3f[] positions", rows(places.position))
    prim.set("quath[] orientations", rows(np.column_stack([np.cos(half), none, np.sin(half), none]), "%.5g"))
    prim.set("float3[] scales", rows(np.repeat(places.scale[:, None], 3, axis=1)))
    prim.set("float3[] extent", rows(_box(moving)))
    prim.set("rel prototypes", targets(*(f"{below}/phase_{number}" for number in range(len(shares)))))
    scope = prim.add(Prim("Scope", "Prototypes"))
    scope.add(skinned_root("phase_0", [moving], [look], stem=stem, path=below))
    for number, share in enumerate(shares.tolist()[1:], 1):
        scope.add(shifted_root(f"phase_{number}", moving, share, f"{below}/phase_0"))
    return prim


def _box(moving: MovingPlant) -> FloatArray:
    """(2, 3) corners of the box around all instances, m."""
    corner = moving_box(moving)
    grid = np.array(np.meshgrid(*corner.T)).reshape(3, -1).T
    world = moving.places.to_world(np.broadcast_to(grid, (len(moving.places), *grid.shape)))
    return np.stack([world.min(axis=(0, 1)), world.max(axis=(0, 1))])
