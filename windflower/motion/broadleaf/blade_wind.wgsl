// How the wind meets a point of a blade (eq. 6): needs u_body, b_row, b_grid, b_points, b_motion and b_air.

const TURN = 6.2831853;
const WAVES = 0.25;    // as in motion/broadleaf/eddies.py
const FASTEST = 75.398224;

struct Met {
  normal: vec3f,
  grip: f32,       // N s/m
  ahead: f32,      // m/s
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
  return instance * u_body.stride + u32(b_row[row].more.w);
}

// Air along the normal of the points of a row at its rims, m/s.
fn eddy_of(instance: u32, row: u32, air: vec3f) -> f32 {
  let run = f32(row % u_body.along) / f32(u_body.along - 1u);
  return u_body.flutter * sin(b_motion[phase_at(instance, row)].w - TURN * WAVES * run) * length(air);
}

fn met_at(first: u32, i: u32, j: u32, air: vec3f, eddy: f32, wind: f32) -> Met {
  let normal = normal_at(first, i, j);
  let out = 2.0 * f32(j) / f32(u_body.across - 1u) - 1.0;
  let ahead = dot(normal, air - b_motion[first + i * u_body.across + j].xyz) + eddy * out * out;
  return Met(normal, select(wind * abs(ahead), wind, u_body.paper == 1u), ahead);
}
