// From light to a picture: exposure, a filmic curve, and the display's response.
// include "render/wgsl/corners.wgsl"

struct Tone {
  exposure: f32,
};

@group(0) @binding(0) var t_light: texture_2d<f32>;
@group(0) @binding(1) var<uniform> u_tone: Tone;

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4f {
  return vec4f(screen_corner(vertex), 0.0, 1.0);
}

// A filmic curve: a toe that keeps shadows deep and a shoulder that rolls highlights off (fit by Narkowicz 2015).
fn filmic(light: vec3f) -> vec3f {
  let x = light * 0.72;
  return (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14);
}

@fragment
fn fs_view(@builtin(position) position: vec4f) -> @location(0) vec4f {
  let light = textureLoad(t_light, vec2i(position.xy), 0).rgb * u_tone.exposure;
  let shown = clamp(filmic(light), vec3f(0.0), vec3f(1.0));
  let low = shown * 12.92;
  let high = 1.055 * pow(shown, vec3f(1.0 / 2.4)) - 0.055;
  return vec4f(select(high, low, shown < vec3f(0.0031308)), 1.0);
}
