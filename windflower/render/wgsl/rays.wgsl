// Rays from the camera through places in the picture.
// include "render/wgsl/frame.wgsl"

// Unit vector in the world through a place in the picture, -1 to 1. Depth is 0 at infinity: what lies there is a direction, in
// which the camera's own place has no part, so rounding does not grow with its distance from the origin.
fn ray_through(at: vec2f) -> vec3f {
  return normalize((u_frame.inverse_view_proj * vec4f(at, 0.0, 1.0)).xyz);
}
