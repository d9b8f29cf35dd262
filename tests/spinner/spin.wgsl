// Points turned about the vertical: the twin of `SpinnerMotion.pose`.

struct Counts {
  nodes: u32,
  slots: u32,
};

@group(0) @binding(0) var<uniform> u_counts: Counts;
@group(0) @binding(1) var<storage, read> b_turn: array<f32>;             // slots, rad
@group(0) @binding(2) var<storage, read> b_rest: array<vec4f>;           // nodes, m
@group(0) @binding(3) var<storage, read_write> b_points: array<vec4f>;   // slots x nodes, m

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= u_counts.nodes * u_counts.slots) { return; }
  let rest = b_rest[id.x % u_counts.nodes].xyz;
  let c = cos(b_turn[id.x / u_counts.nodes]);
  let s = sin(b_turn[id.x / u_counts.nodes]);
  b_points[id.x] = vec4f(c * rest.x + s * rest.z, rest.y, c * rest.z - s * rest.x, 0.0);
}
