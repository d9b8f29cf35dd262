// Data of the sky: nothing but where its directions were.
// include "render/wgsl/data.wgsl"
// include "render/wgsl/screen.wgsl"

@fragment
fn fs_data(in: Screen) -> Data {
  let ray = ray_through(in.at);
  return data_of(Fact(in.position, sky_before(ray), vec3f(0.0), -ray, vec3f(0.0), 0u, SKY, 0.0));
}
