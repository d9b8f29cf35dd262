// Light on surfaces: the sun through the shadow map, the sky, and the air between a surface and the camera.
// include "render/wgsl/frame.wgsl"

@group(0) @binding(1) var t_shadow: texture_depth_2d;
@group(0) @binding(2) var smp_shadow: sampler_comparison;

// How much direct light reaches a point, softly: nine comparisons, each bilinear.
fn sunlit(world: vec3f, normal: vec3f) -> f32 {
  return softly_lit(in_shadow_map(world, normal));
}

fn softly_lit(p: vec3f) -> f32 {
  var light = 0.0;
  for (var i = -1; i <= 1; i++) {
    for (var j = -1; j <= 1; j++) {
      light += lit(p, vec2f(f32(i), f32(j)) * 1.2);
    }
  }
  return shadowed(p, light / 9.0);
}

// The same for leaves and grass, which are too small for soft edges to be seen: one comparison.
fn sunlit_quickly(world: vec3f, normal: vec3f) -> f32 {
  return quickly_lit(in_shadow_map(world, normal));
}

fn quickly_lit(p: vec3f) -> f32 {
  return shadowed(p, lit(p, vec2f(0.0)));
}

fn in_shadow_map(world: vec3f, normal: vec3f) -> vec3f {
  return (u_frame.light_proj * vec4f(world + normal * u_frame.shadow.y * 1.5, 1.0)).xyz;
}

fn lit(p: vec3f, texels: vec2f) -> f32 {
  let uv = p.xy * vec2f(0.5, -0.5) + 0.5 + texels / u_frame.shadow.x;
  return textureSampleCompareLevel(t_shadow, smp_shadow, uv, p.z - 0.0006);
}

// Beyond the map everything is lit; where shadows are planar, the map says nothing.
fn shadowed(p: vec3f, light: f32) -> f32 {
  return 1.0 - (1.0 - light) * in_map(p) * (1.0 - u_frame.shadow.w) * u_frame.shadow.z;
}

// 1 within the shadow map, 0 beyond it.
fn in_map(p: vec3f) -> f32 {
  let edge = max(max(abs(p.x), abs(p.y)), 2.0 * abs(p.z - 0.5));
  return 1.0 - smoothstep(0.94, 1.0, edge);
}

// Light of the sky on a surface that looks along n.
fn sky_light(n: vec3f) -> vec3f {
  let up = n.y * 0.5 + 0.5;
  return mix(u_frame.bounce.rgb, mix(u_frame.horizon.rgb, u_frame.zenith.rgb, up), smoothstep(0.0, 0.55, up));
}

// The same near the ground, with what sunlit grass and leaves around scatter.
fn around_light(n: vec3f) -> vec3f {
  return 1.7 * sky_light(n) + 0.5 * u_frame.bounce.rgb;
}

// The clear sky in a direction, without clouds and hills. Powers are products: this runs for every fragment.
fn clear_sky(direction: vec3f) -> vec3f {
  let h = max(direction.y, 0.0);
  let low = 1.0 - h;
  let low3 = low * low * low;
  let around = max(dot(direction, u_frame.star.xyz), 0.0);
  let around2 = around * around;
  let around8 = around2 * around2 * around2 * around2;
  let around64 = around8 * around8 * around8 * around8 * around8 * around8 * around8 * around8;
  let toward = max(dot(direction.xz, u_frame.star.xz), 0.0) * inverseSqrt(max(dot(direction.xz, direction.xz) * dot(u_frame.star.xz, u_frame.star.xz), 1e-12));
  let dusk = u_frame.glow.rgb * low3 * low * low * (0.25 + 0.75 * toward * toward);
  let aureole = u_frame.sun_colour.rgb * (1.0 - u_frame.sun_colour.w) * (0.03 * around8 + 0.10 * around64 * around8 * around8);
  return mix(u_frame.horizon.rgb, u_frame.zenith.rgb, 1.0 - low3 * sqrt(low)) + dusk + aureole;
}

// What air, or water, does to light on its way to the camera.
struct Air {
  left: vec3f,   // share of the light that arrives
  added: vec3f,
};

// Water takes red first, then green.
fn underwater(ray: vec3f, distance: f32) -> Air {
  let kept = exp(-distance * vec3f(0.20, 0.065, 0.045));
  let up = clamp(ray.y * 0.5 + 0.5, 0.0, 1.0);
  let water = mix(vec3f(0.004, 0.05, 0.075), vec3f(0.10, 0.42, 0.45), up * up);
  return Air(kept, water * (1.0 - kept));
}

// Both are found and one is taken: a branch here, asked for by a vertex, costs llvmpipe (Mesa 22.3) half a MB a frame for ever.
fn air_before(world: vec3f) -> Air {
  let ray = world - u_frame.eye.xyz;
  let distance = length(ray);
  let direction = ray / max(distance, 1e-3);
  let water = underwater(direction, distance);
  let clear = exp2(-distance / u_frame.viewport.w);
  let sky = clear_sky(normalize(vec3f(direction.x, max(direction.y, 0.03), direction.z)));
  let below = u_frame.wind.w > 0.5;
  return Air(select(vec3f(clear), water.left, below), select(sky * (1.0 - clear), water.added, below));
}

// What is left of a colour on its way to the camera, and what the air adds.
fn hazed(colour: vec3f, world: vec3f) -> vec3f {
  let air = air_before(world);
  return colour * air.left + air.added;
}
