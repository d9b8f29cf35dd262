"""Stands: plants that share one motion, and where they stand."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.errors import SceneError
from windflower.mechanics import Sheet
from windflower.motion import HybridMotion, LoopMotion, ModalMotion, Motion, Places
from windflower.motion.touch import Touch
from windflower.plant.graph import Plant
from windflower.scene.foliage import Foliage
from windflower.scene.things import fly_length
from windflower.wind import Wind, flag_air

__all__ = ["BlockStand", "Stand"]


@dataclass(frozen=True, eq=False)
class Stand:
    """Many instances of one plant that share one motion.

    name   species or file, and which specimen of it
    table  which of the scene's `[[stands]]` it comes from
    loop   what it plays in place of the motion, if it is to repeat
    foliage  what its leaves do; by default they flutter as those of the species
    twigs  whether those that its modes leave out quiver
    texture  veins that are drawn on blades; "own": the species'
    """

    name: str
    table: int
    plant: Plant
    motion: Motion[Any]
    places: Places
    loop: LoopMotion | None = None
    foliage: Foliage | None = None
    twigs: bool = False
    texture: str = "own"

    @property
    def modal(self) -> ModalMotion:
        """The motion of a stand that moves by modes, or repeats one."""
        if not isinstance(self.motion, ModalMotion):
            raise SceneError(f"{self.name} does not move by modes; its motion is a {type(self.motion).__name__}.")
        return self.motion

    def __len__(self) -> int:
        return len(self.places)

    @cached_property
    def sheets(self) -> tuple[Sheet, ...]:
        """The sheets of a thing; plants have none."""
        return self.motion.modes.conditions.sheets if isinstance(self.motion, ModalMotion) else ()

    @cached_property
    def flies(self) -> float:
        """How long a sheet is that the wind draws out, m; 0 for all that is no flag."""
        return fly_length(self.plant, self.sheets)

    def feels(self, wind: Wind) -> Wind:
        """What it feels of a wind: a flag turns with it, and stands in the wake of its pole."""
        return flag_air(wind, self.flies) if self.flies else wind

    @cached_property
    def aloft(self) -> Places:
        """Where the wind finds them: it follows the land, so that heights are counted from the foot of each plant."""
        if not self.places.position[:, 1].any():
            return self.places
        own = self.places
        return Places(own.position * (1.0, 0.0, 1.0), yaw=own.yaw, scale=own.scale, stiffness=own.stiffness)

    def lowered(self, touch: Touch | None) -> Touch | None:
        """Hands that are somewhere in the world, as plants feel them whose heights are counted from their feet."""
        if touch is None or touch.target is None or self.aloft is self.places:
            return touch
        below = self.places.position[touch.instance] * (0.0, 1.0, 0.0)
        return Touch(
            instance=touch.instance,
            node=touch.node,
            force=touch.force,
            target=touch.target - below,
            grip=touch.grip,
            lag=touch.lag,
        )

    @property
    def probes(self) -> FloatArray:
        """(count, cells, 3) where they feel the wind, m."""
        return self.motion.probes(self.aloft)

    @property
    def parts(self) -> Sequence[tuple[Plant, Places]]:
        """Plants, and where each stands."""
        return ((self.plant, self.places),)

    @property
    def nodes(self) -> int:
        """Of all of them together."""
        return sum(plant.nodes * len(places) for plant, places in self.parts)

    def tree(self, _instance: int) -> Plant:
        """The plant that one instance is."""
        return self.plant

    def __repr__(self) -> str:
        return f"<Stand of {len(self)} × {self.name}: {self.plant.nodes} nodes, {type(self.motion).__name__}>"


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class BlockStand(Stand):
    """Trees that are all different and move as one block. Its `plant` is the first of them.

    trees   each about its own origin, as large and turned as it stands there
    levels  whether fewer branches move where the wind is weak or the eye is far away
    """

    trees: tuple[Plant, ...]
    levels: bool = True

    @property
    def hybrid(self) -> HybridMotion:
        """Their motion."""
        assert isinstance(self.motion, HybridMotion)
        return self.motion

    @property
    def parts(self) -> Sequence[tuple[Plant, Places]]:
        """Each tree, and where it stands."""
        return [(tree, Places(place[None])) for tree, place in zip(self.trees, self.places.position, strict=True)]

    @cached_property
    def first(self) -> IntArray:
        """(trees,) the number of each tree's first node in the block."""
        return np.cumsum([0, *(tree.nodes for tree in self.trees[:-1])])

    @cached_property
    def instance(self) -> IntArray:
        """(roots,) which tree each root of the block belongs to."""
        return np.repeat(np.arange(len(self.trees)), [len(tree.roots) for tree in self.trees])

    @property
    def probes(self) -> FloatArray:
        """(1, roots, 3) where they feel the wind, m."""
        level = self.places.position[self.instance] * (0.0, 1.0, 0.0)
        return self.hybrid.probes(Places()) - level

    def lowered(self, touch: Touch | None) -> Touch | None:
        """Hands on trees, as the block feels them: its nodes are numbered through, and stand where they are."""
        if touch is None:
            return None
        node = self.first[touch.instance] + touch.node
        return Touch(node=node, force=touch.force, target=touch.target, grip=touch.grip, lag=touch.lag)

    def tree(self, _instance: int) -> Plant:
        """The plant that one instance is."""
        return self.trees[_instance]

    def __repr__(self) -> str:
        return f"<BlockStand of {len(self)} different {self.name}: {self.nodes:,} nodes>"
