// Depth of field where a pixel has several samples: the first speaks for all.
// include "render/wgsl/focus.wgsl"

@group(0) @binding(1) var t_depth: texture_depth_multisampled_2d;

@fragment
fn fs_view(@builtin(position) position: vec4f) -> @location(0) vec4f {
  let here = vec2i(position.xy);
  let own = spot(textureLoad(t_depth, here, 0));
  var total = vec4f(textureLoad(t_light, here, 0).rgb, 1.0);
  for (var k = 1; k < NEIGHBOURS; k++) {
    let at = neighbour(here, k);
    total += spread_from(at, k, spot(textureLoad(t_depth, at, 0)), own);
  }
  return vec4f(total.rgb / total.w, 1.0);
}
