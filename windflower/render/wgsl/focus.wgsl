// Depth of field: each pixel gathers what a lens would spread onto it. A pixel has one sample of depth, or several, which
// are textures of different types: focus_one.wgsl and focus_many.wgsl read them.
// include "render/wgsl/corners.wgsl"

struct Lens {
  focus: f32,        // m in front of the camera
  aperture: f32,     // diameter of the lens, m
  near: f32,         // near plane, m
  scale: f32,        // pixels per metre at a distance of 1 m
};

@group(0) @binding(0) var t_light: texture_2d<f32>;
@group(0) @binding(2) var<uniform> u_lens: Lens;

const NEIGHBOURS = 32;   // the pixel itself included
const FARTHEST = 12.0;   // of them, pixels

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4f {
  return vec4f(screen_corner(vertex), 0.0, 1.0);
}

// Diameter of the spot that a point at this depth makes, pixels.
fn spot(depth: f32) -> f32 {
  let distance = u_lens.near / max(depth, 1e-6);
  let spread = u_lens.aperture * abs(distance - u_lens.focus) / (distance * max(u_lens.focus, 1e-3));
  return min(spread * u_lens.scale, 24.0);
}

fn reach_of(k: i32) -> f32 {
  return FARTHEST * sqrt(f32(k) / f32(NEIGHBOURS - 1));
}

// The k-th neighbour on a spiral that fills the disc evenly.
fn neighbour(here: vec2i, k: i32) -> vec2i {
  let angle = f32(k) * 2.39996323;
  let size = vec2i(textureDimensions(t_light));
  return clamp(here + vec2i(vec2f(cos(angle), sin(angle)) * reach_of(k)), vec2i(0), size - 1);
}

// The light that a neighbour with a spot of its own spreads here, and its weight: if that spot reaches here, and it is not
// sharper than what lies behind it.
fn spread_from(at: vec2i, k: i32, theirs: f32, own: f32) -> vec4f {
  let share = clamp(min(theirs, max(own * 2.0, 1.0)) * 0.5 - reach_of(k) + 0.5, 0.0, 1.0);
  return vec4f(textureLoad(t_light, at, 0).rgb, 1.0) * share;
}
