// The whole picture behind everything, and the rays through it.
// include "render/wgsl/corners.wgsl"
// include "render/wgsl/frame.wgsl"

struct Screen {
  @builtin(position) position: vec4f,
  @location(0) at: vec2f,
};

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32) -> Screen {
  let corner = screen_corner(vertex);
  return Screen(vec4f(corner, 0.0, 1.0), corner);
}

fn ray_through(at: vec2f) -> vec3f {
  // Depth runs from 1 at the near plane to 0 at infinity.
  let near = u_frame.inverse_view_proj * vec4f(at, 1.0, 1.0);
  return normalize(near.xyz / near.w - u_frame.eye.xyz);
}
