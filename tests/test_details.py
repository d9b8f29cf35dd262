"""Far and near agree: on fewer nodes and with fewer modes a crown moves as that of the whole plant."""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import pytest

from tests.sampled import sampled
from tests.stands import DT, assert_twins, modes_of, places, reference, winds
from windflower import grow
from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.geometry.culling import bounding_sphere
from windflower.mechanics import Modes, analyse
from windflower.motion import ModalMotion, ModalState, Places
from windflower.motion.modal.modal_kernels import GpuModal
from windflower.motion.poses.details import Detail, bowed, crown_detail, crown_weights, detail_of, first_order
from windflower.motion.poses.pose import LinearPose, Pose, RotatedPose
from windflower.plant.graph import Plant
from windflower.plant.levels import levels_of
from windflower.wind import Wind

POSES: tuple[Callable[[Plant, FloatArray], Pose], ...] = (RotatedPose, LinearPose)
SPECIES = (
    "silver-birch",
    "quaking-aspen",
    "spruce",
    "oak",
    "scots-pine",
    "lombardy-poplar",
    "weeping-willow",
    "palm",
    "hazel-bush",
)


@lru_cache
def tree(name: str) -> tuple[ModalMotion, list[Detail]]:
    """A motion, and all its levels of detail; the last is but the middle of the crown."""
    plant = grow(name, seed=2, detail=0.5 if name == "palm" else 0.15)  # a palm has few nodes
    modes = analyse(plant, count=25, cells=2, leaves=True, cache=False)
    levels = [detail_of(modes, level.plant, level.node, keep=level.modes) for level in levels_of(plant)]
    return ModalMotion(modes, speed=10.0), [*levels, crown_detail(modes, keep=12)]


def crown_at(detail: Detail, amount: FloatArray) -> FloatArray:
    """(count, 3) how far the middle of the crown is from where it is at rest."""
    if detail.pose == "linear":
        move = np.einsum("cs,sk->ck", detail.amounts(amount), detail.shapes[:, 1, :3])
        return bowed(move, float(detail.plant.height))
    moved = RotatedPose(detail.plant, detail.shapes).points(detail.amounts(amount)) - detail.plant.position
    return np.einsum("n,cnk->ck", crown_weights(detail.plant), moved)


def apart(levels: list[Detail], state_amounts: FloatArray) -> FloatArray:
    """(levels,) rms distance of each level's crown from the finest one's, over how far that one moves."""
    crowns = np.stack([crown_at(level, state_amounts) for level in levels])
    size = np.sqrt((crowns[0] ** 2).sum(axis=1).mean())
    return np.asarray(np.sqrt(((crowns - crowns[0]) ** 2).sum(axis=2).mean(axis=1)) / size)


@pytest.mark.parametrize("name", sampled(SPECIES, "oak", "spruce", "silver-birch"))
@pytest.mark.parametrize("speed", [3.0, 15.0])
def test_in_a_steady_wind_every_level_leans_alike(name: str, speed: float) -> None:
    motion, levels = tree(name)
    angle = np.linspace(0, 2 * np.pi, 7)[:-1]
    air = speed * np.stack([np.cos(angle), 0 * angle, np.sin(angle)], axis=1)[:, None].repeat(2, axis=1)
    leaning = motion.settled(Places(np.zeros((6, 3))), air)
    for one in leaning.amount:
        assert apart(levels, one[None]).max() < 0.06  # the spruce leans by 8°


@pytest.mark.parametrize("name", SPECIES)
def test_in_a_gale_every_level_sways_alike(name: str) -> None:
    motion, levels = tree(name)
    wind, where = Wind.beaufort(7), Places()
    state = motion.settled(where, wind.velocity(motion.probes(where), 0.0))
    amounts = []
    for t in np.arange(1, 240) / 30:
        state = motion.step(state, wind.velocity(motion.probes(where), t), 1 / 30)
        amounts.append(state.amount[0])
    assert apart(levels, np.array(amounts)).max() < 0.06


@pytest.mark.parametrize("name", SPECIES)
def test_the_ball_by_which_a_plant_is_culled_holds_it_in_a_storm(name: str) -> None:
    motion, _ = tree(name)
    middle, radius = bounding_sphere(motion.plant)
    angle = np.linspace(0, 2 * np.pi, 7)[:-1]
    air = 25.0 * np.stack([np.cos(angle), 0 * angle, np.sin(angle)], axis=1)[:, None].repeat(2, axis=1)
    points = motion.pose(motion.settled(Places(np.zeros((6, 3))), air))
    assert np.linalg.norm(points - middle, axis=2).max() < radius


def test_levels_keep_fewer_and_fewer_modes_and_nodes() -> None:
    motion, levels = tree("oak")
    shapes, nodes = [len(level.row) for level in levels[:-1]], [len(level.node) for level in levels[:-1]]
    assert shapes[0] == len(motion.shapes)
    assert shapes[-1] < 0.6 * shapes[0]
    assert sorted(nodes, reverse=True) == nodes
    assert nodes[-1] < 0.2 * nodes[0]


def test_modes_that_are_left_out_still_lean_in_a_steady_wind() -> None:
    """With one mode kept the static vectors do the rest: at first order nothing is lost, at no node."""
    modes = modes_of("silver-birch")
    plant, motion = modes.plant, ModalMotion(modes, pose="linear")
    leaning = motion.settled(Places(), np.full((1, 1, 3), 1e-2))
    few = detail_of(modes, plant, np.arange(plant.nodes), keep=1)
    moved = few.amounts(leaning.amount) @ few.shapes[..., :3].reshape(len(few.shapes), -1)
    wanted = leaning.amount @ motion.shapes[..., :3].reshape(len(motion.shapes), -1)
    assert moved == pytest.approx(wanted, abs=1e-9 * np.abs(wanted).max())


def test_the_rotated_pose_moves_as_its_first_order_says() -> None:
    motion, _ = tree("oak")
    small = 1e-6 * np.random.default_rng(1).normal(size=(1, len(motion.shapes)))
    exact = RotatedPose(motion.plant, motion.shapes).points(small)[0] - motion.plant.position
    linear = np.einsum("s,snk->nk", small[0], first_order(motion.plant, motion.shapes))
    assert linear == pytest.approx(exact, abs=1e-4 * np.abs(exact).max())


def stepped(modes: Modes, gpu: Gpu, levels: list[Detail], where: Places) -> tuple[GpuModal, ModalState]:
    motion, air = ModalMotion(modes, speed=9.0), winds(20, len(where), modes.cells)
    twin = GpuModal(gpu, motion, where, dt=DT, levels=levels)
    twin.step_under(air)
    return twin, reference(motion, where, air)


def test_the_device_poses_a_level_with_fewer_modes_as_the_reference_does(gpu: Gpu) -> None:
    modes = modes_of("silver-birch", cells=2)
    level = levels_of(modes.plant)[-1]
    levels = [detail_of(modes, level.plant, level.node, keep=4), crown_detail(modes, keep=3)]
    twin, state = stepped(modes, gpu, levels, places(40))
    for number, (detail, pose) in enumerate(zip(levels, POSES, strict=True)):
        chosen = np.array([3, 17, 18, 39])
        twin.pose(number, chosen)
        wanted = pose(detail.plant, detail.shapes).points(detail.amounts(state.amount[chosen]))
        assert_twins(twin.read_points(number), wanted, detail.plant)
