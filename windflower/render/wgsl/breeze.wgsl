// The wind that grass feels where it stands: a map of the field around the camera, and eddies too small for the map.
// include "render/wgsl/drift.wgsl"
// include "render/wgsl/land.wgsl"

@group(1) @binding(6) var t_wind: texture_2d<f32>;  // velocity along x and z at the height of the grass, m/s

// The wind at a place of the ground, m/s.
fn breeze(p: vec2f) -> vec2f {
  let texel = (p - u_frame.breeze.xy) * u_frame.breeze.z + 0.5;
  let air = textureSampleLevel(t_wind, smp_land, texel / u_frame.breeze.w, 0.0).xy;
  return air * (0.4 + 1.2 * carried2(p * 0.21875, 0.21875));
}

// How far the tip of a blade is bent over in a wind, in heights of the blade.
fn lean_in(air: vec2f) -> vec2f {
  let pull = 0.09 * air;
  let share = dot(pull, pull) / 0.81;
  return pull / sqrt(sqrt(1.0 + share * share));
}
