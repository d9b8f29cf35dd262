// A shadow map ends as a texture, which shaders read faster than a buffer.
// include "core/workgroups.wgsl"

@group(0) @binding(0) var<storage, read> b_shadow: array<f32>;
@group(0) @binding(1) var t_map: texture_storage_2d<r32float, write>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) at: vec3u) {
  let side = textureDimensions(t_map).x;
  if (max(at.x, at.y) < side) {
    textureStore(t_map, at.xy, vec4f(b_shadow[at.y * side + at.x], 0.0, 0.0, 0.0));
  }
}
