// Velocities: how far what a pixel shows has come since the frame before. Only where frames follow one another, and then
// each pixel has one sample, which moves about in the pixel from frame to frame (see temporal.wgsl).
// include "render/wgsl/frame.wgsl"
// include "render/wgsl/stipple.wgsl"

override OVER_TIME: bool = false;

const MARK = vec4f(0.0, 0.0, 0.0, -1.0);  // in place of light that a kernel finds afterwards

struct Seen {
  @location(0) light: vec4f,     // w: coverage, where a pixel has several samples
  @location(1) velocity: vec2f,  // pixels from the frame before to this one
};

// Where a point was in the picture of the frame before: x, y and w of its clip position.
fn seen_before(world: vec3f) -> vec3f {
  return (u_frame.before_proj * vec4f(world, 1.0)).xyw;
}

// The same of a direction, of what is infinitely far.
fn sky_before(ray: vec3f) -> vec3f {
  return (u_frame.before_proj * vec4f(ray, 0.0)).xyw;
}

// `position` is the pixel's own, `before` where what it shows was.
fn velocity_of(position: vec4f, before: vec3f) -> vec2f {
  if (!OVER_TIME) {
    return vec2f(0.0);
  }
  let at = (before.xy / max(before.z, 1e-3) * vec2f(0.5, -0.5) + 0.5) * u_frame.viewport.xy;
  return clamp(position.xy - u_frame.jitter.xy - at, vec2f(-4000.0), vec2f(4000.0));
}

// A share of the samples of a pixel: with one sample, that share of the frames.
fn is_covered(share: f32, pixel: vec2f) -> bool {
  return !OVER_TIME || share > threshold(pixel);
}
