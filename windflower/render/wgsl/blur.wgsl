// Motion blur: each pixel gathers what moves over it while the shutter is open (McGuire 2012), along the fastest motion
// about it and along its own (Guertin 2014).
// include "render/wgsl/shutter.wgsl"

@group(0) @binding(0) var t_light: texture_2d<f32>;
@group(0) @binding(1) var t_velocity: texture_2d<f32>;
@group(0) @binding(2) var t_depth: texture_depth_2d;
@group(0) @binding(3) var t_tiles: texture_2d<f32>;
@group(0) @binding(4) var<uniform> u_shutter: Shutter;
@group(0) @binding(5) var t_blurred: texture_storage_2d<rgba16float, write>;

const SAMPLES = 13;
const SOFT = 0.03;   // of a depth, by which two surfaces differ before one hides the other
const STILL = 0.5;   // pixels of blur that are not seen

// Half the way of a pixel while the shutter is open, at most a tile's side.
fn reach_of(velocity: vec2f) -> vec2f {
  let half = 0.5 * u_shutter.share * velocity;
  return half * min(1.0, f32(u_shutter.side) / max(length(half), 1e-6));
}

fn reach_at(pixel: vec2i) -> vec2f {
  return reach_of(textureLoad(t_velocity, pixel, 0).xy);
}

// The farthest reach in the tiles about a pixel. Where two tiles meet, the border is not straight.
fn farthest_about(pixel: vec2f, noise: f32) -> vec2f {
  let size = vec2i(textureDimensions(t_tiles));
  let own = vec2i(pixel / f32(u_shutter.side) + (noise - 0.5) * 0.3);
  var farthest = vec2f(0.0);
  for (var k = 0; k < 9; k++) {
    let at = clamp(own + vec2i(k % 3 - 1, k / 3 - 1), vec2i(0), size - 1);
    let reach = reach_of(textureLoad(t_tiles, at, 0).xy);
    farthest = select(farthest, reach, dot(reach, reach) > dot(farthest, farthest));
  }
  return farthest;
}

// 1 where something of this reach covers a place this far from it, 0 beyond, over about a pixel.
fn covers(away: f32, reach: f32) -> f32 {
  return clamp(reach - away + 0.5, 0.0, 1.0);
}

// How much a surface of depth b, which is larger where it is nearer, is before one of depth a.
fn is_before(a: f32, b: f32) -> f32 {
  return clamp((b - a) / (SOFT * max(b, 1e-6)), 0.0, 1.0);
}

// The pixel at a place, in the picture.
fn pixel_at(place: vec2f) -> vec2i {
  return clamp(vec2i(floor(place)), vec2i(0), vec2i(textureDimensions(t_light)) - 1);
}

// What passes before a pixel: its light, and in w for how much of the time it is there.
fn passing(position: vec2f, depth: f32, along: vec2f, noise: f32) -> vec4f {
  let far = length(along);
  var sum = vec4f(0.0);
  for (var k = 0; k < SAMPLES; k++) {
    let t = (f32(k) + noise) / f32(SAMPLES) * 2.0 - 1.0;
    let at = pixel_at(position + t * along);
    let reach = reach_at(at);
    let size = length(reach);
    // It is over this pixel for one of the pixels of its way; the samples stand for all pixels of theirs.
    let aligned = abs(dot(reach, along)) / max(size * far, 1e-6);
    let there = is_before(depth, textureLoad(t_depth, at, 0)) * covers(abs(t) * far, size) * aligned / max(2.0 * size, 1.0);
    sum += vec4f(textureLoad(t_light, at, 0).rgb, 1.0) * there * 2.0 * far / f32(SAMPLES);
  }
  return sum;
}

// The light of a pixel that moves itself, spread over its way; what is before it does not count.
fn spread_out(position: vec2f, depth: f32, along: vec2f, noise: f32) -> vec3f {
  var sum = vec4f(0.0);
  for (var k = 0; k < SAMPLES; k++) {
    let t = (f32(k) + noise) / f32(SAMPLES) * 2.0 - 1.0;
    let at = pixel_at(position + t * along);
    sum += vec4f(textureLoad(t_light, at, 0).rgb, 1.0) * (1.0 - is_before(depth, textureLoad(t_depth, at, 0)));
  }
  return sum.rgb / max(sum.w, 1e-3);
}

fn blurred(pixel: vec2i) -> vec4f {
  let position = vec2f(pixel) + 0.5;
  let own_light = textureLoad(t_light, pixel, 0);
  let noise = fract(52.9829189 * fract(dot(floor(position), vec2f(0.06711056, 0.00583715))));
  let farthest = farthest_about(position, noise);
  if (length(farthest) < 0.5 * STILL) {
    return own_light;
  }
  let own = reach_at(pixel);
  let depth = textureLoad(t_depth, pixel, 0);
  var light = own_light.rgb;
  if (length(own) > 0.5 * STILL) {
    light = spread_out(position, depth, own, noise);
  }
  let before = passing(position, depth, farthest, noise);
  let share = min(before.w, 1.0);
  return vec4f(mix(light, before.rgb / max(before.w, 1e-3), share), own_light.a);
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (all(id.xy < textureDimensions(t_blurred))) {
    textureStore(t_blurred, id.xy, blurred(vec2i(id.xy)));
  }
}
