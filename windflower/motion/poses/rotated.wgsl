// The rotated pose: the twin of `RotatedPose`. A workgroup takes one chunk of nodes and some fours of plants: segments are
// turned, paths are summed in workgroup memory, and every point is written once. What a chunk stands on was posed by a
// dispatch before: see `motion.poses.path_chunks`.
//
// An invocation takes one node or two, so that an amount that comes from workgroup memory is used for both. A vec4 holds
// one number of four plants, so that no two invocations write components of one vector. Sums are separate variables: an
// array of them would land in slow memory.
// include "motion/device/lanes.wgsl"
// include "motion/poses/large_turns.wgsl"
// include "motion/poses/level.wgsl"

override QUADS: u32 = 2u;     // fours of plants of a workgroup: 1, 2 or 4
override NODES: u32 = 2u;     // nodes of an invocation: 1 or 2
override SHAPES: u32 = 28u;   // modes and static vectors of this level, filled up to a multiple of four
override THREADS: u32 = 64u;
override PLACES: u32 = NODES * THREADS;  // of a chunk

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
var<workgroup> chord: array<vec4f, 3u * QUADS * PLACES>;  // x, y and z of each four; and then points

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) number: vec3u, @builtin(local_invocation_index) thread: u32) {
  let slot = number.x * 4u * QUADS;
  let first = (u_level.chunk + number.y) * PLACES;
  load_amounts(slot, thread);
  workgroupBarrier();
  turn(slot, first, thread);
  let rounds = b_place[first].w;
  var begin = 0u;
  for (var round = 0u; round < rounds; round++) {
    workgroupBarrier();
    let end = b_place[first + 1u + round].w;
    add_pieces(first, begin, end, thread);
    begin = end;
  }
  workgroupBarrier();
  for (var place = thread; place < PLACES; place += THREADS) {
    put_all(slot, b_place[first + place].x, place);
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

// Turn the segments to one node, or two, by r = Σ q ψ, and leave their chords in workgroup memory.
fn turn(slot: u32, first: u32, thread: u32) {
  var a = Four(); var b = Four(); var c = Four(); var d = Four();
  var e = Four(); var f = Four(); var g = Four(); var h = Four();
  for (var k = 0u; k < SHAPES; k += 4u) {
    let one = shapes_at(k, first + thread);
    var two = Four();
    if (NODES > 1u) { two = shapes_at(k, first + THREADS + thread); }
    let quad0 = amounts_at(k);
    a = weighted(a, quad0, one);
    if (NODES > 1u) { e = weighted(e, quad0, two); }
    if (QUADS > 1u) {
      let quad1 = amounts_at(SHAPES + k);
      b = weighted(b, quad1, one);
      if (NODES > 1u) { f = weighted(f, quad1, two); }
    }
    if (QUADS > 2u) {
      let quad2 = amounts_at(2u * SHAPES + k);
      let quad3 = amounts_at(3u * SHAPES + k);
      c = weighted(c, quad2, one);
      d = weighted(d, quad3, one);
      if (NODES > 1u) {
        g = weighted(g, quad2, two);
        h = weighted(h, quad3, two);
      }
    }
  }
  keep(0u, slot, first, thread, a);
  if (QUADS > 1u) { keep(1u, slot, first, thread, b); }
  if (QUADS > 2u) { keep(2u, slot, first, thread, c); keep(3u, slot, first, thread, d); }
  if (NODES > 1u) {
    keep(0u, slot, first, THREADS + thread, e);
    if (QUADS > 1u) { keep(1u, slot, first, THREADS + thread, f); }
    if (QUADS > 2u) { keep(2u, slot, first, THREADS + thread, g); keep(3u, slot, first, THREADS + thread, h); }
  }
}

// Four shapes at a node.
fn shapes_at(shape: u32, place: u32) -> Four {
  let at = shape / 4u * 3u * u_level.places + place;
  return Four(b_shape[at], b_shape[at + u_level.places], b_shape[at + 2u * u_level.places]);
}

// Amounts of four shapes, a column to each, of four plants.
fn amounts_at(at: u32) -> mat4x4f {
  return mat4x4f(amount[at], amount[at + 1u], amount[at + 2u], amount[at + 3u]);
}

fn weighted(sum: Four, amounts: mat4x4f, shapes: Four) -> Four {
  return Four(sum.x + amounts * shapes.x, sum.y + amounts * shapes.y, sum.z + amounts * shapes.z);
}

// Leave a chord of four plants, turned by r, in workgroup memory, with the points of an earlier chunk where it stands on one.
fn keep(quad: u32, slot: u32, first: u32, place: u32, r: Four) {
  var to = turned_four(b_rest[first + place].xyz, r);
  let parent = b_place[first + place].y;
  if (parent != NONE) { to = moved(to, slot + 4u * quad, parent); }
  let at = 3u * quad * PLACES + place;
  chord[at] = to.x;
  chord[at + PLACES] = to.y;
  chord[at + 2u * PLACES] = to.z;
}

fn moved(by: Four, slot: u32, node: u32) -> Four {
  let last = u_level.slots - 1u;
  let a = b_points[min(slot, last) * u_level.nodes + node];
  let b = b_points[min(slot + 1u, last) * u_level.nodes + node];
  let c = b_points[min(slot + 2u, last) * u_level.nodes + node];
  let d = b_points[min(slot + 3u, last) * u_level.nodes + node];
  return Four(vec4f(a.x, b.x, c.x, d.x) + by.x, vec4f(a.y, b.y, c.y, d.y) + by.y, vec4f(a.z, b.z, c.z, d.z) + by.z);
}

// Go along some pieces of paths, from where they stand, and turn chords into points, each component by itself.
fn add_pieces(first: u32, begin: u32, end: u32, thread: u32) {
  let count = end - begin;
  for (var task = thread; task < 3u * QUADS * count; task += THREADS) {
    let piece = b_place[first + begin + task % count].z;
    let row = task / count * PLACES;
    let base = piece & 0xffu;
    var at = row + (piece >> 8u & 0xffu);
    let stop = row + (piece >> 16u);
    var point = vec4f(0.0);
    if (base != 0xffu) { point = chord[row + base]; }
    for (; at < stop; at++) {
      point += chord[at];
      chord[at] = point;
    }
  }
}

fn put_all(slot: u32, node: u32, place: u32) {
  if (node == NONE) { return; }
  for (var quad = 0u; quad < QUADS; quad++) {
    let at = 3u * quad * PLACES + place;
    let x = chord[at];
    let y = chord[at + PLACES];
    let z = chord[at + 2u * PLACES];
    put(slot + 4u * quad, node, vec3f(x.x, y.x, z.x));
    put(slot + 4u * quad + 1u, node, vec3f(x.y, y.y, z.y));
    put(slot + 4u * quad + 2u, node, vec3f(x.z, y.z, z.z));
    put(slot + 4u * quad + 3u, node, vec3f(x.w, y.w, z.w));
  }
}

fn put(slot: u32, node: u32, point: vec3f) {
  if (slot < u_level.slots) { b_points[slot * u_level.nodes + node] = vec4f(point, 0.0); }
}
