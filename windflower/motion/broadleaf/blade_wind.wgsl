// How the wind meets a point of a blade (eq. 6).
// include "motion/broadleaf/broadleaf_body.wgsl"

const TURN = 6.2831853;
const WAVES = 0.25;    // as in motion/broadleaf/eddies.py
const FASTEST = 75.398224;

@group(0) @binding(0) var<uniform> u_body: Body;
@group(0) @binding(1) var<storage, read> b_row: array<Row>;                // blades x along
// blades x along x across x (lift and place along the mid-rib at rest, m; wind; support, N), (weight, N; stiffness, damping and 1 over
// the inertia); then blades x along x half x 2 x (rod, m; slope at rest; most change to the next row)
@group(0) @binding(2) var<storage, read> b_grid: array<vec4f>;
@group(0) @binding(3) var<storage, read> b_air: array<vec4f>;              // count x nodes, in the plant's frame, m/s; then contact
@group(0) @binding(4) var<storage, read_write> b_points: array<vec4f>;     // count x stride, m
@group(0) @binding(5) var<storage, read_write> b_motion: array<vec4f>;     // count x stride: velocity, m/s; w: lift, m

struct Met {
  normal: vec3f,
  push: f32,       // along the normal, N
  grip: f32,       // N s/m
  turning: f32,    // N
};

fn place_at(first: u32, i: u32, j: u32) -> vec3f {
  return b_points[first + i * u_body.across + j].xyz;
}

// The mean over the meshes around a point, two triangles each; `first` is the blade's first point.
fn normal_at(first: u32, i: u32, j: u32) -> vec3f {
  var sum = vec3f(0.0);
  for (var a = select(i - 1u, 0u, i == 0u); a < min(i + 1u, u_body.along - 1u); a++) {
    for (var b = select(j - 1u, 0u, j == 0u); b < min(j + 1u, u_body.across - 1u); b++) {
      let one = place_at(first, a + 1u, b + 1u) - place_at(first, a, b);
      let other = place_at(first, a + 1u, b) - place_at(first, a, b + 1u);
      sum += cross(one, other);
    }
  }
  return sum / max(length(sum), 1e-30);
}

fn air_of(instance: u32, row: u32) -> vec3f {
  let r = b_row[row];
  var air = vec3f(0.0);
  for (var k = 0u; k < 4u; k++) {
    air += r.weight[k] * b_air[instance * u_body.nodes + r.node[k]].xyz;
  }
  return air;
}

// Where the phase of a blade's eddies is kept, by one of its rows.
fn phase_at(instance: u32, row: u32) -> u32 {
  return instance * u_body.stride + b_row[row].bud;
}

// Air along the normal of the points of a row at its rims, m/s.
fn eddy_of(instance: u32, row: u32, air: vec3f) -> f32 {
  let run = f32(row % u_body.along) / f32(u_body.along - 1u);
  let speed = length(air);
  let felt = sqrt(min(FASTEST / max(b_row[row].pace * speed, 1e-12), 1.0));
  return u_body.flutter * sin(b_motion[phase_at(instance, row)].w - TURN * WAVES * run) * speed * felt;
}

fn met_at(first: u32, i: u32, j: u32, air: vec3f, eddy: f32, wind: f32) -> Met {
  let normal = normal_at(first, i, j);
  let out = 2.0 * f32(j) / f32(u_body.across - 1u) - 1.0;
  let velocity = b_motion[first + i * u_body.across + j].xyz;
  let meets = air - velocity;
  let facing = dot(normal, meets);
  let beside = sqrt(max(dot(meets, meets) - facing * facing, 0.0));
  let beat = eddy * out * out;
  let ahead = facing + beat;
  if (u_body.paper == 1u) { return Met(normal, wind * ahead, wind, wind * beside); }
  let quick = wind * abs(ahead);
  let own = beat - dot(normal, velocity);
  return Met(normal, quick * ahead + wind * beside * own, 2.0 * quick + wind * beside, 2.0 * quick * beside);
}

// The force of contact on a point of a blade, N; w: its stiffness, N/m. `point` counts through a plant's blades.
fn pressed_at(instance: u32, point: u32) -> vec4f {
  let points = u_body.stride - u_body.nodes;
  return b_air[u_body.count * u_body.nodes + instance * points + point];
}
