// The wind that grass feels where it stands, how that bends it, and the sheen of it: waves run over a meadow.
// include "render/wgsl/drift.wgsl"
// include "render/wgsl/land.wgsl"

@group(1) @binding(6) var t_wind: texture_2d<f32>;  // velocity along x and z at the height of the grass, m/s

// The wind at a place of the ground, m/s: a map of the field, with eddies that are too small for the map and larger than
// `pixel` m.
fn breeze(p: vec2f, pixel: f32) -> vec2f {
  let texel = (p - u_frame.breeze.xy) * u_frame.breeze.z + 0.5;
  let air = textureSampleLevel(t_wind, smp_land, texel / u_frame.breeze.w, 0.0).xy;
  if (pixel > 2.0) {
    return air;
  }
  let eddy = smoothstep(0.2, 0.8, carried2(p * 0.21875, 0.21875));
  return air * mix(0.4 + 1.2 * eddy, 1.0, smoothstep(0.8, 2.0, pixel));
}

// How far the tip of a blade is bent over in a wind, in heights of the blade.
fn lean_in(air: vec2f) -> vec2f {
  let pull = 0.09 * air;
  let share = dot(pull, pull) / 0.81;
  return pull / sqrt(sqrt(1.0 + share * share));
}

// Lightness of bent grass: its sides shine, most where they are bent away from the camera. `ray` leads there from it.
fn sheen(lean: vec2f, ray: vec3f) -> f32 {
  let bent = length(lean);
  return 0.75 + 1.6 * bent / (1.0 + 1.6 * bent) + 0.4 * dot(lean, ray.xz);
}
