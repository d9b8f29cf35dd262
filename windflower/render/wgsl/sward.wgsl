// Light on what grows and lies on the ground.
// include "render/wgsl/light.wgsl"
// include "render/wgsl/meadow.wgsl"
// include "render/wgsl/sown.wgsl"
// include "render/wgsl/velocity.wgsl"

@group(1) @binding(1) var t_planar: texture_2d<f32>;
@group(2) @binding(0) var<storage, read> b_grown: array<Sown>;
@group(2) @binding(1) var<storage, read> b_grown_before: array<Sown>;  // in the frame before, in the same order

// A thing in the frame before; one that was not there then, as it is now.
fn sown_before(number: u32) -> Sown {
  let before = b_grown_before[number];
  if (before.root.w <= 0.0) {
    return b_grown[number];
  }
  return before;
}

// How much sun reaches a thing: by the shadow map, or by the planar shadow where its pixel lies.
fn sun_on(pixel: vec2f, world: vec3f, normal: vec3f) -> f32 {
  let planar = textureLoad(t_planar, vec2i(pixel), 0).r * u_frame.shadow.z * u_frame.shadow.w;
  return sunlit_quickly(world, normal) * (1.0 - planar);
}

// What light that has passed through a blade of grass is left with, over what it reflects: see THROUGH in leaf_shading.wgsl.
const THROUGH_BLADES = vec3f(1.2, 1.4, 0.3);

// Light that a thin thing sends to the camera. `open` is the share of the sky that it sees, `deep` that of the sun between
// its neighbours, `through` that of the light which passes it.
fn thin_light(pixel: vec2f, world: vec3f, n: vec3f, albedo: vec3f, open: f32, deep: f32, through: f32, gloss: f32) -> vec3f {
  let ray = normalize(world - u_frame.eye.xyz);
  let facing = select(-n, n, dot(n, ray) < 0.0);
  let shade = sun_on(pixel, world, vec3f(0.0, 1.0, 0.0)) * deep;
  let toward = dot(facing, u_frame.sun.xyz);
  // Blades scatter the sun among themselves: a sward is lit from many sides.
  let front = max(0.62 * toward + 0.38, 0.0);
  let back = through * (max(-toward, 0.0) + 0.45 * pow(max(dot(ray, u_frame.sun.xyz), 0.0), 5.0));
  let glint = gloss * pow(max(dot(reflect(ray, facing), u_frame.sun.xyz), 0.0), 18.0);
  let lit = albedo * front + albedo * THROUGH_BLADES * back + glint;
  return sunshine(world) * shade * lit + albedo * sky_light(normalize(facing + vec3f(0.0, 1.2, 0.0))) * open;
}
