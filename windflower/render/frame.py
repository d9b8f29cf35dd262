"""The frame: camera, light, time, surroundings and visible instances of one picture, drawn by `Renderer.draw`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from windflower.core.arrays import FloatArray
from windflower.geometry.canopy_shade import Canopy, canopy_of
from windflower.geometry.lod import Choice
from windflower.geometry.trunks import Trunks, trunks_of
from windflower.render.cloud_tile import CLOUD_HEIGHT
from windflower.render.foliage import Run, make_room, runs_together
from windflower.render.ground import grass_height
from windflower.render.wind_map import WindMap
from windflower.scene import Ground, View
from windflower.simulation import Simulation

if TYPE_CHECKING:
    from windflower.render.draw_lists import Part
    from windflower.render.drawn import Block, DrawnMesh
    from windflower.render.impostors import DrawnImpostors
    from windflower.render.pipelines import Pipelines
    from windflower.render.splat_kernels import SeenKernels, ShadowKernels
    from windflower.render.surfaces import DrawnSurface

ALOFT = (
    2.0  # speed of clouds over that of the wind near the ground; in a loop they stand: they are too slow to come back
)

__all__ = ["Around", "Drawables", "Frame", "Light", "surroundings"]


@dataclass(frozen=True, eq=False)
class Light:
    """Light of sun and sky, in linear RGB; directions are unit vectors.

    sun, sun_colour  direction to the sun or, at night, the moon, and the colour of its light
    star             direction to the sun itself, below the horizon at night
    dome             (UPWARD, AROUND, 3) radiance of the clear sky, see atmosphere.py
    ambient          (9, 3) light of sky and ground on a surface by its normal, in spherical harmonics
    aloft            light of the sun or the moon at the height of clouds
    dark             0 by day, 1 at night; clouds: cover, 0 to 1
    exposure         factor before tone mapping, beside that which is in the light already
    haze             distance at which it halves the contrast, m
    shadow           strength of shadows, 0 to 1
    """

    sun: FloatArray
    sun_colour: FloatArray
    star: FloatArray
    dome: FloatArray
    ambient: FloatArray
    aloft: FloatArray = field(default_factory=lambda: np.ones(3))
    dark: float = 0.0
    clouds: float = 0.45
    exposure: float = 1.0
    haze: float = 700.0
    shadow: float = 1.0


@dataclass(frozen=True, eq=False)
class Around:
    """Surroundings of the plants: the ground, and the wind over its pond at the camera, m/s.

    period    period of grass, leaves and water, s; 0 if they do not repeat
    canopy    shade map of all plants, beyond the reach of the shadow map
    wind_map  the wind that grass feels; None where none grows
    trunks    where plants meet the ground
    path, path_a_loop_earlier  see `GroundWind`
    clouds    (2,) how far the wind has carried the clouds along x and z, m
    """

    ground: Ground
    wind: FloatArray
    period: float = 0.0
    canopy: Canopy | None = None
    wind_map: WindMap | None = None
    trunks: Trunks | None = None
    path: FloatArray = field(default_factory=lambda: np.zeros(2))
    path_a_loop_earlier: FloatArray = field(default_factory=lambda: np.zeros(2))
    clouds: FloatArray = field(default_factory=lambda: np.zeros(2))


@dataclass(frozen=True, eq=False)
class Drawables:
    """Draw lists of a frame, each mesh with its block of posed instances.

    plants     meshes of wood and leaves
    surfaces   sheets: blades, flags, signs
    impostors  cards of far plants
    loose      shed leaves
    """

    plants: "Sequence[tuple[DrawnMesh, Block]]" = ()
    surfaces: "Sequence[tuple[DrawnSurface, Block]]" = ()
    impostors: "Sequence[tuple[DrawnImpostors, Block]]" = ()
    loose: "Sequence[tuple[DrawnMesh, Block]]" = ()

    def same_as(self, other: "Drawables") -> bool:
        """Whether the same meshes are drawn with the same blocks."""
        lists = zip(self._all, other._all, strict=True)
        return all(
            len(mine) == len(theirs) and all(a is b and c is d for (a, c), (b, d) in zip(mine, theirs, strict=True))
            for mine, theirs in lists
        )

    def swapped(self) -> "Drawables":
        """The same with this frame and the one before exchanged; see `Block.swapped`."""
        return Drawables(*([(one, block.swapped()) for one, block in some] for some in self._all))

    @property
    def _all(self) -> "tuple[Sequence[tuple[Any, Block]], ...]":
        return self.plants, self.surfaces, self.impostors, self.loose

    def deform(self, compute_pass: Any, pipelines: "Pipelines", *, before: bool = False) -> None:
        """Work out all segments and leaves, which every pass reads; or those of the frame before."""
        make_room([one for mesh, block in (*self.plants, *self.loose) for one in mesh.wanted(block)])
        for mesh, block in self.plants:
            mesh.deform(compute_pass, pipelines, block, before=before)
        for mesh, block in self.loose:
            mesh.deform(compute_pass, pipelines, block, wood=False, before=before)

    def count_cards(self, encoder: Any) -> None:
        """Fetch how many cards the device has found, before kernels draw them."""
        for _, block in self.impostors:
            if block.counted:
                block.deformed.count_cards(encoder, block.counted)

    def cast(self, compute_pass: Any, kernels: "ShadowKernels") -> None:
        """Put the shadows of plants into the map that is bound; after `deform`."""
        for mesh, block in self.plants:
            mesh.cast_wood(compute_pass, kernels, block)
        compute_pass.set_bind_group(1, kernels.nothing)
        for runs in runs_together("shadows", _runs(self._blocks)):
            runs.draw(compute_pass, kernels.leaves)
        for cards, block in self.impostors:
            cards.splat(compute_pass, kernels.cards, block)

    def see(self, compute_pass: Any, kernels: "SeenKernels", look: "Callable[[], None] | None" = None) -> None:
        """Put leaves and cards into the view that is bound; after `deform`.

        look  called after each half: what is seen by then may hide what comes
        """
        halves = _halves(self._blocks) if look else [("all", self._blocks)]
        slot = 0
        for part, blocks in halves:
            compute_pass.set_bind_group(1, kernels.queues)
            leaves = runs_together(part, _runs(blocks), first_slot=slot)
            for runs in leaves:
                runs.draw(compute_pass, kernels.leaves, kernels.large_leaves)
            slot += len(leaves)
            for mesh, block, _ in blocks:
                mesh.see_twigs(compute_pass, kernels, block)
            if look:
                look()
        for cards, block in self.impostors:
            cards.splat(compute_pass, kernels.cards, block)

    @property
    def _blocks(self) -> "list[PlantBlock]":
        plants = [PlantBlock(mesh, block, fell=False) for mesh, block in self.plants]
        return [*plants, *(PlantBlock(mesh, block, fell=True) for mesh, block in self.loose)]

    def parts(self) -> "list[Part]":
        """All draw calls, in drawing order; after `deform`, which may replace buffers."""
        wood = [part for mesh, block in self.plants for part in mesh.wood_parts(block)]
        wood.sort(key=lambda part: part.kind != "wood")
        leaves = [part for mesh, block in (*self.plants, *self.loose) for part in mesh.leaf_parts(block)]
        others = [one.part(block) for some in (self.surfaces, self.impostors) for one, block in some]
        return [*leaves, *wood, *others]  # leaves hide most wood, whose bark costs more than they do


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture of a scene at one moment.

    view, light, time  the camera, the light, and the time of the motion, s
    around             what surrounds the plants
    drawables          visible instances at their levels of detail, posed
    bounds             centre (3,) and radius of shadow receivers, and the height of shadow casters, m
    extras             further draw calls, each given the view pass with the frame's bindings in group 0
    choice             levels of detail, which another frame may reuse
    trees, nodes, triangles, factor  counts of what is drawn, and the level-of-detail factor
    """

    view: View
    light: Light
    time: float
    around: Around
    drawables: Drawables
    bounds: tuple[FloatArray, float, float]
    extras: Sequence[Callable[[Any], None]] = ()
    choice: Choice | None = None
    trees: int = 0
    nodes: int = 0
    triangles: int = 0
    factor: float = 1.0


class PlantBlock(NamedTuple):
    """A block of plants with their mesh, and whether only leaves are drawn that came off."""

    mesh: "DrawnMesh"
    block: "Block"
    fell: bool


def _runs(blocks: Sequence[PlantBlock]) -> list[Run]:
    return [run for one in blocks for run in one.mesh.runs(one.block, fell=one.fell)]


def _halves(blocks: Sequence[PlantBlock]) -> list[tuple[str, list[PlantBlock]]]:
    """Blocks in two parts with about as many leaves, with their names: what is near hides what is far."""
    leaves = np.cumsum([one.mesh.leaf_count * one.block.count for one in blocks])
    near = [one for one, before in zip(blocks, leaves, strict=True) if 2 * before <= leaves[-1]]
    return [("near", near), ("far", list(blocks[len(near) :]))]


def _first_gap(sun: FloatArray) -> FloatArray:
    """Where clouds are at first, m: the gap at their tile's corner stands between the scene's origin and the sun."""
    return np.asarray(CLOUD_HEIGHT * sun[[0, 2]] / max(sun[1], 0.2))


def surroundings(simulation: Simulation, view: View, t: float) -> Around:
    """Surroundings of a simulation's plants at t seconds, seen from a camera."""
    scene, over = simulation.scene, simulation.ground_wind
    tall = grass_height(scene.ground)
    return Around(
        ground=scene.ground,
        wind=over.wind.velocity(np.array([view.eye[0], 1.0, view.eye[2]]), t) if scene.ground.pond else np.zeros(3),
        period=over.period,
        canopy=canopy_of(scene.stands),
        trunks=trunks_of(scene.stands),
        wind_map=WindMap.about(view.eye, over.wind, t, tall, period=over.period) if tall else None,
        path=over.path(t),
        path_a_loop_earlier=over.path_a_loop_earlier(t),
        clouds=_first_gap(scene.sun.direction(0.0)) + (0.0 if over.period else ALOFT) * over.path(t),
    )
