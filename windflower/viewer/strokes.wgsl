// Strokes: tapering ribbons that face the camera; arrows of the wind, and marks on what is held.
// include "render/wgsl/corners.wgsl"
// include "render/wgsl/frame.wgsl"

struct Stroke {
  start: vec4f,    // m; w: half its width there, m
  end: vec4f,
  colour: vec4f,   // linear RGB; how much it covers
};

@group(1) @binding(0) var<storage, read> b_strokes: array<Stroke>;

struct Painted {
  @builtin(position) position: vec4f,
  @location(0) colour: vec4f,
};

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32) -> Painted {
  let stroke = b_strokes[vertex / 6u];
  let corner = quad_corner(vertex % 6u);
  let point = select(stroke.start, stroke.end, corner.y == 1u);
  let across = cross(stroke.end.xyz - stroke.start.xyz, u_frame.eye.xyz - point.xyz);
  let side = across / max(length(across), 1e-9) * point.w * select(1.0, -1.0, corner.x == 1u);
  return Painted(u_frame.view_proj * vec4f(point.xyz + side, 1.0), stroke.colour);
}

@fragment
fn fs_view(in: Painted) -> @location(0) vec4f {
  return in.colour;
}
