// The wind at every node of every instance, where these are at rest, in the plant's own frame.
// include "core/workgroups.wgsl"
// include "motion/broadleaf/broadleaf_body.wgsl"
// include "wind/slabs.wgsl"

const THREADS = 64u;

@group(0) @binding(0) var<uniform> u_body: Body;
// 1: b_wind
@group(0) @binding(2) var<uniform> u_slabs: Slabs;
@group(0) @binding(3) var<storage, read> b_instance: array<Instance>;
@group(0) @binding(4) var<storage, read> b_rest: array<vec4f>;             // nodes, m
@group(0) @binding(5) var<storage, read_write> b_air: array<vec4f>;        // count x nodes, m/s

@compute @workgroup_size(THREADS)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let k = workgroup_number(groups) * THREADS + thread;
  if (k >= u_body.count * u_body.nodes) { return; }
  let place = b_instance[k / u_body.nodes].place;
  let air = in_slabs(u_slabs, in_world(place, b_rest[k % u_body.nodes].xyz), u_slabs.slab);
  b_air[k] = vec4f(turned_to_plant(place.yaw, air), 0.0);
}
