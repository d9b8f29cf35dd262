// Data of the sky: nothing but where its directions were.
// include "render/wgsl/corners.wgsl"
// include "render/wgsl/data.wgsl"

struct SkyPoint {
  @builtin(position) position: vec4f,
  @location(0) at: vec2f,
};

@vertex
fn vs_data(@builtin(vertex_index) vertex: u32) -> SkyPoint {
  let corner = screen_corner(vertex);
  return SkyPoint(vec4f(corner, 0.0, 1.0), corner);
}

@fragment
fn fs_data(in: SkyPoint) -> Data {
  let near = u_frame.inverse_view_proj * vec4f(in.at, 1.0, 1.0);
  let ray = normalize(near.xyz / near.w - u_frame.eye.xyz);
  return data_of(Fact(in.position, sky_before(ray), vec3f(0.0), -ray, vec3f(0.0), 0u, SKY, 0.0));
}
