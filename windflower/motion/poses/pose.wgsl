// A pose of one node of eight plants: the twin of `LinearPose` and `CorrectedPose`.
//
// The amounts of eight plants lie side by side in workgroup memory, and shapes are read node by node. Sums are separate
// variables: an array of them would land in slow memory.
// include "motion/device/lanes.wgsl"
// include "motion/poses/level.wgsl"

const LINEAR = 0u;     // u = Σ q φ (eq. 10). Shapes are φ, rests are positions
const CORRECTED = 1u;  // u = Σ s v + s² w with s = atan(b q)/b (eq. 17–19). Rests are positions

const TREES = 8u;
override POSE: u32 = LINEAR;
override SHAPES: u32 = 28u;   // modes and static vectors of this level, filled up to a multiple of four
override THREADS: u32 = 128u;
override RUN: u32 = 1u;       // nodes of an invocation, one after the other

struct Sums {
  xa: vec4f, ya: vec4f, za: vec4f,  // of plants 0 to 3
  xb: vec4f, yb: vec4f, zb: vec4f,  // of plants 4 to 7
};

@group(0) @binding(0) var<uniform> u_level: Level;
@group(0) @binding(1) var<storage, read> b_slot: array<u32>;            // the instance in each slot
@group(0) @binding(2) var<storage, read> b_state: array<vec2f>;         // groups x amounts x lanes: amount, rate
@group(0) @binding(3) var<storage, read> b_shape: array<vec4f>;         // rows x nodes, see `weighted` and `corrected`
@group(0) @binding(4) var<storage, read> b_rest: array<vec4f>;          // nodes
@group(0) @binding(5) var<storage, read_write> b_points: array<vec4f>;  // slots x nodes
@group(0) @binding(6) var<storage, read> b_which: array<u32>;           // the amount of each shape

var<workgroup> amount: array<vec4f, 2u * SHAPES>;  // of plants 0 to 3 and 4 to 7, in turns

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) number: vec3u, @builtin(local_invocation_index) thread: u32) {
  // Workgroups that follow one another share the same nodes, so that their shapes are in the cache.
  let slot = number.x * TREES;
  // Whole vectors: components of one that several invocations write would be a data race.
  for (var item = thread; item < 2u * SHAPES; item += THREADS) {
    let four = slot + item % 2u * 4u;
    let shape = item / 2u;
    amount[item] = vec4f(amount_of(shape, four), amount_of(shape, four + 1u), amount_of(shape, four + 2u), amount_of(shape, four + 3u));
  }
  workgroupBarrier();
  for (var k = 0u; k < RUN; k++) {
    let node = (number.y * RUN + k) * THREADS + thread;
    if (node < u_level.nodes) { pose_node(node, slot); }
  }
}

// 0 where there is no shape or no slot.
fn amount_of(shape: u32, slot: u32) -> f32 {
  if (shape >= u_level.shapes || slot >= u_level.slots) { return 0.0; }
  return b_state[lane_at(b_slot[slot], b_which[shape], u_level.amounts)].x;
}

fn pose_node(node: u32, slot: u32) {
  let rest = b_rest[node].xyz;
  let sums = summed(node);
  put(node, slot, rest + vec3f(sums.xa.x, sums.ya.x, sums.za.x));
  put(node, slot + 1u, rest + vec3f(sums.xa.y, sums.ya.y, sums.za.y));
  put(node, slot + 2u, rest + vec3f(sums.xa.z, sums.ya.z, sums.za.z));
  put(node, slot + 3u, rest + vec3f(sums.xa.w, sums.ya.w, sums.za.w));
  put(node, slot + 4u, rest + vec3f(sums.xb.x, sums.yb.x, sums.zb.x));
  put(node, slot + 5u, rest + vec3f(sums.xb.y, sums.yb.y, sums.zb.y));
  put(node, slot + 6u, rest + vec3f(sums.xb.z, sums.yb.z, sums.zb.z));
  put(node, slot + 7u, rest + vec3f(sums.xb.w, sums.yb.w, sums.zb.w));
}

fn put(node: u32, slot: u32, point: vec3f) {
  if (slot < u_level.slots) { b_points[slot * u_level.nodes + node] = vec4f(point, 0.0); }
}

fn summed(node: u32) -> Sums {
  if (POSE == CORRECTED) { return corrected(node); }
  return weighted(node);
}

// Σ amount · shape. Rows of b_shape: x of four shapes, y of the four, z of the four, and so on.
fn weighted(node: u32) -> Sums {
  var xa = vec4f(0.0); var ya = vec4f(0.0); var za = vec4f(0.0);
  var xb = vec4f(0.0); var yb = vec4f(0.0); var zb = vec4f(0.0);
  for (var k = 0u; k < SHAPES / 4u; k++) {
    let x = b_shape[3u * k * u_level.nodes + node];
    let y = b_shape[(3u * k + 1u) * u_level.nodes + node];
    let z = b_shape[(3u * k + 2u) * u_level.nodes + node];
    let a0 = amount[8u * k]; let a1 = amount[8u * k + 2u]; let a2 = amount[8u * k + 4u]; let a3 = amount[8u * k + 6u];
    xa = xa + a0 * x.x + a1 * x.y + a2 * x.z + a3 * x.w;
    ya = ya + a0 * y.x + a1 * y.y + a2 * y.z + a3 * y.w;
    za = za + a0 * z.x + a1 * z.y + a2 * z.z + a3 * z.w;
    let b0 = amount[8u * k + 1u]; let b1 = amount[8u * k + 3u]; let b2 = amount[8u * k + 5u]; let b3 = amount[8u * k + 7u];
    xb = xb + b0 * x.x + b1 * x.y + b2 * x.z + b3 * x.w;
    yb = yb + b0 * y.x + b1 * y.y + b2 * y.z + b3 * y.w;
    zb = zb + b0 * z.x + b1 * z.y + b2 * z.z + b3 * z.w;
  }
  return Sums(xa, ya, za, xb, yb, zb);
}

// Σ s v + s² w. Rows of b_shape: v with b, w with 1/b, of one shape after the other.
fn corrected(node: u32) -> Sums {
  var xa = vec4f(0.0); var ya = vec4f(0.0); var za = vec4f(0.0);
  var xb = vec4f(0.0); var yb = vec4f(0.0); var zb = vec4f(0.0);
  for (var k = 0u; k < u_level.shapes; k++) {
    let v = b_shape[2u * k * u_level.nodes + node];
    let w = b_shape[(2u * k + 1u) * u_level.nodes + node];
    let sa = atan(v.w * amount[2u * k]) * w.w;
    let sb = atan(v.w * amount[2u * k + 1u]) * w.w;
    xa += sa * (v.x + sa * w.x); ya += sa * (v.y + sa * w.y); za += sa * (v.z + sa * w.z);
    xb += sb * (v.x + sb * w.x); yb += sb * (v.y + sb * w.y); zb += sb * (v.z + sb * w.z);
  }
  return Sums(xa, ya, za, xb, yb, zb);
}
