// Wind and weight on the rows of blades, and their moments: the twin of `SegmentForces._from_blades`. One invocation a row.
// include "core/workgroups.wgsl"
// include "motion/broadleaf/blade_wind.wgsl"

const THREADS = 64u;

@group(0) @binding(6) var<storage, read_write> b_force: array<vec4f>;      // count x rows x (force, w: grip), (moment about the origin, w: stiffness)

@compute @workgroup_size(THREADS)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let k = workgroup_number(groups) * THREADS + thread;
  let rows = u_body.blades * u_body.along;
  if (k >= u_body.count * rows) { return; }
  let instance = k / rows;
  let row = k % rows;
  let blade = row / u_body.along;
  let i = row % u_body.along;
  let first = instance * u_body.stride + u_body.nodes + blade * u_body.along * u_body.across;
  let air = air_of(instance, row);
  let eddy = eddy_of(instance, row, air);
  var force = vec4f(0.0);
  var moment = vec4f(0.0);
  for (var j = 0u; j < u_body.across; j++) {
    let point = 2u * (row * u_body.across + j);
    let met = met_at(first, i, j, air, eddy, b_grid[point].z);
    let pressed = pressed_at(instance, row * u_body.across + j);
    let f = met.push * met.normal - vec3f(0.0, b_grid[point + 1u].x, 0.0) + pressed.xyz;
    force += vec4f(f, met.grip);
    moment += vec4f(cross(place_at(first, i, j), f), met.turning / b_row[row].reach + b_row[row].ease * pressed.w);
  }
  b_force[2u * k] = force;
  b_force[2u * k + 1u] = moment;
}
