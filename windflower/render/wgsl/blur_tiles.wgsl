// Motion blur, first step: the fastest velocity of each tile of the picture, by a workgroup for each.
// include "render/wgsl/shutter.wgsl"

@group(0) @binding(0) var t_velocity: texture_2d<f32>;
@group(0) @binding(1) var<uniform> u_shutter: Shutter;
@group(0) @binding(2) var t_fastest: texture_storage_2d<rgba16float, write>;

const THREADS = 64u;

var<workgroup> w_fastest: array<vec2f, THREADS>;

fn faster(a: vec2f, b: vec2f) -> vec2f {
  return select(a, b, dot(b, b) > dot(a, a));
}

@compute @workgroup_size(THREADS)
fn main(@builtin(workgroup_id) tile: vec3u, @builtin(local_invocation_index) thread: u32) {
  let size = textureDimensions(t_velocity);
  let side = u_shutter.side;
  var fastest = vec2f(0.0);
  for (var k = thread; k < side * side; k += THREADS) {
    let pixel = tile.xy * side + vec2u(k % side, k / side);
    if (all(pixel < size)) {
      fastest = faster(fastest, textureLoad(t_velocity, pixel, 0).xy);
    }
  }
  w_fastest[thread] = fastest;
  for (var half = THREADS / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (thread < half) {
      w_fastest[thread] = faster(w_fastest[thread], w_fastest[thread + half]);
    }
  }
  if (thread == 0u) {
    textureStore(t_fastest, tile.xy, vec4f(w_fastest[0], 0.0, 0.0));
  }
}
