// A pose of one node of eight plants: what linear.wgsl, rotated.wgsl and corrected.wgsl have in common.
//
// They define `summed`, over the shapes, and `placed`, from a node's rest and its sum. The amounts of eight plants lie
// side by side in workgroup memory, and shapes are read node by node. Sums are separate variables: an array of them
// would land in slow memory.

const LANES = 32u;  // as in step.wgsl
const TREES = 8u;
override SHAPES: u32 = 28u;   // modes and static vectors of this level, filled up to a multiple of four
override THREADS: u32 = 128u;
override RUN: u32 = 1u;       // nodes of an invocation, one after the other

struct Level {
  nodes: u32,
  shapes: u32,   // modes and static vectors that it keeps
  slots: u32,
  depths: u32,
  amounts: u32,  // modes and static vectors of the motion
};

struct Sums {
  xa: vec4f, ya: vec4f, za: vec4f,  // of plants 0 to 3
  xb: vec4f, yb: vec4f, zb: vec4f,  // of plants 4 to 7
};

@group(0) @binding(0) var<uniform> u_level: Level;
@group(0) @binding(1) var<storage, read> b_slot: array<u32>;            // the instance in each slot
@group(0) @binding(2) var<storage, read> b_state: array<vec2f>;         // groups x amounts x lanes: amount, rate
@group(0) @binding(3) var<storage, read> b_shape: array<vec4f>;         // rows x nodes
@group(0) @binding(4) var<storage, read> b_rest: array<vec4f>;          // nodes
@group(0) @binding(5) var<storage, read_write> b_points: array<vec4f>;  // slots x nodes
@group(0) @binding(6) var<storage, read> b_which: array<u32>;           // the amount of each shape

var<workgroup> amount: array<vec4f, 2u * SHAPES>;  // of plants 0 to 3 and 4 to 7, in turns

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) number: vec3u, @builtin(local_invocation_index) thread: u32) {
  // Workgroups that follow one another share the same nodes, so that their shapes are in the cache.
  let slot = number.x * TREES;
  load_amounts(slot, thread);
  workgroupBarrier();
  for (var k = 0u; k < RUN; k++) {
    let node = (number.y * RUN + k) * THREADS + thread;
    if (node < u_level.nodes) { pose_node(node, slot); }
  }
}

// 0 where there is no shape or no slot.
fn load_amounts(slot: u32, thread: u32) {
  for (var item = thread; item < SHAPES * TREES; item += THREADS) {
    let shape = item / TREES;
    let mine = slot + item % TREES;
    var value = 0.0;
    if (shape < u_level.shapes && mine < u_level.slots) {
      let instance = b_slot[mine];
      value = b_state[(instance / LANES * u_level.amounts + b_which[shape]) * LANES + instance % LANES].x;
    }
    amount[item / 4u][item % 4u] = value;
  }
}

fn pose_node(node: u32, slot: u32) {
  let rest = b_rest[node].xyz;
  let sums = summed(node);
  put(node, slot, placed(rest, vec3f(sums.xa.x, sums.ya.x, sums.za.x)));
  put(node, slot + 1u, placed(rest, vec3f(sums.xa.y, sums.ya.y, sums.za.y)));
  put(node, slot + 2u, placed(rest, vec3f(sums.xa.z, sums.ya.z, sums.za.z)));
  put(node, slot + 3u, placed(rest, vec3f(sums.xa.w, sums.ya.w, sums.za.w)));
  put(node, slot + 4u, placed(rest, vec3f(sums.xb.x, sums.yb.x, sums.zb.x)));
  put(node, slot + 5u, placed(rest, vec3f(sums.xb.y, sums.yb.y, sums.zb.y)));
  put(node, slot + 6u, placed(rest, vec3f(sums.xb.z, sums.yb.z, sums.zb.z)));
  put(node, slot + 7u, placed(rest, vec3f(sums.xb.w, sums.yb.w, sums.zb.w)));
}

fn put(node: u32, slot: u32, point: vec3f) {
  if (slot < u_level.slots) { b_points[slot * u_level.nodes + node] = vec4f(point, 0.0); }
}
