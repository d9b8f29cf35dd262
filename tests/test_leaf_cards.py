"""Cards of leaves: the shader against the NumPy reference, pictures without straight cuts, levels without stipple."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import windflower
from windflower import grow
from windflower.core.arrays import FloatArray
from windflower.core.buffers import read_floats, storage, uniform, zeros
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.core.quaternions import turned
from windflower.core.shaders import shader_text
from windflower.geometry.crown_light import crown_light
from windflower.geometry.frames import LeafFrames
from windflower.geometry.leaf_textures import leaf_mask
from windflower.geometry.lod_meshes import plant_meshes
from windflower.geometry.mesh import LEAF, SEGMENT, Mesh
from windflower.geometry.sprig_cards import sprig_corners
from windflower.geometry.sprigs import VARIANTS, sprig_of, sprig_points
from windflower.mechanics.foliage import leaf_of
from windflower.plant.species import species_of
from windflower.render.drawn import INSTANCE, Cut, DrawnMesh
from windflower.render.pipelines import FRAME, make_pipelines

LIT = layout("render/wgsl/leaf_elements.wgsl", "LitLeaf")
SHADERS = Path(windflower.__file__).parent / "render/wgsl"
MAIN = """
@group(3) @binding(1) var<storage, read_write> b_out: array<vec4f>;
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let corner = leaf_corner(id.x, 0u);
  b_out[id.x] = vec4f(corner.world, f32(corner.kind));
}
"""


def drawn_corners(gpu: Gpu, mesh: Mesh, cut: Cut, leaves: Any) -> FloatArray:
    """(leaves, cards, corners, 3) where the corners of these elements are drawn, m."""
    drawn = DrawnMesh(gpu, make_pipelines(gpu, 1).layouts, mesh, species_of(mesh.foliage.plant.species), cut=cut)
    count = len(leaves) * mesh.sprig.drawn * cut.corners
    u_frame, out = uniform(gpu, FRAME.itemsize), zeros(gpu, 16 * count)
    gpu.queue.write_buffer(u_frame, 0, record(FRAME, viewport=(1, 1, 1e-9, 1)))  # so near that outlines are seen
    module = gpu.device.create_shader_module(code=shader_text("render/wgsl/leaf_cards.wgsl") + MAIN)
    pipeline = gpu.device.create_compute_pipeline(layout="auto", compute={"module": module, "entry_point": "main"})
    groups = (
        {0: u_frame},
        {1: storage(gpu, np.zeros(1, INSTANCE))},
        {0: drawn.of_leaves, 8: drawn.cards},
        {0: storage(gpu, leaves), 1: out},
    )
    encoder = gpu.device.create_command_encoder()
    compute_pass = encoder.begin_compute_pass()
    compute_pass.set_pipeline(pipeline)
    for number, buffers in enumerate(groups):
        entries = [{"binding": at, "resource": {"buffer": buffer}} for at, buffer in buffers.items()]
        group = gpu.device.create_bind_group(layout=pipeline.get_bind_group_layout(number), entries=entries)
        compute_pass.set_bind_group(number, group)
    compute_pass.dispatch_workgroups(count)
    compute_pass.end()
    gpu.queue.submit([encoder.finish()])
    corners = read_floats(gpu, out)[: 4 * count].reshape(len(leaves), mesh.sprig.drawn, cut.corners, 4)
    return corners[..., :3].astype(np.float64)


def elements(count: int) -> tuple[Any, FloatArray]:
    """Records of leaves anywhere, and their quaternions as the records have them."""
    random = np.random.default_rng(3)
    turn = random.normal(size=(count, 4))
    whole = np.round(32767 * turn / np.linalg.norm(turn, axis=1, keepdims=True)).astype("<i2")
    leaves = np.zeros(count, LIT)
    leaves["foot"] = np.column_stack([random.normal(size=(count, 3)), random.uniform(0.1, 0.4, count)])
    leaves["facts"][:, :2] = whole.view("<u4")
    leaves["facts"][:, 2] = 511 << 22  # no twist
    leaves["facts"][:, 3] = np.arange(count)
    return leaves, whole / np.linalg.norm(whole, axis=1, keepdims=True)


@pytest.mark.parametrize(("species", "level"), [("oak", 1), ("scots-pine", 1), ("quaking-aspen", 2)])
def test_cards_are_drawn_where_the_reference_puts_them(gpu: Gpu, species: str, level: int) -> None:
    mesh = plant_meshes(grow(species, detail=0.1)).meshes[level]
    leaf, (leaves, turn) = leaf_of(mesh.foliage.plant), elements(VARIANTS + 1)
    mask, sprig = leaf_mask(leaf.shape, leaf.aspect), mesh.sprig
    seen = drawn_corners(gpu, mesh, Cut.of(level), leaves)
    for number, (foot, rotation) in enumerate(zip(leaves["foot"].astype(np.float64), turn, strict=True)):
        own = sprig_points(sprig, mask.aspect[sprig.layer], number % VARIANTS, mask.cover[sprig.layer] - [0.5, 0.0])
        world = foot[:3] + foot[3] * turned(rotation[:, None], own[..., None])[..., 0]
        np.testing.assert_allclose(seen[number, : sprig.count], world, atol=2e-4)


@pytest.mark.parametrize(("species", "detail", "level"), [("silver-birch", 0.6, 0), ("scots-pine", 0.1, 1)])
def test_cards_of_files_are_those_that_are_drawn(gpu: Gpu, species: str, detail: float, level: int) -> None:
    """Also twisted leaves, and the shoots between them."""
    mesh = plant_meshes(grow(species, detail=detail)).meshes[level]
    mesh = replace(mesh, leaves=mesh.leaves[:12].copy())
    mesh.leaves["number"] = np.arange(12)
    leaves, turn = elements(12)
    leaves["facts"][:, 2] = 760 << 22
    leaf = leaf_of(mesh.foliage.plant)
    stretch = leaf_mask(leaf.shape, leaf.aspect).stretch[0]
    picture, length = np.zeros(12, np.int64), leaves["foot"][:, 3].astype(np.float64) * stretch
    twist = np.full((1, 12), 1.8 * (760 / 511 - 1))
    frames = LeafFrames(leaves["foot"][None, :, :3], turn[None], length[None], length[None], twist, picture)
    made = sprig_corners(mesh, frames).position.reshape(12, mesh.sprig.drawn, 4, 3)
    seen = drawn_corners(gpu, mesh, Cut(), leaves)
    np.testing.assert_allclose(made, seen, atol=1e-3)
    assert mesh.sprig.drawn > 1


def test_a_near_leaf_is_folded_and_keeps_its_area(gpu: Gpu) -> None:
    mesh = plant_meshes(grow("silver-birch", detail=0.6)).meshes[0]
    assert mesh.sprig.layer == 0
    leaves, _ = elements(6)
    leaf, sprig, cut = leaf_of(mesh.foliage.plant), mesh.sprig, Cut.of(0)
    mask = leaf_mask(leaf.shape, leaf.aspect)
    left, foot, tip, right = np.moveaxis(drawn_corners(gpu, mesh, cut, leaves)[:, : sprig.count], 2, 0)
    halves = [np.cross(tip - foot, side - foot) / 2 for side in (left, right)]
    (x0, _), (_, y1), (_, y2), (x3, _) = mask.kite[sprig.layer]
    flat = (x3 - x0) * (y2 - y1) / 2 * mask.aspect[sprig.layer] * sprig.length**2
    scale = sprig.scale[leaves["facts"][:, 3] % VARIANTS, : sprig.count]
    area = sum(np.linalg.norm(half, axis=-1) for half in halves) / (leaves["foot"][:, 3:] * scale) ** 2
    np.testing.assert_allclose(area, flat, rtol=2e-3)
    cosine = -(halves[0] * halves[1]).sum(axis=-1) / np.prod([np.linalg.norm(half, axis=-1) for half in halves], axis=0)
    assert (cosine < 0.999).all()


@pytest.mark.parametrize("species", ["oak", "silver-birch", "weeping-willow", "walnut"])
def test_pictures_of_leaves_are_cut_by_no_cards_rim(species: str) -> None:
    """At no mipmap level is a card opaque along its rim, where an outline would end in a straight line."""
    leaf = species_of(species).leaf
    assert leaf is not None
    mask = leaf_mask(leaf.shape, leaf.aspect)
    for level in mask.levels[:3]:
        alpha = level[1:, ..., 3] / 255
        rims = [alpha[:, 0], alpha[:, -1], alpha[:, :, 0], alpha[:, :, -1]]
        assert max(float((rim > 0.5).mean()) for rim in rims) < 0.1


def test_no_pass_that_is_seen_leaves_pixels_out_by_a_pattern() -> None:
    for name in ("leaves.wgsl", "surface.wgsl", "impostor.wgsl", "grass.wgsl", "herbs.wgsl"):
        assert "kept(" not in (SHADERS / name).read_text(), f"{name} stipples"


def test_sky_light_falls_off_into_the_crown() -> None:
    plant = grow("oak", detail=0.3)
    light, leaves = crown_light(plant), plant.leaves
    at = plant.position[leaves.node]
    middle = (at.min(axis=0) + at.max(axis=0)) / 2
    low, high = (np.quantile(at[:, 1], share) for share in (0.2, 0.8))
    assert light.open[at[:, 1] < low].mean() < 0.85 * light.open[at[:, 1] > high].mean()
    out = np.linalg.norm((at - middle) / np.ptp(at, axis=0), axis=1)
    outer = out > np.quantile(out, 0.8)
    assert (np.linalg.norm(light.bent, axis=1) > 0.99).all()
    outward = ((at - middle) * light.bent).sum(axis=1)[outer]
    assert (outward > 0).mean() > 0.8, "most light comes from outside"


@pytest.mark.parametrize(("species", "turns"), [("oak", True), ("scots-pine", False)])
def test_broad_leaves_look_to_their_light_and_needles_stay_as_they_grew(species: str, turns: bool) -> None:
    plant = grow(species, detail=0.1)
    light, sprig = crown_light(plant).bent, plant_meshes(plant).meshes[0].sprig
    own, drawn = plant.leaves.orientation, plant_meshes(plant).meshes[0].leaves["turn"].astype(np.float64)
    if not turns:
        np.testing.assert_allclose(drawn, own, atol=1e-6)
        return
    card = sprig.turn[0, : sprig.count]
    up = np.array([0.0, 0.0, 1.0])[:, None]
    faces = turned(card[..., None], up)[..., 0] if sprig.count > 1 else up.T
    before, after = (
        (turned(turn[:, None, :, None], faces[None, ..., None])[..., 0] * light[:, None]).sum(axis=-1)
        for turn in (own, drawn)
    )
    assert after.mean() > 0.6 > before.mean()


def test_leaves_of_a_shoot_differ_in_size_and_keep_their_area() -> None:
    leaf = species_of("oak").leaf
    assert leaf is not None
    sprig = sprig_of(leaf, leaf.cluster, 0)
    own = sprig.scale[:, : sprig.count]
    np.testing.assert_allclose(np.square(own).mean(axis=1), 1.0)
    assert (own.max(axis=1) / own.min(axis=1) > 1.3).all()


def test_records_of_leaves_and_segments_have_no_gaps() -> None:
    assert LIT.itemsize == 64
    assert LEAF.itemsize == 48
    assert SEGMENT.itemsize % 16 == 0
