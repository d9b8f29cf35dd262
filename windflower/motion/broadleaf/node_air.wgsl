// The wind at every node of every instance, where these are at rest, in the plant's own frame.
// include "wind/slabs.wgsl"
// include "motion/broadleaf/broadleaf_body.wgsl"

struct Stand {
  low: vec4f,       // corner of the wind's grid, m; w: the slab, from the first
  pace: vec4f,      // grid points per m
  grid: vec4u,      // points along x, y, z
  ring: vec4u,      // y: where in the ring the first slab is; z: slabs in the ring
};

@group(0) @binding(0) var<uniform> u_stand: Stand;
@group(0) @binding(1) var<uniform> u_body: Body;
@group(0) @binding(2) var<storage, read> b_wind: array<vec4f>;             // slabs x nx x ny x nz, m/s
@group(0) @binding(3) var<storage, read> b_instance: array<Instance>;
@group(0) @binding(4) var<storage, read> b_rest: array<vec4f>;             // nodes, m
@group(0) @binding(5) var<storage, read_write> b_air: array<vec4f>;        // count x nodes, m/s

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let k = id.y * groups.x * 64u + id.x;
  if (k >= u_body.count * u_body.nodes) { return; }
  let mine = b_instance[k / u_body.nodes];
  let p = b_rest[k % u_body.nodes].xyz * mine.place.w;
  let c = mine.turn.x;
  let s = mine.turn.y;
  let air = in_slabs(mine.place.xyz + vec3f(c * p.x + s * p.z, p.y, c * p.z - s * p.x), u_stand.low.w);
  b_air[k] = vec4f(c * air.x - s * air.z, air.y, s * air.x + c * air.z, 0.0);
}
