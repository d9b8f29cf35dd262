"""How much of the device's memory a scene takes, before it is asked for; and a clear word where that is too much."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from windflower.core.device import Gpu
from windflower.errors import GpuError
from windflower.geometry.lod import CARD_NODES
from windflower.geometry.lod_meshes import stand_meshes
from windflower.motion.leaves.shedding_kernels import CARD, FALLEN
from windflower.render.drawn import INSTANCE
from windflower.render.portraits import PAINTED_BYTES, PORTRAIT_BYTES
from windflower.render.quality import Quality
from windflower.scene import Scene, Stand

__all__ = ["Memory", "memory_of", "within_memory"]

POINT, SLOT, INDEX = 16, 4, 4  # bytes of a posed node, of an instance's number and of a vertex' number
TWIGS = 2 * 16  # of an instance, at the levels that have twigs
LEAF_MASKS = 1_310_720  # of the pictures of leaves of one plant at all its levels
WIND, SHADE, HILLS = 6_200_000, 1_400_000, 10  # of the wind on its grid; of the forest's shade; of a point of the land
KEPT = 2.0  # room that levels keep, over what one frame needs: it stays when fewer trees are shown
PIXEL = 4 + 8 + 8 + 3 + 1  # bytes of a pixel in the picture, its light in two steps, what water mirrors, and a mask
SAMPLE = 8 + 4  # of a sample's light and depth


@dataclass(frozen=True)
class Memory:
    """Bytes on the device.

    fixed     whatever the number of trees: meshes, shapes, portraits, room for what a frame shows, pictures
    per_tree  mean over all trees
    trees     how many there are
    """

    fixed: int
    per_tree: float
    trees: int

    @property
    def total(self) -> int:
        """Of all."""
        return self.fixed + round(self.per_tree * self.trees)

    def fitting(self, memory: int) -> int:
        """How many trees would fit."""
        return max(0, int((memory - self.fixed) / max(self.per_tree, 1.0)))


def memory_of(scene: Scene, quality: Quality, size: tuple[int, int]) -> Memory:
    """What a scene takes, drawn at a quality in pictures of this size."""
    plants = sum(_plant_bytes(stand) for stand in scene.stands)
    trees = sum(len(stand) * _tree_bytes(stand) for stand in scene.stands)
    shown = round(KEPT * POINT * quality.triangles * max((_densest(stand) for stand in scene.stands), default=0.0))
    width, height = size
    pictures = width * height * (PIXEL + SAMPLE * quality.samples) + 4 * quality.shadow**2
    land = HILLS * scene.ground.terrain.heights.size if scene.ground.terrain else 0
    fixed = plants + shown + pictures + WIND + SHADE + land + PAINTED_BYTES
    return Memory(fixed, trees / max(scene.trees, 1), scene.trees)


def _tree_bytes(stand: Stand) -> int:
    """Of one tree: its modes and how they step, where it stands, its card, its twigs, and leaves that may fall."""
    own = CARD_NODES * POINT + SLOT + INSTANCE.itemsize
    if stand.foliage and stand.foliage.shedding:
        own += (FALLEN.itemsize + CARD.itemsize) * len(stand.plant.leaves) + POINT * stand.plant.nodes
    return stand.motion.instance_bytes + own + TWIGS * (stand.quivers_above is not None)


def _plant_bytes(stand: Stand) -> int:
    """Of a plant at all its levels: meshes, shapes of its modes, portraits."""
    lods = stand_meshes(stand)
    meshes = sum(mesh.segments.nbytes + mesh.leaves.nbytes + 3 * INDEX * mesh.triangles for mesh in lods.meshes)
    return meshes + stand.motion.plant_bytes + LEAF_MASKS + PORTRAIT_BYTES


def _densest(stand: Stand) -> float:
    """The most nodes that any of its levels has for each triangle or node that it costs."""
    lods = stand_meshes(stand)
    return float((lods.nodes / (lods.nodes + lods.triangles)).max())


@contextmanager
def within_memory(gpu: Gpu, scene: Scene, quality: Quality, size: tuple[int, int]) -> Iterator[None]:
    """Put a scene on the device, if it fits: refuse what cannot, and say so where it turns out that it does not."""
    need = memory_of(scene, quality, size)
    if gpu.memory is not None and need.total > gpu.memory:
        raise _too_large(need, f"the device has {_gigabytes(gpu.memory)}", need.fitting(gpu.memory))
    try:
        yield
    except MemoryError:  # which wgpu's own out-of-memory error is, too
        raise _too_large(need, "the device has no more room", need.trees // 2) from None


def _too_large(need: Memory, why: str, trees: int) -> GpuError:
    remedy = f"Plant at most {trees:,}" if trees else "Draw a smaller picture, or plants with less detail"
    return GpuError(
        f"a scene must fit the memory of the graphics device; {need.trees:,} trees need about "
        f"{_gigabytes(need.total)} and {why}. {remedy}."
    )


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:.2g} GB"
