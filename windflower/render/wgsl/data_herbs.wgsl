// Data of herbs, which are labelled as the grass that they stand in.
// include "render/wgsl/data.wgsl"
// include "render/wgsl/herbs.wgsl"

@fragment
fn fs_data(in: Herb) -> Data {
  return data_of(Fact(in.position, in.before, facet_normal(in.world), u_frame.eye.xyz - in.world, in.colour, 0u, GRASS, 0.0));
}
