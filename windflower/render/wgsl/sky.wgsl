// The sky behind everything.
// include "frame.wgsl"

struct Screen {
  @builtin(position) position: vec4f,
  @location(0) at: vec2f,
};

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32) -> Screen {
  let corner = vec2f(f32((vertex << 1u) & 2u), f32(vertex & 2u)) * 2.0 - 1.0;
  return Screen(vec4f(corner, 0.0, 1.0), corner);
}

@fragment
fn fs_view(in: Screen) -> @location(0) vec4f {
  // Depth runs from 1 at the near plane to 0 at infinity.
  let near = u_frame.inverse_view_proj * vec4f(in.at, 1.0, 1.0);
  let ray = normalize(near.xyz / near.w - u_frame.eye.xyz);
  let disc = smoothstep(cos(u_frame.sun.w * 1.3), cos(u_frame.sun.w), dot(ray, u_frame.sun.xyz));
  return vec4f(sky(ray) + u_frame.sun_colour.rgb * disc * 20.0, 1.0);
}
