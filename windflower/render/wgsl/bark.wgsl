// Bark: tiles of colours and relief, as bark.py has them, with moss and lichen on them.
// include "render/wgsl/footprint.wgsl"
// include "render/wgsl/deform.wgsl"
// include "render/wgsl/noise.wgsl"
// include "render/wgsl/tilt.wgsl"

@group(2) @binding(5) var t_bark: texture_2d_array<f32>;   // weights of two colours, height, openness; the second layer is old bark
@group(2) @binding(6) var t_relief: texture_2d_array<f32>; // slopes to the right and upward, where lichen grows
@group(2) @binding(7) var smp_bark: sampler;

const FINE_SIDES = 16u;  // from which on a tube's outline shows its relief
const TILE = 0.9;        // as in bark.py
const HIGHER = 2.0;
const BRIGHTEST = 2.0;
const STEEPEST = 2.0;
const MOSS = vec3f(0.050, 0.078, 0.016);
const SOIL = vec3f(0.058, 0.042, 0.028);
const LICHEN = vec3f(0.270, 0.290, 0.215);

struct Bark {
  albedo: vec3f,
  normal: vec3f,
  open: f32,         // share of the sky that a point of its relief sees
};

// Tiles that go around an axis with this radius where it begins, m.
fn times_around(foot: f32) -> f32 {
  return max(round(6.2831853 * foot / TILE), 1.0);
}

// Share of the sky that the ground leaves to the foot of a trunk.
fn at_foot(height: f32) -> f32 {
  return 1.0 - 0.30 * exp(-max(height, 0.0) / 0.5) - 0.30 * exp(-max(height, 0.0) / 0.08);
}

// How much moss there is: near the ground, on the side that the sun does not see, and on what looks up.
fn mossiness(normal: vec3f, height: f32) -> f32 {
  let shady = 0.5 - 0.5 * normal.z;
  return u_mesh.style.x * (smoothstep(1.8, 0.0, height) * (0.25 + 0.75 * shady) + 0.35 * max(normal.y, 0.0));
}

// Share of old bark at a height above the ground, m.
fn oldness(height: f32, chance: f32) -> f32 {
  let reach = max(u_mesh.old.w, 1e-3);
  return smoothstep(0.38, 0.62, 0.75 - 0.5 * height / reach + 0.9 * (chance - 0.5)) * step(1e-3, u_mesh.old.w);
}

// How far the bark of a trunk stands out at a corner of its mesh, m; what is smaller than its sides is left out.
// `own` is metres along the axis and the radius there, `foot` the radius where it begins.
fn bark_height(angle: f32, girths: f32, own: vec2f, foot: f32) -> f32 {
  let times = times_around(foot);
  let place = times * vec2f(angle / 6.2831853, girths) * vec2f(1.0, -1.0 / HIGHER);
  let size = f32(textureDimensions(t_bark).x);
  let level = log2(max(size * times / f32(u_mesh.count.y), 1.0)) - 0.7;
  let above = textureSampleLevel(t_bark, smp_bark, place, 0u, level).z - 0.5;
  let old = oldness(own.x, 0.5);
  let below = textureSampleLevel(t_bark, smp_bark, place, select(0u, 1u, old > 0.0), level).z - 0.6;
  return mix(above * u_mesh.second.w, below * u_mesh.bark.w, old) * 6.2831853 * own.y / times;
}

// Mean colour of bark where no detail can be seen.
fn mean_bark(normal: vec3f, cover: vec4f) -> vec3f {
  let plain = u_mesh.bark.rgb * u_mesh.means.x + u_mesh.second.rgb * u_mesh.means.y;
  let old = u_mesh.old.rgb * u_mesh.means.z + u_mesh.second.rgb * u_mesh.means.w;
  let grown = mix(plain, old, oldness(cover.y, 0.5));
  let own = mix(grown, u_mesh.young.rgb, u_mesh.young.w * (1.0 - smoothstep(0.007, 0.02, cover.w)));
  return mix(own, MOSS, clamp(0.6 * mossiness(normal, cover.y), 0.0, 0.6));
}

// `at` is a direction around the axis and girths along it; `cover` as in tubes.wgsl.
fn bark_at(at: vec3f, world: vec3f, normal: vec3f, cover: vec4f) -> Bark {
  let times = cover.z;
  let dx = dpdx(at) * FOOTPRINT;
  let dy = dpdy(at) * FOOTPRINT;
  let far = 6.2831853 * max(dot(at.xy, at.xy), 1e-6);
  let place = times * vec2f(atan2(at.y, at.x) / 6.2831853, at.z);
  let along_x = times * vec2f((at.x * dx.y - at.y * dx.x) / far, dx.z);
  let along_y = times * vec2f((at.x * dy.y - at.y * dy.x) / far, dy.z);
  let flip = vec2f(1.0, -1.0 / HIGHER);
  let chance = noise3(vec3f(at.xy * (times / 1.6), times * at.z * 4.0));
  let old = oldness(cover.y, chance);
  var colours = textureSampleGrad(t_bark, smp_bark, place * flip, 0u, along_x * flip, along_y * flip);
  var relief = textureSampleGrad(t_relief, smp_bark, place * flip, 0u, along_x * flip, along_y * flip);
  var own = u_mesh.bark.rgb;
  if (u_mesh.old.w > 0.0) {
    let c = textureSampleGrad(t_bark, smp_bark, place * flip, 1u, along_x * flip, along_y * flip);
    let r = textureSampleGrad(t_relief, smp_bark, place * flip, 1u, along_x * flip, along_y * flip);
    colours = mix(colours, c, old);
    relief = mix(relief, r, old);
    own = mix(own, u_mesh.old.rgb, old);
  }
  let slope = (relief.xy * 2.0 - 1.0) * STEEPEST;
  let tone = 0.84 + 0.32 * chance;
  var albedo = (own * colours.x * BRIGHTEST + u_mesh.second.rgb * colours.y) * tone;
  albedo = mix(albedo, u_mesh.young.rgb, u_mesh.young.w * (1.0 - smoothstep(0.007, 0.02, cover.w)));
  // Lichen sits on what stands out, moss begins in what lies deep.
  let crust = u_mesh.style.x * smoothstep(0.57, 0.66, relief.z + 0.16 * (chance - 0.5) + 0.05 * colours.z) * smoothstep(0.02, 0.05, cover.w);
  albedo = mix(albedo, LICHEN, 0.55 * crust);
  let soft = smoothstep(0.42, 0.62, 0.75 * mossiness(normal, cover.y) + 0.5 * (relief.z - 0.5) + 0.55 * (chance - 0.5) + 0.28 * (0.6 - colours.z) + 0.12);
  albedo = mix(albedo, MOSS * (0.55 + 0.9 * relief.z), 0.88 * soft);
  // Rain has splashed earth on the lowest part of trunks; green stalks are too thin to keep it.
  let splashed = smoothstep(0.004, 0.02, cover.w) * smoothstep(0.10, -0.02, cover.y - 0.16 * (chance - 0.4));
  albedo = mix(albedo, SOIL * (0.6 + 0.8 * relief.z), 0.75 * splashed);
  return Bark(albedo, tilted(world, normal, along_x, along_y, slope * (1.0 - 0.6 * soft)), mix(colours.w, 0.85, 0.7 * soft));
}
