// How strongly each posed node's segment is bent at its base: the twin of `fibre_strain`. Left in the w of its point.

const LANES = 32u;  // as in step.wgsl
override THREADS: u32 = 64u;

struct Level {
  nodes: u32,
  shapes: u32,  // modes + 3 cells
  slots: u32,
};

@group(0) @binding(0) var<uniform> u_level: Level;
@group(0) @binding(1) var<storage, read> b_slot: array<u32>;            // the instance in each slot
@group(0) @binding(2) var<storage, read> b_state: array<vec2f>;         // groups x shapes x lanes: amount, rate
@group(0) @binding(3) var<storage, read> b_bent: array<vec4f>;          // shapes x nodes: radius x curvature; axial strain
@group(0) @binding(4) var<storage, read_write> b_points: array<vec4f>;  // slots x nodes

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) number: vec3u,
  @builtin(num_workgroups) numbers: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let node = number.x * THREADS + thread;
  if (node >= u_level.nodes) { return; }
  for (var slot = number.y; slot < u_level.slots; slot += numbers.y) {
    b_points[slot * u_level.nodes + node].w = strain(slot, node);
  }
}

fn strain(slot: u32, node: u32) -> f32 {
  let instance = b_slot[slot];
  let first = instance / LANES * u_level.shapes * LANES + instance % LANES;
  var bent = vec4f(0.0);
  for (var shape = 0u; shape < u_level.shapes; shape++) {
    bent += b_state[first + shape * LANES].x * b_bent[shape * u_level.nodes + node];
  }
  return length(bent.xyz) + abs(bent.w);
}
