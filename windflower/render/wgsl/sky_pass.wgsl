// Light of the sky where a view pass has marked it, and of all that it has lit itself.
// include "render/wgsl/marked.wgsl"
// include "render/wgsl/sky.wgsl"

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (!is_in_picture(id.xy)) {
    return;
  }
  var light = textureLoad(t_marked, id.xy, 0);
  if (textureLoad(t_depth, id.xy, 0) == 0.0) {
    let at = place_in_picture(id.xy);
    light = vec4f(sky_along(ray_through(at), at), 1.0);
  }
  if (light.w >= 0.0) {
    textureStore(t_found, id.xy, light);
  }
}
