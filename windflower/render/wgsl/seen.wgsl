// What kernels have put into the view, handed to the view pass with its depth.
// include "render/wgsl/corners.wgsl"
// include "render/wgsl/frame.wgsl"
// include "render/wgsl/velocity.wgsl"

@group(0) @binding(14) var<storage, read> b_nearest: array<f32>;
@group(0) @binding(15) var<storage, read> b_seen: array<vec4u>;

struct Found {
  @location(0) light: vec4f,
  @location(1) velocity: vec2f,
  @builtin(frag_depth) depth: f32,
};

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4f {
  return vec4f(screen_corner(vertex), 1.0, 1.0);
}

@fragment
fn fs_view(@builtin(position) position: vec4f) -> Found {
  let place = u32(position.y) * u32(u_frame.viewport.x) + u32(position.x);
  let depth = b_nearest[place];
  if (depth == 0.0) {
    discard;
  }
  let seen = b_seen[place];
  let light = vec3f(unpack2x16float(seen.x), unpack2x16float(seen.y).x);
  return Found(vec4f(light, 1.0), unpack2x16float(seen.z), depth);
}
