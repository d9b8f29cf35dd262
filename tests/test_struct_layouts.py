"""Struct layouts that Python reads from WGSL: offsets of the specification, and what a device makes of them."""

import ast
from pathlib import Path

import numpy as np
import pytest

import windflower
from windflower.core.buffers import bindings, dispatch, read_floats, recorded, storage, zeros
from windflower.core.device import Gpu
from windflower.core.layouts import layout, layouts_in, record
from windflower.errors import GpuError

PACKAGE = Path(windflower.__file__).parent

MIXED = """
struct Inner { a: vec3f, b: f32, }   // 16 bytes, aligned to 16

/* the outer one:
   struct Wrong { x: f32 } */
struct Mixed {
  first: f32,
  pair: vec2<u32>,         // 8
  triple: vec3f,           // 16
  tail: i32,               // 28: it fits behind a vec3
  alone: vec3<i32>,        // 32
  inner: Inner,            // 48
  turn: mat3x3f,           // 64: three columns of 16 bytes
  pairs: array<vec2f, 3>,  // 112
  inners: array<Inner, 2>, // 144, after 136
  triples: array<vec3f, 2>,// 176
  place: mat4x4<f32>,      // 208
  numbers: array<u32, 3>,  // 272
  last: f32,               // 284
};                         // 288: a multiple of 16
"""


def offsets(dtype: np.dtype[np.void]) -> dict[str, int]:
    return {name: field[1] for name, field in (dtype.fields or {}).items() if not name.startswith("pad_")}


def test_offsets_are_those_of_the_specification() -> None:
    mixed = layouts_in(MIXED, "Mixed")["Mixed"]
    assert offsets(mixed) == {
        "first": 0,
        "pair": 8,
        "triple": 16,
        "tail": 28,
        "alone": 32,
        "inner": 48,
        "turn": 64,
        "pairs": 112,
        "inners": 144,
        "triples": 176,
        "place": 208,
        "numbers": 272,
        "last": 284,
    }
    assert mixed.itemsize == 288
    shapes = {name: mixed[name].shape for name in ("turn", "pairs", "inners", "triples", "place", "numbers")}
    assert shapes == {
        "turn": (3, 4),
        "pairs": (3, 2),
        "inners": (2,),
        "triples": (2, 4),
        "place": (4, 4),
        "numbers": (3,),
    }
    assert mixed["inner"].itemsize == 16
    assert {mixed[name].base for name in ("pair", "tail", "triple")} == {
        np.dtype("<u4"),
        np.dtype("<i4"),
        np.dtype("<f4"),
    }


def test_a_layout_has_no_gaps_that_numpy_would_drop() -> None:
    mixed = layouts_in(MIXED, "Mixed")["Mixed"]
    both = np.zeros(2, mixed)
    assert np.concatenate([both, both]).dtype == mixed


READ = """
@group(0) @binding(0) var<storage, read> b_in: array<Mixed>;
@group(0) @binding(1) var<storage, read_write> b_out: array<f32>;
@compute @workgroup_size(1)
fn main() {
  let it = b_in[1];
  b_out[0] = it.first; b_out[1] = f32(it.pair.y); b_out[2] = it.triple.z; b_out[3] = f32(it.tail);
  b_out[4] = f32(it.alone.z); b_out[5] = it.inner.a.z; b_out[6] = it.inner.b; b_out[7] = it.turn[2].z;
  b_out[8] = it.pairs[2].y; b_out[9] = it.inners[1].b; b_out[10] = it.triples[1].z; b_out[11] = it.place[3].y;
  b_out[12] = f32(it.numbers[2]); b_out[13] = it.last;
}
"""


def test_a_device_reads_each_member_where_the_layout_puts_it(gpu: Gpu) -> None:
    mixed = layouts_in(MIXED, "Mixed")["Mixed"]
    data = np.zeros(2, mixed)
    one = data[1]
    one["first"], one["pair"], one["triple"], one["tail"], one["alone"] = 1, [0, 2], [0, 0, 3], -4, [0, 0, -5]
    one["inner"]["a"], one["inner"]["b"] = [0, 0, 6], 7
    one["turn"][2, 2], one["pairs"][2, 1], one["inners"]["b"] = 8, 9, [0, 10]
    one["triples"][1, 2], one["place"][3, 1], one["numbers"][2], one["last"] = 11, 12, 13, 14
    module = gpu.device.create_shader_module(code=MIXED + READ)
    pipeline = gpu.device.create_compute_pipeline(layout="auto", compute={"module": module, "entry_point": "main"})
    out = zeros(gpu, 64)
    with recorded(gpu) as compute_pass:
        dispatch(compute_pass, pipeline, bindings(gpu, pipeline, storage(gpu, data), out), 1)
    assert read_floats(gpu, out)[:14].tolist() == [1, 2, 3, -4, -5, 6, 7, 8, 9, 10, 11, 12, 13, 14]


def test_a_layout_comes_from_the_shader_or_from_what_it_includes() -> None:
    assert layout("render/wgsl/tubes.wgsl", "Frame") == layout("render/wgsl/frame.wgsl", "Frame")
    assert layout("render/wgsl/frame.wgsl", "Frame").itemsize == 4 * 64 + 23 * 16
    with pytest.raises(GpuError, match="declares no 'Nothing'"):
        layout("render/wgsl/frame.wgsl", "Nothing")
    with pytest.raises(GpuError, match="'array<f32>' is not"):
        layouts_in("struct Open { all: array<f32> }", "Open")


def test_a_record_has_the_given_fields_and_zeros() -> None:
    inner = record(layouts_in(MIXED, "Inner")["Inner"], b=2.5)
    assert inner["b"] == 2.5
    assert (inner["a"] == 0).all()


def calls() -> list[tuple[str, ast.Call]]:
    """All calls in the package but those in core/layouts.py and in writers of files, and where they stand."""
    return [
        (f"{path.relative_to(PACKAGE)}:{node.lineno}", node)
        for path in PACKAGE.rglob("*.py")
        if path.name != "layouts.py" and path.parent.name != "export"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
    ]


def makes_a_struct(call: ast.Call) -> bool:
    """np.dtype([…]), or a uniform of so many bytes."""
    if isinstance(call.func, ast.Attribute) and call.func.attr == "dtype":
        return any(isinstance(arg, ast.List | ast.Dict) for arg in call.args)
    sized = any(isinstance(arg, ast.Constant) and isinstance(arg.value, int) for arg in call.args)
    return isinstance(call.func, ast.Name) and call.func.id == "uniform" and sized


def test_no_struct_is_declared_a_second_time_in_python() -> None:
    """The fields of records stand in WGSL alone, and Python reads them there."""
    assert [where for where, call in calls() if makes_a_struct(call)] == []


@pytest.mark.parametrize(
    ("source", "wrong"),
    [
        ("np.dtype([('a', '<f4')])", True),
        ("uniform(gpu, 16)", True),
        ("np.dtype(kind)", False),
        ("rng.uniform(0, 1)", False),
    ],
)
def test_a_struct_in_python_is_found(source: str, wrong: bool) -> None:
    call = ast.parse(source, mode="eval").body
    assert isinstance(call, ast.Call)
    assert makes_a_struct(call) == wrong
