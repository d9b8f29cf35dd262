// Data of dead leaves and twigs that lie on the ground.
// include "render/wgsl/data.wgsl"
// include "render/wgsl/litter.wgsl"

@fragment
fn fs_data(in: Leaf) -> Data {
  return data_of(Fact(in.position, seen_before(in.world), facet_normal(in.world), u_frame.eye.xyz - in.world, in.colour, 0u, GROUND, 0.0));
}
