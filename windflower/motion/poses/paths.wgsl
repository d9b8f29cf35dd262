// Sums from the root along every path: the twin of `Paths.sum`, in place. A workgroup walks one plant, depth by depth.

override THREADS: u32 = 64u;

struct Level {
  nodes: u32,
  shapes: u32,
  slots: u32,
  depths: u32,       // how many there are, that of the roots included
};

@group(0) @binding(0) var<uniform> u_level: Level;
@group(0) @binding(1) var<storage, read> b_begin: array<u32>;           // depths + 1: where each begins in b_order
@group(0) @binding(2) var<storage, read> b_order: array<vec2u>;         // nodes by depth: the node, its parent
@group(0) @binding(3) var<storage, read_write> b_points: array<vec4f>;  // slots x nodes

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) number: vec3u,
  @builtin(num_workgroups) numbers: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let slot = number.x + number.y * numbers.x;
  if (slot >= u_level.slots) { return; }
  let first = slot * u_level.nodes;
  for (var depth = 1u; depth < u_level.depths; depth++) {
    let end = b_begin[depth + 1u];
    for (var k = b_begin[depth] + thread; k < end; k += THREADS) {
      let pair = b_order[k];
      b_points[first + pair.x] += b_points[first + pair.y];
    }
    storageBarrier();
  }
}
