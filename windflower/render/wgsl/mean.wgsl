// The mean of the samples of a pixel, drawn as a larger picture.
// include "render/wgsl/corners.wgsl"

@group(0) @binding(0) var t_samples: texture_2d<f32>;

override SIDE: u32 = 4u;  // samples along a side of a pixel

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4f {
  return vec4f(screen_corner(vertex), 0.0, 1.0);
}

@fragment
fn fs_view(@builtin(position) position: vec4f) -> @location(0) vec4f {
  var sum = vec4f(0.0);
  for (var k = 0u; k < SIDE * SIDE; k++) {
    sum += textureLoad(t_samples, vec2u(position.xy) * SIDE + vec2u(k % SIDE, k / SIDE), 0);
  }
  return sum / f32(SIDE * SIDE);
}
