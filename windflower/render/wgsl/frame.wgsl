// What every pass knows of a frame.

struct Frame {
  view_proj: mat4x4f,
  inverse_view_proj: mat4x4f,
  light_proj: mat4x4f,    // world to the sun's shadow map
  eye: vec4f,             // xyz; w: time in seconds
  sun: vec4f,             // direction to the sun; w: half the angle that the sun is wide, rad
  sun_colour: vec4f,      // radiance of direct light; w: exposure
  zenith: vec4f,          // sky light from above
  horizon: vec4f,         // sky light from the side
  bounce: vec4f,          // light from the ground
  viewport: vec4f,        // width, height; height of a pixel at distance 1; distance at which haze has taken half
  shadow: vec4f,          // texels, size of a texel in m, depth range in m, strength
};

@group(0) @binding(0) var<uniform> u_frame: Frame;
@group(0) @binding(1) var t_shadow: texture_depth_2d;
@group(0) @binding(2) var smp_shadow: sampler_comparison;

// How much of the sun reaches a point: nine comparisons, each bilinear.
fn sunlit(world: vec3f, normal: vec3f) -> f32 {
  let texel = u_frame.shadow.y;
  let p = u_frame.light_proj * vec4f(world + normal * texel * 1.5, 1.0);
  let uv = p.xy * vec2f(0.5, -0.5) + 0.5;
  var light = 0.0;
  for (var i = -1; i <= 1; i++) {
    for (var j = -1; j <= 1; j++) {
      let at = uv + vec2f(f32(i), f32(j)) * 1.2 / u_frame.shadow.x;
      light += textureSampleCompareLevel(t_shadow, smp_shadow, at, p.z - 0.0006);
    }
  }
  let edge = max(max(abs(p.x), abs(p.y)), 2.0 * abs(p.z - 0.5));
  let inside = 1.0 - smoothstep(0.94, 1.0, edge);
  return 1.0 - (1.0 - light / 9.0) * inside * u_frame.shadow.w;
}

// Light of the sky on a surface that looks along n.
fn sky_light(n: vec3f) -> vec3f {
  let up = n.y * 0.5 + 0.5;
  return mix(u_frame.bounce.rgb, mix(u_frame.horizon.rgb, u_frame.zenith.rgb, up), smoothstep(0.0, 0.55, up));
}

// The sky itself in a direction.
fn sky(direction: vec3f) -> vec3f {
  let h = max(direction.y, 0.0);
  let around = max(dot(direction, u_frame.sun.xyz), 0.0);
  let glow = 0.25 * pow(around, 8.0) + 0.6 * pow(around, 96.0);
  return mix(u_frame.horizon.rgb, u_frame.zenith.rgb, 1.0 - pow(1.0 - h, 3.5)) + u_frame.sun_colour.rgb * glow * 0.12;
}

fn hazed(colour: vec3f, world: vec3f) -> vec3f {
  let ray = world - u_frame.eye.xyz;
  let distance = length(ray);
  let clear = exp2(-distance / u_frame.viewport.w);
  return mix(sky(vec3f(ray.x, max(ray.y, 0.02 * distance), ray.z) / max(distance, 1e-3)), colour, clear);
}

// Random number in [0, 1) of a whole number (PCG).
fn hash(x: u32) -> f32 {
  let state = x * 747796405u + 2891336453u;
  let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
  return f32((word >> 22u) ^ word) / 4294967296.0;
}
