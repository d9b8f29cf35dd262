// The mean of the samples of a pixel, drawn as a larger picture: weights fall off to the middles of the pixels beside it, so
// that what is finer than pixels does not flicker when it moves. In w, of what a sample is of: how much of the pixel is of the
// same as its middle.
// include "render/wgsl/corners.wgsl"

@group(0) @binding(0) var t_samples: texture_2d<f32>;

override SIDE: u32 = 4u;  // samples along a side of a pixel

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4f {
  return vec4f(screen_corner(vertex), 0.0, 1.0);
}

@fragment
fn fs_view(@builtin(position) position: vec4f) -> @location(0) vec4f {
  let reach = 2 * i32(SIDE);
  let first = vec2i(position.xy) * i32(SIDE) - i32(SIDE) / 2;
  let last = vec2i(textureDimensions(t_samples)) - 1;
  let own = textureLoad(t_samples, first + reach / 2, 0).w;
  var sum = vec4f(0.0);
  var weights = 0.0;
  for (var k = 0; k < reach * reach; k++) {
    let at = vec2i(k % reach, k / reach);
    let away = abs((vec2f(at) + 0.5) / f32(SIDE) - 1.0);
    let weight = (1.0 - away.x) * (1.0 - away.y);
    let place = first + at;
    if (all(place >= vec2i(0)) && all(place <= last)) {
      let sample = textureLoad(t_samples, place, 0);
      sum += weight * vec4f(sample.rgb, select(0.0, 1.0, sample.w == own));
      weights += weight;
    }
  }
  return sum / weights;
}
