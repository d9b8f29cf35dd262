// The whole picture behind everything, and the rays through it.
// include "render/wgsl/corners.wgsl"
// include "render/wgsl/rays.wgsl"

struct Screen {
  @builtin(position) position: vec4f,
  @location(0) at: vec2f,
};

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32) -> Screen {
  let corner = screen_corner(vertex);
  return Screen(vec4f(corner, 0.0, 1.0), corner);
}
