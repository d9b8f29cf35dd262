// A pose of one node of eight plants: what linear.wgsl, rotated.wgsl and corrected.wgsl have in common.
//
// They define `summed`, over the shapes, and `placed`, from a node's rest and its sum. The amounts of a tile of shapes
// lie in workgroup memory, eight plants side by side, and shapes are read node by node. Sums are separate variables:
// an array of them would land in slow memory.

const LANES = 32u;   // as in step.wgsl
const TREES = 8u;
const TILE = 32u;
override THREADS: u32 = 128u;

struct Level {
  nodes: u32,
  shapes: u32,       // modes + 3 cells
  slots: u32,
};

struct Sums {
  xa: vec4f, ya: vec4f, za: vec4f,  // of plants 0 to 3
  xb: vec4f, yb: vec4f, zb: vec4f,  // of plants 4 to 7
};

@group(0) @binding(0) var<uniform> u_level: Level;
@group(0) @binding(1) var<storage, read> b_slot: array<u32>;            // the instance in each slot
@group(0) @binding(2) var<storage, read> b_state: array<vec2f>;         // groups x shapes x lanes: amount, rate
@group(0) @binding(3) var<storage, read> b_shape: array<vec4f>;         // shapes x nodes
@group(0) @binding(4) var<storage, read> b_rest: array<vec4f>;          // nodes
@group(0) @binding(5) var<storage, read_write> b_points: array<vec4f>;  // slots x nodes

var<workgroup> amount: array<vec4f, 2u * TILE>;

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) number: vec3u, @builtin(local_invocation_index) thread: u32) {
  // Workgroups that follow one another share the same nodes, and so their shapes are in the cache.
  let slot = number.x * TREES;
  let node = number.y * THREADS + thread;
  let sums = summed(min(node, u_level.nodes - 1u), slot, thread);
  if (node >= u_level.nodes) { return; }
  let rest = b_rest[node].xyz;
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

// Load the amounts of shapes from `first` on; 0 where there is no shape or no slot.
fn load_amounts(first: u32, slot: u32, thread: u32) {
  workgroupBarrier();
  for (var item = thread; item < TILE * TREES; item += THREADS) {
    let shape = first + item / TREES;
    let mine = slot + item % TREES;
    var value = 0.0;
    if (shape < u_level.shapes && mine < u_level.slots) {
      let instance = b_slot[mine];
      value = b_state[(instance / LANES * u_level.shapes + shape) * LANES + instance % LANES].x;
    }
    amount[item / 4u][item % 4u] = value;
  }
  workgroupBarrier();
}
