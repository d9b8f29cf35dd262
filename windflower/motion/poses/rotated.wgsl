// The rotated pose: the twin of `RotatedPose`. A workgroup takes one chunk of nodes, an invocation to each, and some fours
// of plants: segments are turned, paths are summed in workgroup memory, and every point is written once. What a chunk
// stands on was posed by a dispatch before: see `motion.poses.path_chunks`.
//
// A vec4 holds one number of four plants, so that no two invocations write components of one vector. Sums are separate
// variables: an array of them would land in slow memory. Paths are summed one component after the other: the less memory
// a workgroup takes, the more of them a processor holds, and that counts for more than barriers.
// include "motion/device/lanes.wgsl"
// include "motion/poses/large_turns.wgsl"
// include "motion/poses/level.wgsl"

override QUADS: u32 = 2u;      // fours of plants of a workgroup: 1 or 2
override SHAPES: u32 = 28u;    // modes and static vectors of this level, filled up to a multiple of four
override THREADS: u32 = 128u;  // invocations of a workgroup, and places of a chunk

const NONE = 0xffffffffu;

@group(0) @binding(0) var<uniform> u_level: Level;
@group(0) @binding(1) var<storage, read> b_slot: array<u32>;            // the instance in each slot
@group(0) @binding(2) var<storage, read> b_state: array<vec2f>;         // groups x amounts x lanes: amount, rate
@group(0) @binding(3) var<storage, read> b_shape: array<vec4f>;         // rows x places: x of four shapes, y, z, and so on
@group(0) @binding(4) var<storage, read> b_rest: array<vec4f>;          // places: chord, or position of a root
@group(0) @binding(5) var<storage, read_write> b_points: array<vec4f>;  // slots x nodes
@group(0) @binding(6) var<storage, read> b_which: array<u32>;           // the amount of each shape
@group(0) @binding(7) var<storage, read> b_place: array<vec4u>;         // see `PathChunks.records`

var<workgroup> amount: array<vec4f, QUADS * SHAPES>;
var<workgroup> chord: array<vec4f, QUADS * THREADS>;  // one component of each four; and then points

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) number: vec3u, @builtin(local_invocation_index) thread: u32) {
  let slot = number.x * 4u * QUADS;
  let first = (u_level.chunk + number.y) * THREADS;
  load_amounts(slot, thread);
  workgroupBarrier();
  var a = Four();
  var b = Four();
  for (var k = 0u; k < SHAPES; k += 4u) {
    let shapes = shapes_at(k, first + thread);
    a = weighted(a, k, shapes);
    if (QUADS > 1u) { b = weighted(b, SHAPES + k, shapes); }
  }
  let rest = b_rest[first + thread].xyz;
  let place = b_place[first + thread];
  a = based(turned_four(rest, a), slot, place.y);
  if (QUADS > 1u) { b = based(turned_four(rest, b), slot + 4u, place.y); }
  let x = summed(a.x, b.x, first, thread);
  let y = summed(a.y, b.y, first, thread);
  let z = summed(a.z, b.z, first, thread);
  if (place.x == NONE) { return; }
  put_four(slot, place.x, Four(x.a, y.a, z.a));
  if (QUADS > 1u) { put_four(slot + 4u, place.x, Four(x.b, y.b, z.b)); }
}

// The amounts of all plants of this workgroup; 0 where there is no shape or no slot.
fn load_amounts(slot: u32, thread: u32) {
  for (var item = thread; item < QUADS * SHAPES; item += THREADS) {
    let shape = item % SHAPES;
    let four = slot + 4u * (item / SHAPES);
    amount[item] = vec4f(amount_of(shape, four), amount_of(shape, four + 1u), amount_of(shape, four + 2u), amount_of(shape, four + 3u));
  }
}

fn amount_of(shape: u32, slot: u32) -> f32 {
  if (shape >= u_level.shapes || slot >= u_level.slots) { return 0.0; }
  return b_state[lane_at(b_slot[slot], b_which[shape], u_level.amounts)].x;
}

// Four shapes at a node.
fn shapes_at(shape: u32, place: u32) -> Four {
  let at = shape / 4u * 3u * u_level.places + place;
  return Four(b_shape[at], b_shape[at + u_level.places], b_shape[at + 2u * u_level.places]);
}

// A sum of four plants and four more shapes, whose amounts are columns.
fn weighted(sum: Four, at: u32, shapes: Four) -> Four {
  let amounts = mat4x4f(amount[at], amount[at + 1u], amount[at + 2u], amount[at + 3u]);
  return Four(sum.x + amounts * shapes.x, sum.y + amounts * shapes.y, sum.z + amounts * shapes.z);
}

// Chords of four plants from the points of an earlier chunk on, where they stand on one.
fn based(by: Four, slot: u32, node: u32) -> Four {
  if (node == NONE) { return by; }
  let last = u_level.slots - 1u;
  let a = b_points[min(slot, last) * u_level.nodes + node];
  let b = b_points[min(slot + 1u, last) * u_level.nodes + node];
  let c = b_points[min(slot + 2u, last) * u_level.nodes + node];
  let d = b_points[min(slot + 3u, last) * u_level.nodes + node];
  return Four(vec4f(a.x, b.x, c.x, d.x) + by.x, vec4f(a.y, b.y, c.y, d.y) + by.y, vec4f(a.z, b.z, c.z, d.z) + by.z);
}

struct Two { a: vec4f, b: vec4f };

// One component of points from that of chords, of one four or two, along all paths of the chunk.
fn summed(a: vec4f, b: vec4f, first: u32, thread: u32) -> Two {
  chord[thread] = a;
  if (QUADS > 1u) { chord[THREADS + thread] = b; }
  let rounds = b_place[first].w;
  var begin = 0u;
  for (var round = 0u; round < rounds; round++) {
    workgroupBarrier();
    let end = b_place[first + 1u + round].w;
    for (var task = thread; task < QUADS * (end - begin); task += THREADS) {
      add_up(b_place[first + begin + task / QUADS].z, task % QUADS * THREADS);
    }
    begin = end;
  }
  workgroupBarrier();
  return Two(chord[thread], chord[(QUADS - 1u) * THREADS + thread]);
}

// Go along a piece of a path from where it stands. The row of its four begins at `row`.
fn add_up(piece: u32, row: u32) {
  let base = piece & 0xffu;
  let stop = row + (piece >> 16u);
  var point = vec4f(0.0);
  if (base != 0xffu) { point = chord[row + base]; }
  for (var at = row + ((piece >> 8u) & 0xffu); at < stop; at++) {
    point += chord[at];
    chord[at] = point;
  }
}

fn put_four(slot: u32, node: u32, points: Four) {
  put(slot, node, vec3f(points.x.x, points.y.x, points.z.x));
  put(slot + 1u, node, vec3f(points.x.y, points.y.y, points.z.y));
  put(slot + 2u, node, vec3f(points.x.z, points.y.z, points.z.z));
  put(slot + 3u, node, vec3f(points.x.w, points.y.w, points.z.w));
}

fn put(slot: u32, node: u32, point: vec3f) {
  if (slot < u_level.slots) { b_points[slot * u_level.nodes + node] = vec4f(point, 0.0); }
}
