// Shadows that kernels put into the shadow map. What is nearest to the sun wins, whatever comes first.
// include "render/wgsl/frame.wgsl"
// include "render/wgsl/splat.wgsl"

@group(0) @binding(15) var<storage, read_write> b_shadow: array<atomic<u32>>;  // depths as bits, which order as they do

// Where a point is on the map: in texels from its corner, and its depth.
fn on_shadow_map(world: vec3f) -> vec3f {
  let p = (u_frame.light_proj * vec4f(world, 1.0)).xyz;
  return vec3f((p.xy * vec2f(0.5, -0.5) + 0.5) * u_frame.shadow.x, p.z);
}

fn shadow_facet(a: vec3f, b: vec3f, c: vec3f) -> Facet {
  return facet(on_shadow_map(a), on_shadow_map(b), on_shadow_map(c), u_frame.shadow.xx);
}

// Darken a texel, by a depth that is farther by the slope, as in `cast_depth`.
fn darken(f: Facet, texel: vec2i, shares: vec2f) {
  let slope = abs(f.deeper.x * f.to_second + f.deeper.y * f.to_third);
  let depth = depth_at(f, shares) + 1.5 * max(slope.x, slope.y);
  if (depth >= 0.0 && depth <= 1.0) {
    atomicMin(&b_shadow[u32(texel.y) * u32(u_frame.shadow.x) + u32(texel.x)], bitcast<u32>(depth));
  }
}
