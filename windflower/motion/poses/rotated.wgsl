// The rotated pose: the twin of `RotatedPose`. A workgroup takes one chunk of nodes, an invocation to each, and some fours
// of plants, one after the other: segments are turned, paths are summed in workgroup memory, and every point is written
// once. What a chunk stands on was posed by a dispatch before: see `motion.poses.path_chunks`.
//
// The shapes of a node stay in registers for all plants. A vec4 holds one number of four plants, so that no two
// invocations write components of one vector.
// include "motion/device/lanes.wgsl"
// include "motion/poses/large_turns.wgsl"
// include "motion/poses/level.wgsl"

override QUADS: u32 = 8u;      // fours of plants of a workgroup
override SHAPES: u32 = 28u;    // modes and static vectors of this level, filled up to a multiple of four
override THREADS: u32 = 128u;  // invocations of a workgroup, and places of a chunk

const NONE = 0xffffffffu;
const OUTSIDE = 0x10000u;
const KEPT = 32u;  // shapes in registers

@group(0) @binding(0) var<uniform> u_level: Level;
@group(0) @binding(1) var<storage, read> b_slot: array<u32>;            // the instance in each slot
@group(0) @binding(2) var<storage, read> b_state: array<vec2f>;         // groups x amounts x lanes: amount, rate
@group(0) @binding(3) var<storage, read> b_shape: array<vec4f>;         // rows x places: x of four shapes, y, z, and so on
@group(0) @binding(4) var<storage, read> b_rest: array<vec4f>;          // places: chord, or position of a root; the node
@group(0) @binding(5) var<storage, read_write> b_points: array<vec4f>;  // slots x nodes
@group(0) @binding(6) var<storage, read> b_which: array<u32>;           // the amount of each shape
@group(0) @binding(7) var<storage, read> b_piece: array<vec4u>;         // chunks x (rounds; pieces): see `PathChunks.records`

var<workgroup> amount: array<vec4f, QUADS * SHAPES>;
var<workgroup> x: array<vec4f, THREADS>;  // of chords, and then of points
var<workgroup> y: array<vec4f, THREADS>;
var<workgroup> z: array<vec4f, THREADS>;

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) number: vec3u, @builtin(local_invocation_index) thread: u32) {
  let chunk = u_level.chunk + number.y;
  let place = chunk * THREADS + thread;
  let rounds = b_piece[chunk * (THREADS + 1u)].x;
  let piece = b_piece[chunk * (THREADS + 1u) + 1u + thread];
  let rest = b_rest[place];
  let node = bitcast<u32>(rest.w);
  let s0 = shapes_at(0u, place);
  let s1 = shapes_at(1u, place);
  let s2 = shapes_at(2u, place);
  let s3 = shapes_at(3u, place);
  let s4 = shapes_at(4u, place);
  let s5 = shapes_at(5u, place);
  let s6 = shapes_at(6u, place);
  let s7 = shapes_at(7u, place);
  load_amounts(number.x * 4u * QUADS, thread);
  workgroupBarrier();
  for (var quad = 0u; quad < QUADS; quad++) {
    let slot = (number.x * QUADS + quad) * 4u;
    if (slot >= u_level.slots) { break; }
    let first = quad * SHAPES;
    let base = base_outside(slot, piece);
    var sum = weighted(Four(), first, s0);
    if (SHAPES > 4u) { sum = weighted(sum, first + 4u, s1); }
    if (SHAPES > 8u) { sum = weighted(sum, first + 8u, s2); }
    if (SHAPES > 12u) { sum = weighted(sum, first + 12u, s3); }
    if (SHAPES > 16u) { sum = weighted(sum, first + 16u, s4); }
    if (SHAPES > 20u) { sum = weighted(sum, first + 20u, s5); }
    if (SHAPES > 24u) { sum = weighted(sum, first + 24u, s6); }
    if (SHAPES > 28u) { sum = weighted(sum, first + 28u, s7); }
    for (var k = KEPT; k < SHAPES; k += 4u) { sum = weighted(sum, first + k, shapes_at(k / 4u, place)); }
    keep(thread, turned_four(rest.xyz, sum));
    for (var round = 0u; round < rounds; round++) {
      workgroupBarrier();
      if (piece.w == round) { add_up(piece, base); }
    }
    workgroupBarrier();
    if (node != NONE) { put_four(slot, node, thread); }
  }
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

// Four shapes of a node; nothing where there are fewer.
fn shapes_at(four: u32, place: u32) -> Four {
  if (4u * four >= SHAPES) { return Four(); }
  let at = 3u * four * u_level.places + place;
  return Four(b_shape[at], b_shape[at + u_level.places], b_shape[at + 2u * u_level.places]);
}

// A sum of four plants and four more shapes.
fn weighted(sum: Four, at: u32, shapes: Four) -> Four {
  let amounts = mat4x4f(amount[at], amount[at + 1u], amount[at + 2u], amount[at + 3u]);
  return Four(sum.x + amounts * shapes.x, sum.y + amounts * shapes.y, sum.z + amounts * shapes.z);
}

fn keep(at: u32, four: Four) {
  x[at] = four.x;
  y[at] = four.y;
  z[at] = four.z;
}

// The points on which a piece stands that are of an earlier chunk; 0 for roots.
fn base_outside(slot: u32, piece: vec4u) -> Four {
  if ((piece.y & OUTSIDE) == 0u || piece.z == NONE) { return Four(); }
  let last = u_level.slots - 1u;
  let a = b_points[slot * u_level.nodes + piece.z];
  let b = b_points[min(slot + 1u, last) * u_level.nodes + piece.z];
  let c = b_points[min(slot + 2u, last) * u_level.nodes + piece.z];
  let d = b_points[min(slot + 3u, last) * u_level.nodes + piece.z];
  return Four(vec4f(a.x, b.x, c.x, d.x), vec4f(a.y, b.y, c.y, d.y), vec4f(a.z, b.z, c.z, d.z));
}

// Go along a piece, from where it stands, and turn chords into points.
fn add_up(piece: vec4u, outside: Four) {
  var point = outside;
  if ((piece.y & OUTSIDE) == 0u) { point = Four(x[piece.z], y[piece.z], z[piece.z]); }
  for (var at = piece.x; at < (piece.y & 0xffffu); at++) {
    point = Four(point.x + x[at], point.y + y[at], point.z + z[at]);
    keep(at, point);
  }
}

fn put_four(slot: u32, node: u32, thread: u32) {
  let px = x[thread];
  let py = y[thread];
  let pz = z[thread];
  put(slot, node, vec3f(px.x, py.x, pz.x));
  put(slot + 1u, node, vec3f(px.y, py.y, pz.y));
  put(slot + 2u, node, vec3f(px.z, py.z, pz.z));
  put(slot + 3u, node, vec3f(px.w, py.w, pz.w));
}

fn put(slot: u32, node: u32, point: vec3f) {
  if (slot < u_level.slots) { b_points[slot * u_level.nodes + node] = vec4f(point, 0.0); }
}
