// The ground: a wide plane with grass and soil, receiving shadow.
// include "frame.wgsl"

struct Ground {
  @builtin(position) position: vec4f,
  @location(0) world: vec3f,
};

@group(1) @binding(0) var<uniform> u_ground: vec4f;   // colour; w: half its size, m

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32) -> Ground {
  let corner = vec2f(f32(vertex & 1u), f32(vertex >> 1u)) * 2.0 - 1.0;
  let world = vec3f(corner.x, 0.0, corner.y) * u_ground.w;
  return Ground(u_frame.view_proj * vec4f(world, 1.0), world);
}

fn value(cell: vec2f) -> f32 {
  let at = vec2i(cell);
  return hash(u32(at.x * 73856093) ^ u32(at.y * 19349663));
}

fn patch_noise(p: vec2f) -> f32 {
  let cell = floor(p);
  let f = fract(p);
  let w = f * f * (3.0 - 2.0 * f);
  return mix(mix(value(cell), value(cell + vec2f(1.0, 0.0)), w.x),
             mix(value(cell + vec2f(0.0, 1.0)), value(cell + vec2f(1.0, 1.0)), w.x), w.y);
}

@fragment
fn fs_view(in: Ground) -> @location(0) vec4f {
  let p = in.world.xz;
  let near = exp2(-distance(in.world, u_frame.eye.xyz) / 40.0);
  let meadow = patch_noise(p * 0.06) * 0.5 + patch_noise(p * 0.4) * 0.3 + patch_noise(p * 2.7) * 0.2;
  let blades = mix(0.5, patch_noise(p * 18.0), near);
  let albedo = mix(u_ground.rgb * vec3f(0.75, 0.85, 0.7), u_ground.rgb * vec3f(1.35, 1.15, 0.8), meadow) * (0.7 + 0.6 * blades);
  let n = vec3f(0.0, 1.0, 0.0);
  let sun = max(u_frame.sun.y, 0.0) * sunlit(in.world, n);
  let light = u_frame.sun_colour.rgb * sun + sky_light(n) * 0.9;
  return vec4f(hazed(albedo * light, in.world), 1.0);
}
