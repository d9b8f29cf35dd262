// What kernels put into the view: first the depth of what is nearest, then, where it is the same, its light and velocity.
// include "render/wgsl/frame.wgsl"
// include "render/wgsl/splat.wgsl"
// include "render/wgsl/velocity.wgsl"

@group(0) @binding(14) var<storage, read_write> b_nearest: array<atomic<u32>>;  // depths as bits; 0 where nothing is
@group(0) @binding(15) var<storage, read_write> b_seen: array<vec4u>;  // light and velocity as half floats

override LIT: bool = false;  // the second time
const ALIKE = 2u;   // units in the last place by which depths of the same pixel may differ
const IN_FRONT = 0.05;  // m: what comes nearer to the camera is left out

// A point in the picture: pixels from its corner and depth; w: distance along the view.
fn in_picture(world: vec3f) -> vec4f {
  let p = u_frame.view_proj * vec4f(world, 1.0);
  return vec4f((p.xy / p.w * vec2f(0.5, -0.5) + 0.5) * u_frame.viewport.xy, p.z / p.w, p.w);
}

fn place_of(pixel: vec2i) -> u32 {
  return u32(pixel.y) * u32(u_frame.viewport.x) + u32(pixel.x);
}

// Whether something at this depth may be seen: the first time, for all that is known, the second time surely.
fn may_be_seen(pixel: vec2i, depth: f32) -> bool {
  return depth <= 1.0 && bitcast<u32>(max(depth, 0.0)) + ALIKE >= atomicLoad(&b_nearest[place_of(pixel)]);
}

fn cover(pixel: vec2i, depth: f32) {
  atomicMax(&b_nearest[place_of(pixel)], bitcast<u32>(max(depth, 0.0)));
}

fn colour(pixel: vec2i, light: vec3f, velocity: vec2f) {
  b_seen[place_of(pixel)] = vec4u(pack2x16float(light.rg), pack2x16float(vec2f(light.b, 0.0)), pack2x16float(velocity), 0u);
}
