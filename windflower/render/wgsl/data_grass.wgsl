// Data of blades of grass.
// include "render/wgsl/data.wgsl"
// include "render/wgsl/grass.wgsl"

@fragment
fn fs_data(in: Blade) -> Data {
  let across = abs(in.light.w);
  let colour = in.colour * (0.86 + 0.22 * smoothstep(0.0, 0.3, across) - 0.10 * across);
  return data_of(Fact(in.position, in.before, facet_normal(in.world), u_frame.eye.xyz - in.world, colour, 0u, GRASS, 0.0));
}
