// The wind over each plant, which its flowers and small leaves feel: the mean over its nodes.
// include "core/workgroups.wgsl"
// include "motion/broadleaf/broadleaf_body.wgsl"

const THREADS = 64u;

@group(0) @binding(0) var<uniform> u_body: Body;
@group(0) @binding(1) var<storage, read> b_wind: array<vec4f>;             // count x nodes, m/s in the world
@group(0) @binding(2) var<storage, read_write> b_air: array<vec4f>;        // count, m/s in the world

@compute @workgroup_size(THREADS)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let instance = workgroup_number(groups) * THREADS + thread;
  if (instance >= u_body.count) { return; }
  var sum = vec3f(0.0);
  for (var node = 0u; node < u_body.nodes; node++) {
    sum += b_wind[instance * u_body.nodes + node].xyz;
  }
  b_air[instance] = vec4f(sum / f32(u_body.nodes), 0.0);
}
