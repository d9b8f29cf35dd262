// Puts the points of a held plant in place of those that were posed without its hand, wherever it is shown.
// include "motion/modal/held.wgsl"
// include "motion/poses/level.wgsl"

const THREADS = 64u;

@group(0) @binding(1) var<uniform> u_level: Level;
@group(0) @binding(2) var<storage, read> b_slot: array<u32>;            // the instance in each slot
@group(0) @binding(3) var<storage, read> b_held: array<vec4f>;          // nodes
@group(0) @binding(4) var<storage, read_write> b_points: array<vec4f>;  // slots x nodes

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) number: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  for (var slot = number.y; slot < u_level.slots; slot += groups.y) {
    if (b_slot[slot] != u_hand.instance) { continue; }
    for (var node = thread; node < u_level.nodes; node += THREADS) {
      b_points[slot * u_level.nodes + node] = b_held[node];
    }
  }
}
