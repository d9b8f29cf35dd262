// Depth of field where a pixel has one sample.
// include "render/wgsl/focus.wgsl"

@group(0) @binding(1) var t_depth: texture_depth_2d;

fn depth_at(at: vec2i) -> f32 {
  return textureLoad(t_depth, at, 0);
}
