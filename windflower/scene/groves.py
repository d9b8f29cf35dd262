"""What of a scene's groves is there: trees grown from their seeds as they come into view, and forgotten after."""

from collections.abc import Collection, Sequence
from math import atan, hypot, radians, tan
from typing import Protocol, Self, TypeVar

import numpy as np

from windflower.motion.hybrid.grove import Grove
from windflower.motion.stand import Stand
from windflower.scene.camera import View

__all__ = ["Tile", "seen_from", "tiles_in_view", "with_tiles"]

Tile = tuple[int, int]
"""Which grove of a scene, and which of its tiles."""


class Planted(Protocol):
    """A scene, as far as its groves are concerned."""

    @property
    def stands(self) -> tuple[Stand, ...]:
        """Plants that are there."""

    @property
    def groves(self) -> tuple[Grove, ...]:
        """Trees that are seeds until they come into view."""

    def in_leaf(self, stand: Stand) -> Stand:
        """A stand with the leaves of the scene."""

    def with_stands(self, stands: tuple[Stand, ...]) -> Self:
        """The scene with other stands."""


S = TypeVar("S", bound=Planted)


def tiles_in_view(scene: Planted, view: View, aspect: float) -> list[Tile]:
    """The tiles of all groves that a view may show, each grove's nearest first."""
    sight = view.target - view.eye
    ahead = sight / max(float(np.linalg.norm(sight)), 1e-9)
    half = tan(radians(view.field_of_view) / 2)
    present = _present(scene.stands)
    return [
        (number, tile)
        for number, grove in enumerate(scene.groves)
        for tile in grove.in_view(view.eye, ahead, atan(half * hypot(1, aspect)), present.get(grove.seeds.table, ()))
    ]


def seen_from(scene: S, view: View, aspect: float, *others: View) -> S:
    """The scene with the trees that a view, or another, may show, and without those that none of them may."""
    if not scene.groves:
        return scene
    return with_tiles(scene, {tile for one in (view, *others) for tile in tiles_in_view(scene, one, aspect)})


def with_tiles(scene: S, tiles: Collection[Tile]) -> S:
    """The scene with these tiles of its groves and no others; the scene itself if it has just these."""
    known = {(stand.table, stand.tile): stand for stand in scene.stands}
    stands: list[Stand] = [stand for stand in scene.stands if stand.tile is None]
    for number, tile in sorted(tiles):
        grove = scene.groves[number]
        stands.append(known.get((grove.seeds.table, tile)) or scene.in_leaf(grove.tile(tile)))
    if len(stands) == len(scene.stands) and all(a is b for a, b in zip(stands, scene.stands, strict=True)):
        return scene
    return scene.with_stands(tuple(stands))


def _present(stands: Sequence[Stand]) -> dict[int, list[int]]:
    """The tiles that are there, by the table of their grove."""
    found: dict[int, list[int]] = {}
    for stand in stands:
        if stand.tile is not None:
            found.setdefault(stand.table, []).append(stand.tile)
    return found
