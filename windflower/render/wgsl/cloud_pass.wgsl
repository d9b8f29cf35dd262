// Clouds of a frame, a texel for each pixel, or for every two by two: they are soft, and dear to walk through.
// include "render/wgsl/clouds.wgsl"
// include "render/wgsl/rays.wgsl"

@group(1) @binding(0) var t_picture: texture_storage_2d<rgba16float, write>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let size = textureDimensions(t_picture);
  if (any(id.xy >= size)) {
    return;
  }
  let at = (vec2f(id.xy) + 0.5) / vec2f(size) * vec2f(2.0, -2.0) + vec2f(-1.0, 1.0);
  let ray = ray_through(at);
  // A pattern that looks even to the eye (Jimenez 2014).
  let jitter = fract(52.9829189 * fract(dot(vec2f(id.xy), vec2f(0.06711056, 0.00583715))));
  textureStore(t_picture, id.xy, clouds_along(ray, jitter));
}
