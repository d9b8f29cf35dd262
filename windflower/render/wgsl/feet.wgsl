// Where trunks meet the ground near the camera: no grass grows in them, soil and moss gather about them, and it is darker.
// include "render/wgsl/meadow.wgsl"

@group(1) @binding(7) var t_feet: texture_2d_array<f32>;  // x and z of trunks in their cell, m, and their radius, m

const NOWHERE = 100.0;

struct Foot {
  away: f32,      // from its bark, m; NOWHERE without one
  radius: f32,
};

// The trunk that is nearest, of those in reach.
fn nearest_foot(p: vec2f) -> Foot {
  var found = Foot(NOWHERE, 0.0);
  if (u_ground.feet.w < 1.0) {
    return found;
  }
  let at = (p - u_ground.feet.xy) * u_ground.feet.z;
  if (any(at < vec2f(0.0)) || any(at >= vec2f(u_ground.feet.w))) {
    return found;
  }
  let cell = vec2u(at);
  let own = (at - vec2f(cell)) / u_ground.feet.z;
  for (var k = 0u; k < textureNumLayers(t_feet); k++) {
    let foot = textureLoad(t_feet, cell, k, 0);
    if (foot.z <= 0.0) {
      break;
    }
    let away = distance(own, foot.xy) - foot.z;
    if (away < found.away) {
      found = Foot(away, foot.z);
    }
  }
  return found;
}

// How much grass grows at a place beside a trunk: none at its bark, all of it a stride away.
fn grown_beside(foot: Foot) -> f32 {
  return smoothstep(0.02 + 0.25 * foot.radius, 0.40 + 1.9 * foot.radius, foot.away);
}

// How much of what falls from a tree, or is washed from it, lies about its foot.
fn gathered(foot: Foot) -> f32 {
  return exp(-max(foot.away, 0.0) / (0.16 + 1.1 * foot.radius));
}

// How open the ground beside a trunk is to the sky: dark in the corner between the two.
fn beside(foot: Foot) -> f32 {
  let reach = 0.12 + 2.2 * foot.radius;
  return 1.0 - 0.72 * exp(-max(foot.away, 0.0) / reach * 2.4);
}
