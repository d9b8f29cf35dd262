// The ground: a wide plane of grass, soil, sand or snow that receives shadow.
// include "frame.wgsl"
// include "noise.wgsl"
// include "light.wgsl"
// include "meadow.wgsl"

struct Ground {
  @builtin(position) position: vec4f,
  @location(0) world: vec3f,
};

@group(1) @binding(1) var t_planar: texture_2d<f32>;

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32) -> Ground {
  let corner = vec2f(f32(vertex & 1u), f32(vertex >> 1u)) * 2.0 - 1.0;
  let world = vec3f(corner.x, 0.0, corner.y) * u_ground.colour.w;
  return Ground(u_frame.view_proj * vec4f(world, 1.0), world);
}

// A network of light under waves.
fn caustics(p: vec2f) -> f32 {
  let a = abs(drifting2(p * 1.7, vec2f(-0.35, -0.1)) - 0.5);
  let b = abs(drifting2(p * 2.3 + 8.0, vec2f(0.21, 0.35)) - 0.5);
  return pow(1.0 - clamp(a + b, 0.0, 1.0), 8.0);
}

@fragment
fn fs_view(in: Ground) -> @location(0) vec4f {
  let p = in.world.xz;
  let albedo = ground_colour(p, length(fwidth(p)));
  let rough = vec2f(noise2(p * 0.9 + 3.0) - 0.5, noise2(p * 0.9 + 40.0) - 0.5) * 0.2 * u_ground.kind.y * (1.0 - smoothstep(0.03, 0.25, length(fwidth(p))));
  let n = normalize(vec3f(rough.x, 1.0, rough.y));
  var shade = sunlit(in.world, vec3f(0.0, 1.0, 0.0));
  if (u_frame.shadow.w > 0.5) {
    shade = 1.0 - textureLoad(t_planar, vec2i(in.position.xy), 0).r * u_frame.shadow.z;
  }
  var light = u_frame.sun_colour.rgb * max(dot(n, u_frame.sun.xyz), 0.0) * shade + sky_light(n) * 0.9;
  if (u_frame.wind.w > 0.5) {
    light *= 0.6 + 1.6 * caustics(p);
  }
  return vec4f(hazed(albedo * light, in.world), 1.0);
}
