// How strongly each posed node's segment is bent at its base: the twin of `fibre_strain`. Left in the w of its point.
// include "motion/device/lanes.wgsl"
// include "motion/poses/level.wgsl"

override THREADS: u32 = 64u;

@group(0) @binding(0) var<uniform> u_level: Level;
@group(0) @binding(1) var<storage, read> b_slot: array<u32>;            // the instance in each slot
@group(0) @binding(2) var<storage, read> b_state: array<vec2f>;         // groups x amounts x lanes: amount, rate
@group(0) @binding(3) var<storage, read> b_bent: array<vec4f>;          // amounts x nodes: radius x curvature; axial strain
@group(0) @binding(4) var<storage, read_write> b_points: array<vec4f>;  // slots x nodes

@compute @workgroup_size(THREADS)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  if (id.x >= u_level.nodes) { return; }
  for (var slot = id.y; slot < u_level.slots; slot += groups.y) {
    b_points[slot * u_level.nodes + id.x].w = strain(b_slot[slot], id.x);
  }
}

fn strain(instance: u32, node: u32) -> f32 {
  var bent = vec4f(0.0);
  for (var k = 0u; k < u_level.amounts; k++) {
    bent += b_state[lane_at(instance, k, u_level.amounts)].x * b_bent[k * u_level.nodes + node];
  }
  return length(bent.xyz) + abs(bent.w);
}
