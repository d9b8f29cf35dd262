// Data of stones.
// include "render/wgsl/data.wgsl"
// include "render/wgsl/stones.wgsl"

@fragment
fn fs_data(in: Stone) -> Data {
  return data_of(Fact(in.position, seen_before(in.world), normalize(in.normal), u_frame.eye.xyz - in.world, in.colour, 0u, GROUND, 0.0));
}
