// The finished picture onto a window of any size.
// include "render/wgsl/corners.wgsl"

override LINEAR: bool = false;  // whether the window wants light and not the display's response to it

@group(0) @binding(0) var t_picture: texture_2d<f32>;
@group(0) @binding(1) var smp_picture: sampler;

struct Corner {
  @builtin(position) position: vec4f,
  @location(0) uv: vec2f,
};

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32) -> Corner {
  let at = screen_corner(vertex);
  return Corner(vec4f(at, 0.0, 1.0), at * vec2f(0.5, -0.5) + 0.5);
}

@fragment
fn fs_view(in: Corner) -> @location(0) vec4f {
  let shown = textureSample(t_picture, smp_picture, in.uv).rgb;
  let light = select(pow((shown + 0.055) / 1.055, vec3f(2.4)), shown / 12.92, shown < vec3f(0.04045));
  return vec4f(select(shown, light, LINEAR), 1.0);
}
