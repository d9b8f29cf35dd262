// A pond: ripples that run with the wind, the mirrored scene in them, and a shallow rim.
// include "render/wgsl/drift.wgsl"
// include "render/wgsl/light.wgsl"
// include "render/wgsl/meadow.wgsl"
// include "render/wgsl/velocity.wgsl"

struct Water {
  @builtin(position) position: vec4f,
  @location(0) world: vec3f,
};

@group(1) @binding(1) var t_mirror: texture_2d<f32>;
@group(1) @binding(2) var smp_mirror: sampler;

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32) -> Water {
  let corner = vec2f(f32(vertex & 1u), f32(vertex >> 1u)) * 2.0 - 1.0;
  let at = u_ground.pond.xy + corner * u_ground.pond.zw * 1.4;
  let world = vec3f(at.x, 0.015, at.y);
  return Water(u_frame.view_proj * vec4f(world, 1.0), world);
}

fn wave(p: vec2f) -> f32 {
  let a = carried2(p * 1.1, 0.375);
  let b = carried2(p * 3.1 + 17.0, 0.5625);
  let c = carried2(p * 7.3 + 5.0, 0.71875);
  return a * 0.55 + b * 0.3 + c * 0.15;
}

@fragment
fn fs_view(in: Water) -> Seen {
  let p = in.world.xz;
  let shore = pond_share(p);
  // Seen along the ground its edge would step from pixel to pixel.
  let cover = clamp((shore - 0.5) / max(fwidth(shore), 1e-5) + 0.5, 0.0, 1.0);
  if (cover <= 0.0 || !is_covered(cover, in.position.xy)) {
    discard;
  }
  let pixel = length(fwidth(p));
  let strength = (0.02 + 0.012 * length(u_frame.wind.xz)) * (1.0 - smoothstep(0.1, 1.2, pixel));
  let step = 0.06;
  let slope = vec2f(wave(p + vec2f(step, 0.0)) - wave(p - vec2f(step, 0.0)), wave(p + vec2f(0.0, step)) - wave(p - vec2f(0.0, step))) / (2.0 * step);
  let n = normalize(vec3f(-slope.x * strength, 1.0, -slope.y * strength));
  let eye = normalize(u_frame.eye.xyz - in.world);
  let grazing = pow(1.0 - max(dot(n, eye), 0.0), 5.0);
  let fresnel = 0.02 + 0.98 * grazing;
  let screen = in.position.xy / u_frame.viewport.xy + n.xz * vec2f(0.35, -0.5) * 0.5;
  let mirrored = textureSampleLevel(t_mirror, smp_mirror, clamp(screen, vec2f(0.002), vec2f(0.998)), 0.0).rgb;
  let shade = sunlit(in.world, vec3f(0.0, 1.0, 0.0));
  let light = sunshine(in.world) * max(u_frame.sun.y, 0.0) * shade + sky_light(vec3f(0.0, 1.0, 0.0));
  let depth = smoothstep(0.5, 0.95, shore);
  let bed = mix(vec3f(0.11, 0.095, 0.055), vec3f(0.012, 0.026, 0.018), depth) * light;
  let sparkle = pow(max(dot(reflect(-u_frame.sun.xyz, n), eye), 0.0), 400.0) * 12.0 * shade;
  let colour = mix(bed, mirrored, fresnel) + u_frame.sun_colour.rgb * sparkle * (1.0 - u_frame.sun_colour.w);
  return Seen(vec4f(hazed(colour, in.world), cover), velocity_of(in.position, seen_before(in.world)));
}
