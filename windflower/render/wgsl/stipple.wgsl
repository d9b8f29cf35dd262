// Stippling: which pixels of a surface are drawn, where only a share of them shall be.
// include "render/wgsl/frame.wgsl"

// A number from 0 to 1 for each pixel, evenly spread over every few neighbours (Jimenez 2014), and over frames that follow
// one another.
fn threshold(pixel: vec2f) -> f32 {
  let at = floor(pixel) + 5.588238 * u_frame.jitter.z;
  return fract(52.9829189 * fract(dot(at, vec2f(0.06711056, 0.00583715))));
}
