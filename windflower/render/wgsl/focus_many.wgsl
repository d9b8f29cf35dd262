// Depth of field where a pixel has several samples: the first speaks for all.
// include "render/wgsl/focus.wgsl"

@group(0) @binding(1) var t_depth: texture_depth_multisampled_2d;

fn depth_at(at: vec2i) -> f32 {
  return textureLoad(t_depth, at, 0);
}
