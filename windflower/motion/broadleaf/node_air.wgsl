// The wind at every node of every instance, turned into the plant's own frame.
// include "core/workgroups.wgsl"
// include "motion/broadleaf/broadleaf_body.wgsl"

const THREADS = 64u;

@group(0) @binding(0) var<uniform> u_body: Body;
@group(0) @binding(1) var<storage, read> b_wind: array<vec4f>;             // count x nodes, m/s in the world
@group(0) @binding(2) var<storage, read> b_instance: array<Instance>;
@group(0) @binding(3) var<storage, read_write> b_air: array<vec4f>;        // count x nodes, m/s

@compute @workgroup_size(THREADS)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let k = workgroup_number(groups) * THREADS + thread;
  if (k >= u_body.count * u_body.nodes) { return; }
  b_air[k] = vec4f(turned_to_plant(b_instance[k / u_body.nodes].place.yaw, b_wind[k].xyz), 0.0);
}
