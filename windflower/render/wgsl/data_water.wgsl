// Data of a pond: its level surface, without its ripples.
// include "render/wgsl/data.wgsl"
// include "render/wgsl/water.wgsl"

@fragment
fn fs_data(in: Water) -> Data {
  if (pond_share(in.world.xz) < 0.5) {
    discard;
  }
  let n = vec3f(0.0, 1.0, 0.0);
  return data_of(Fact(in.position, seen_before(in.world), n, u_frame.eye.xyz - in.world, vec3f(0.012, 0.026, 0.018), 0u, WATER, 0.0));
}
