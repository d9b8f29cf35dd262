"""A scene in USD: each plant in a UsdGeomPointInstancer, with prototypes that are in different phases of its loop."""

from typing import NamedTuple

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.export.instances import ahead, fair_share, shared_phases
from windflower.export.look import Look
from windflower.export.moving_plant import MovingPlant
from windflower.export.usd_skin import moving_box, shifted_root, skinned_root
from windflower.export.usda import Prim, identifier, numbers, targets

__all__ = ["instanced_root", "picture_name", "plant_names"]

PHASES = 8  # prototypes of all plants of a kind, at most, if they are not turned in many ways


def instanced_root(name: str, plants: list[MovingPlant], looks: list[Look], stem: str) -> Prim:
    """The whole scene under a name; pictures of a plant lie beside `stem` and the plant's name."""
    root = Prim("Xform", name, 'kind = "assembly"')
    names, kinds = plant_names(plants), [moving.name for moving in plants]
    for number, (own, moving, look) in enumerate(zip(names, plants, looks, strict=True)):
        most = fair_share(PHASES, moving.name, kinds)
        shares, which = shared_phases(len(moving.places), most)
        copies = _Copies((shares + ahead(number)) % 1, which)
        root.add(_instancer(own, moving, look, copies, f"/{name}/{own}", f"{stem}_{picture_name(plants, number)}"))
    return root


def plant_names(plants: list[MovingPlant]) -> list[str]:
    """A name for each plant, which no other has."""
    plain = [identifier(moving.name) for moving in plants]
    return [f"{own}_{number}" if plain.count(own) > 1 else own for number, own in enumerate(plain)]


def picture_name(plants: list[MovingPlant], number: int) -> str:
    """The name of a plant's pictures: that of the first of its kind, which is only turned differently."""
    return plant_names(plants)[[moving.name for moving in plants].index(plants[number].name)]


class _Copies(NamedTuple):
    """Prototypes of a plant: the share of its loop that each is ahead, and (count,) which of them each instance is."""

    share: FloatArray
    which: IntArray


def _instancer(name: str, moving: MovingPlant, look: Look, copies: _Copies, path: str, stem: str) -> Prim:
    places, (shares, which) = moving.places, copies
    prim = Prim("PointInstancer", name, 'kind = "group"')
    below = f"{path}/Prototypes"
    half = places.yaw / 2
    none = np.zeros(len(places))
    prim.set("int[] protoIndices", numbers(which, "%d"))
    prim.set("point3f[] positions", numbers(places.position))
    prim.set("quath[] orientations", numbers(np.column_stack([np.cos(half), none, np.sin(half), none]), "%.5g"))
    prim.set("float3[] scales", numbers(np.repeat(places.scale[:, None], 3, axis=1)))
    prim.set("float3[] extent", numbers(_box(moving)))
    prim.set("rel prototypes", targets(*(f"{below}/phase_{number}" for number in range(len(shares)))))
    scope = prim.add(Prim("Scope", "Prototypes"))
    ahead_by = shares.tolist()
    scope.add(skinned_root("phase_0", [moving.ahead(ahead_by[0])], [look], stem=stem, path=below))
    for number, share in enumerate(ahead_by[1:], 1):
        scope.add(shifted_root(f"phase_{number}", moving, share, f"{below}/phase_0"))
    return prim


def _box(moving: MovingPlant) -> FloatArray:
    """(2, 3) corners of the box around all instances, m."""
    corner = moving_box(moving)
    grid = np.array(np.meshgrid(*corner.T)).reshape(3, -1).T
    world = moving.places.to_world(np.broadcast_to(grid, (len(moving.places), *grid.shape)))
    return np.stack([world.min(axis=(0, 1)), world.max(axis=(0, 1))])
