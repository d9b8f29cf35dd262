// Occlusion between two frames: whether what a pixel of one shows can be seen in the other, by depths and motions of both.
//
// It is seen if one of the four pixels about the place where it is then shows something as far away that came from here.

@group(0) @binding(0) var t_labels: texture_2d<f32>;  // of one frame, and its motion to the other: see data.wgsl
@group(0) @binding(1) var t_motion: texture_2d<f32>;
@group(0) @binding(2) var t_labels_then: texture_2d<f32>;  // of the other, and its motion to the first
@group(0) @binding(3) var t_motion_then: texture_2d<f32>;
@group(0) @binding(4) var<storage, read_write> b_hidden: array<u32>;  // 1: of the first hidden in the other; 2: of the other in the first

const NEAR = 0.004;   // relative difference of two depths up to which they may be of one surface
const STEEP = 0.02;   // relative change of depth from pixel to pixel up to which it is that of a slope
const BESIDE = 0.9;   // pixels up to which the middle of a pixel is about a place
const ASTRAY = vec2f(0.3, 0.1);  // pixels by which two ways lead apart that are still one: always, and of their length
const FAR = 1e30;     // m, of the sky

fn far_if_sky(away: f32) -> f32 {
  return select(FAR, away, away > 0.0);
}

fn expected_at(motion: texture_2d<f32>, at: vec2i, last: vec2i) -> f32 {
  return far_if_sky(textureLoad(motion, clamp(at, vec2i(0), last), 0).z);
}

// How much the depth that is expected changes from a pixel to the next, along the surface that it shows, m.
fn slope_at(motion: texture_2d<f32>, at: vec2i, last: vec2i, expected: f32) -> f32 {
  let right = abs(expected_at(motion, at + vec2i(1, 0), last) - expected);
  let left = abs(expected_at(motion, at - vec2i(1, 0), last) - expected);
  let below = abs(expected_at(motion, at + vec2i(0, 1), last) - expected);
  let above = abs(expected_at(motion, at - vec2i(0, 1), last) - expected);
  let steps = min(right, left) + min(below, above);
  return select(min(steps, STEEP * expected), 0.0, expected >= FAR || steps >= 0.5 * FAR);
}

fn is_hidden(motion: texture_2d<f32>, labels_then: texture_2d<f32>, motion_then: texture_2d<f32>, at: vec2i) -> bool {
  let last = vec2i(textureDimensions(motion)) - 1;
  let way = textureLoad(motion, at, 0);
  let place = vec2f(at) + way.xy;
  if (!(all(place > vec2f(-0.5)) && all(place < vec2f(last) + 0.5))) {
    return true;
  }
  let expected = far_if_sky(way.z);
  let room = ASTRAY.x + ASTRAY.y * length(way.xy);
  let reach = NEAR * expected + slope_at(motion, at, last, expected);
  let corner = floor(place);
  for (var k = 0; k < 4; k++) {
    let beside = corner + vec2f(vec2i(k % 2, k / 2));
    let there = clamp(vec2i(beside), vec2i(0), last);
    let away = far_if_sky(textureLoad(labels_then, there, 0).w);
    let is_close = select(abs(away - expected) < reach, away == expected, expected >= FAR);
    let apart = length(way.xy + textureLoad(motion_then, there, 0).xy);
    if (is_close && all(abs(beside - place) < vec2f(BESIDE)) && apart < room) {
      return false;
    }
  }
  return true;
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let size = textureDimensions(t_motion);
  if (any(id.xy >= size)) {
    return;
  }
  let at = vec2i(id.xy);
  let forth = is_hidden(t_motion, t_labels_then, t_motion_then, at);
  let back = is_hidden(t_motion_then, t_labels, t_motion, at);
  b_hidden[id.y * size.x + id.x] = u32(forth) | (u32(back) << 1u);
}
