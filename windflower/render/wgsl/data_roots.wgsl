// Data of roots that run over the ground.
// include "render/wgsl/data.wgsl"
// include "render/wgsl/roots.wgsl"

@fragment
fn fs_data(in: Root) -> Data {
  let at = in.bark * vec2f(1.0, -0.5);
  let tile = textureSampleGrad(t_bark, smp_bark, at, 0, dpdx(at) * FOOTPRINT, dpdy(at) * FOOTPRINT);
  let colour = in.colour * (2.0 * tile.x + 0.3 * tile.y);
  return data_of(Fact(in.position, seen_before(in.world), normalize(in.normal), u_frame.eye.xyz - in.world, colour, 0u, GROUND, 0.0));
}
