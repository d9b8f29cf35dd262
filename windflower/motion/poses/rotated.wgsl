// The rotated pose: the twin of `RotatedPose`. A workgroup takes up to sixteen plants from their roots to their tips, a
// chunk of nodes at a time: each invocation turns the segments to one node; pieces of paths are summed in workgroup
// memory; and every point is written once. See `motion.poses.path_pieces`.
//
// A vec4 holds one number of four plants, so that no two invocations write components of one vector. Sums are separate
// variables: an array of them would land in slow memory.
// include "core/workgroups.wgsl"
// include "motion/device/lanes.wgsl"
// include "motion/poses/large_turns.wgsl"
// include "motion/poses/level.wgsl"

override QUADS: u32 = 4u;      // fours of plants of a workgroup: 1, 2 or 4
override THREADS: u32 = 64u;   // invocations of a workgroup, and nodes of a chunk
override SHAPES: u32 = 28u;    // modes and static vectors of this level, filled up to a multiple of four
override PORTION: u32 = 28u;   // of them whose amounts are in workgroup memory at a time, a multiple of four

const NONE = 0xffffffffu;

@group(0) @binding(0) var<uniform> u_level: Level;
@group(0) @binding(1) var<storage, read> b_slot: array<u32>;            // the instance in each slot
@group(0) @binding(2) var<storage, read> b_state: array<vec2f>;         // groups x amounts x lanes: amount, rate
@group(0) @binding(3) var<storage, read> b_shape: array<vec4f>;         // rows x nodes: x of four shapes, y, z, and so on
@group(0) @binding(4) var<storage, read> b_rest: array<vec4f>;          // nodes: chords, and positions of roots
@group(0) @binding(5) var<storage, read_write> b_points: array<vec4f>;  // slots x nodes
@group(0) @binding(6) var<storage, read> b_which: array<u32>;           // the amount of each shape
// chunks: its rounds, first and end; rounds: its pieces, first and end; pieces: its nodes, first and end, and the parent
@group(0) @binding(7) var<storage, read> b_piece: array<vec4u>;

var<workgroup> amount: array<vec4f, QUADS * PORTION>;
var<workgroup> x: array<vec4f, QUADS * THREADS>;  // of chords, and then of points
var<workgroup> y: array<vec4f, QUADS * THREADS>;
var<workgroup> z: array<vec4f, QUADS * THREADS>;

@compute @workgroup_size(THREADS)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let slot = workgroup_number(groups) * 4u * QUADS;
  if (slot >= u_level.slots) { return; }
  if (PORTION >= SHAPES) { load_amounts(slot, 0u, thread); }
  for (var chunk = u_level.chunk; chunk < u_level.chunks; chunk++) {
    let node = chunk * THREADS + thread;
    turn(slot, min(node, u_level.nodes - 1u), thread);
    storageBarrier();  // points of the chunks before
    let rounds = b_piece[chunk].xy;
    for (var round = rounds.x; round < rounds.y; round++) {
      workgroupBarrier();
      add_pieces(slot, chunk * THREADS, b_piece[round].xy, thread);
    }
    workgroupBarrier();
    if (node < u_level.nodes) { put_all(slot, node, thread); }
  }
}

// Leave the amounts of some shapes in workgroup memory, where all wait for them.
fn load_amounts(slot: u32, shape: u32, thread: u32) {
  for (var item = thread; item < QUADS * PORTION; item += THREADS) {
    let four = slot + 4u * (item / PORTION);
    let one = shape + item % PORTION;
    amount[item] = vec4f(amount_of(one, four), amount_of(one, four + 1u), amount_of(one, four + 2u), amount_of(one, four + 3u));
  }
  workgroupBarrier();
}

// 0 where there is no shape or no slot.
fn amount_of(shape: u32, slot: u32) -> f32 {
  if (shape >= u_level.shapes || slot >= u_level.slots) { return 0.0; }
  return b_state[lane_at(b_slot[slot], b_which[shape], u_level.amounts)].x;
}

// Turn the segments to a node by r = Σ q ψ.
fn turn(slot: u32, node: u32, thread: u32) {
  var a = Four(); var b = Four(); var c = Four(); var d = Four();
  for (var first = 0u; first < SHAPES; first += PORTION) {
    if (PORTION < SHAPES) {
      workgroupBarrier();  // all have read the amounts before
      load_amounts(slot, first, thread);
    }
    for (var k = 0u; k < min(PORTION, SHAPES - first); k += 4u) {
      let row = (first + k) / 4u * 3u * u_level.nodes + node;
      let shapes = Four(b_shape[row], b_shape[row + u_level.nodes], b_shape[row + 2u * u_level.nodes]);
      a = weighted(a, k, shapes);
      if (QUADS > 1u) { b = weighted(b, PORTION + k, shapes); }
      if (QUADS > 2u) {
        c = weighted(c, 2u * PORTION + k, shapes);
        d = weighted(d, 3u * PORTION + k, shapes);
      }
    }
  }
  let rest = b_rest[node].xyz;
  keep(thread, turned_four(rest, a));
  if (QUADS > 1u) { keep(THREADS + thread, turned_four(rest, b)); }
  if (QUADS > 2u) {
    keep(2u * THREADS + thread, turned_four(rest, c));
    keep(3u * THREADS + thread, turned_four(rest, d));
  }
}

// A sum of four plants and four more shapes.
fn weighted(sum: Four, k: u32, shapes: Four) -> Four {
  let amounts = mat4x4f(amount[k], amount[k + 1u], amount[k + 2u], amount[k + 3u]);
  return Four(sum.x + amounts * shapes.x, sum.y + amounts * shapes.y, sum.z + amounts * shapes.z);
}

fn keep(at: u32, four: Four) {
  x[at] = four.x;
  y[at] = four.y;
  z[at] = four.z;
}

// Go along pieces of paths whose parents are done, and turn chords into points. `first` is the first node of the chunk.
fn add_pieces(slot: u32, first: u32, pieces: vec2u, thread: u32) {
  let count = pieces.y - pieces.x;
  for (var task = thread; task < count * QUADS; task += THREADS) {
    let piece = b_piece[pieces.x + task % count];
    let quad = task / count;
    var point = base(slot + 4u * quad, quad, first, piece.z);
    for (var at = quad * THREADS + piece.x - first; at < quad * THREADS + piece.y - first; at++) {
      point = Four(point.x + x[at], point.y + y[at], point.z + z[at]);
      keep(at, point);
    }
  }
}

// A parent's points: of this chunk, or one before. None of roots.
fn base(slot: u32, quad: u32, first: u32, parent: u32) -> Four {
  if (parent == NONE) { return Four(); }
  if (parent >= first) {
    let at = quad * THREADS + parent - first;
    return Four(x[at], y[at], z[at]);
  }
  let a = b_points[point_at(slot, parent)];
  let b = b_points[point_at(slot + 1u, parent)];
  let c = b_points[point_at(slot + 2u, parent)];
  let d = b_points[point_at(slot + 3u, parent)];
  return Four(vec4f(a.x, b.x, c.x, d.x), vec4f(a.y, b.y, c.y, d.y), vec4f(a.z, b.z, c.z, d.z));
}

fn point_at(slot: u32, node: u32) -> u32 {
  return min(slot, u_level.slots - 1u) * u_level.nodes + node;
}

fn put_all(slot: u32, node: u32, thread: u32) {
  for (var quad = 0u; quad < QUADS; quad++) {
    let at = quad * THREADS + thread;
    let px = x[at];
    let py = y[at];
    let pz = z[at];
    put(slot + 4u * quad, node, vec3f(px.x, py.x, pz.x));
    put(slot + 4u * quad + 1u, node, vec3f(px.y, py.y, pz.y));
    put(slot + 4u * quad + 2u, node, vec3f(px.z, py.z, pz.z));
    put(slot + 4u * quad + 3u, node, vec3f(px.w, py.w, pz.w));
  }
}

fn put(slot: u32, node: u32, point: vec3f) {
  if (slot < u_level.slots) { b_points[slot * u_level.nodes + node] = vec4f(point, 0.0); }
}
