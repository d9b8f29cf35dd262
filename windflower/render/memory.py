"""Estimate of a scene's device memory before it is allocated, and the error when it does not fit."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from windflower.core.device import Gpu
from windflower.errors import GpuError
from windflower.geometry.lod import CARD_NODES
from windflower.geometry.lod_meshes import stand_meshes
from windflower.motion.leaves.shedding_kernels import CARD, FALLEN
from windflower.render.drawn import INSTANCE, Cut
from windflower.render.hill_shade import HILL_SHADE_BYTES
from windflower.render.impostor_atlas import ATLAS_BYTES, BAKE_BYTES
from windflower.render.picture_size import check_picture
from windflower.render.quality import Quality
from windflower.render.sward import sown_bytes
from windflower.scene import Scene, Stand
from windflower.wind.at_points import bytes_at_points

__all__ = ["GROUND_BYTES", "Memory", "memory_of", "within_memory"]

POINT, SLOT, INDEX = 16, 4, 4  # bytes of a posed node, of an instance's number and of a vertex index
TWIGS = 2 * 16  # bytes of an instance at the levels that have twigs
LEAF_MASKS = 1_310_720  # bytes of the leaf textures of one plant at all its levels
DEFORMED = 34  # bytes of segments and leaves for each triangle and node of a frame's budget
GROUND_BYTES, SHADE, HILLS = 11_400_000, 1_400_000, 10  # of its materials; of the shade map; of a terrain's height
KEPT = 2.0  # capacity of pose buffers over what one frame needs: they do not shrink when fewer trees are drawn
PIXEL = 4 + 8 + 8 + 3 + 1 + 9  # bytes per pixel: picture, two HDR targets, reflection, planar shadow mask, clouds
SAMPLE = 8 + 4  # bytes per sample: HDR colour and depth
OVER_TIME = 4 + 16 + 8  # bytes per pixel, where frames follow one another: velocity, two histories, motion blur
SEEN = 4 + 16 + 8  # bytes per pixel, where kernels draw such frames: nearest depths, their light, that of all
SHADOW, SPLATTED = 4 + 4, 4  # bytes per texel of the shadow map and its depth buffer; of that for kernels


@dataclass(frozen=True)
class Memory:
    """Estimated bytes on the device.

    fixed     bytes that do not grow with the trees: meshes, mode shapes, impostors, pose buffers, render targets
    per_tree  bytes per tree, mean over all trees: where all are different, with a mesh of its own
    trees     number of trees
    """

    fixed: int
    per_tree: float
    trees: int

    @property
    def total(self) -> int:
        """Total bytes."""
        return self.fixed + round(self.per_tree * self.trees)

    def fitting(self, memory: int) -> int:
        """Number of trees that would fit."""
        return max(0, int((memory - self.fixed) / max(self.per_tree, 1.0)))


def memory_of(scene: Scene, quality: Quality, size: tuple[int, int], *, splats: bool = False) -> Memory:
    """Device memory of a scene at a quality and a picture size in pixels; for `splats` see `ShadowMap`."""
    plants = sum(_shape_bytes(stand) for stand in scene.stands if not stand.all_different)
    plants += len(scene.stands) * (LEAF_MASKS + ATLAS_BYTES)
    own = sum(_shape_bytes(stand) for stand in scene.stands if stand.all_different)
    trees = own + sum(len(stand) * _tree_bytes(stand) for stand in scene.stands)
    densest = max((_densest(stand) for stand in scene.stands), default=0.0)
    shown = round(quality.triangles * (KEPT * POINT * densest + DEFORMED))
    shown *= 2 if quality.over_time else 1  # as it was in the frame before, too
    width, height = size
    pixel = PIXEL + SAMPLE * quality.samples + OVER_TIME * quality.over_time + SEEN * splats * (quality.samples == 1)
    pictures = width * height * pixel + (SHADOW + SPLATTED * splats) * quality.shadow**2
    land = HILL_SHADE_BYTES + HILLS * scene.ground.terrain.heights.size if scene.ground.terrain else 0
    fixed = plants + shown + pictures + GROUND_BYTES + sown_bytes(quality.grass) + SHADE + land + BAKE_BYTES
    return Memory(fixed, trees / max(scene.trees, 1), scene.trees)


def _tree_bytes(stand: Stand) -> int:
    """Bytes of one tree: modal state, place, wind, impostor card, twigs, and leaves that may fall."""
    wind = bytes_at_points(len(stand) * stand.motion.wind_points) // len(stand)
    own = CARD_NODES * POINT + SLOT + INSTANCE.itemsize + wind
    if stand.foliage and stand.foliage.shedding:
        own += (FALLEN.itemsize + CARD.itemsize) * len(stand.plant.leaves) + POINT * stand.plant.nodes
    return stand.motion.instance_bytes + own + TWIGS * (stand.quivers_above is not None)


def _shape_bytes(stand: Stand) -> int:
    """Bytes of the plants of a stand at all their levels: meshes, mode shapes."""
    lods = stand_meshes(stand)
    meshes = sum(mesh.segments.nbytes + mesh.leaves.nbytes + 3 * INDEX * mesh.triangles for mesh in lods.meshes)
    return meshes + stand.motion.plant_bytes


def _densest(stand: Stand) -> float:
    """Largest share of nodes in the cost, triangles and nodes, of any level."""
    lods = stand_meshes(stand)
    plants = len(stand) if lods.ranges else 1
    triangles = np.array([Cut.of(level).triangles(mesh) / plants for level, mesh in enumerate(lods.meshes)])
    return float((lods.nodes / (lods.nodes + triangles)).max())


@contextmanager
def within_memory(
    gpu: Gpu, scene: Scene, quality: Quality, size: tuple[int, int], *, beside: int = 0
) -> Iterator[None]:
    """Context in which a scene is allocated: raises `GpuError` before, if it cannot fit, or when memory runs out.

    beside  bytes that are needed beside those of the picture, as for data passes
    """
    check_picture(gpu, size)
    need = memory_of(scene, quality, size, splats=not gpu.software)
    need = replace(need, fixed=need.fixed + beside)
    if gpu.memory is not None and need.total > gpu.memory:
        raise _too_large(need, f"the device has {_gigabytes(gpu.memory)}", need.fitting(gpu.memory))
    try:
        yield
    except MemoryError:  # which wgpu's own out-of-memory error is, too
        raise _too_large(need, "the device has no more memory", need.trees // 2) from None


def _too_large(need: Memory, why: str, trees: int) -> GpuError:
    remedy = f"Plant at most {trees:,}" if trees else "Draw a smaller picture, or plants with less detail"
    counted = "1 tree needs" if need.trees == 1 else f"{need.trees:,} trees need"
    return GpuError(
        f"a scene must fit the memory of the graphics device; {counted} about "
        f"{_gigabytes(need.total)} and {why}. {remedy}."
    )


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:.2g} GB"
