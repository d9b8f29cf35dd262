// Nodes from turned segments: the second half of the twin of `RotatedPose`. A workgroup walks one plant.
// include "core/workgroups.wgsl"
// include "motion/poses/level.wgsl"
// include "motion/poses/path_sums.wgsl"

@group(0) @binding(0) var<uniform> u_level: Level;

@compute @workgroup_size(THREADS)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let slot = workgroup_number(groups);
  if (slot >= u_level.slots) { return; }
  add_up(slot * u_level.nodes, u_level.depths, thread);
}
