// Depth of field: each pixel gathers what a lens would spread onto it.

struct Lens {
  focus: f32,        // m in front of the eye
  aperture: f32,     // diameter of the lens, m
  near: f32,         // near plane, m
  scale: f32,        // pixels per metre at a distance of 1 m
};

@group(0) @binding(0) var t_light: texture_2d<f32>;
@group(0) @binding(2) var<uniform> u_lens: Lens;

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4f {
  return vec4f(vec2f(f32((vertex << 1u) & 2u), f32(vertex & 2u)) * 2.0 - 1.0, 0.0, 1.0);
}

// Diameter of the spot that a point makes, pixels.
fn spot(at: vec2i) -> f32 {
  let distance = u_lens.near / max(depth_at(at), 1e-6);
  let spread = u_lens.aperture * abs(distance - u_lens.focus) / (distance * max(u_lens.focus, 1e-3));
  return min(spread * u_lens.scale, 24.0);
}

@fragment
fn fs_view(@builtin(position) position: vec4f) -> @location(0) vec4f {
  let size = vec2i(textureDimensions(t_light));
  let here = vec2i(position.xy);
  let own = spot(here);
  var total = textureLoad(t_light, here, 0).rgb;
  var weight = 1.0;
  for (var k = 1; k < 32; k++) {
    // A spiral that fills the disc evenly.
    let angle = f32(k) * 2.39996323;
    let reach = 12.0 * sqrt(f32(k) / 31.0);
    let at = clamp(here + vec2i(vec2f(cos(angle), sin(angle)) * reach), vec2i(0), size - 1);
    // A neighbour counts if its own spot reaches here and it is not sharper than what lies behind it.
    let theirs = min(spot(at), max(own * 2.0, 1.0));
    let share = clamp(theirs * 0.5 - reach + 0.5, 0.0, 1.0);
    total += textureLoad(t_light, at, 0).rgb * share;
    weight += share;
  }
  return vec4f(total / weight, 1.0);
}
