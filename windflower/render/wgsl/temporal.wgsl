// Temporal anti-aliasing: each frame has one sample a pixel, at another place in the pixel; what earlier frames saw is
// fetched from where it was then, held within the colours that its neighbours have now, and mixed with the new sample.

struct History {
  known: f32,   // 1 if there is a frame before
  frames: f32,  // how many there were since the latest cut
};

@group(0) @binding(0) var t_light: texture_2d<f32>;
@group(0) @binding(1) var t_velocity: texture_2d<f32>;
@group(0) @binding(2) var t_depth: texture_depth_2d;
@group(0) @binding(3) var t_history: texture_2d<f32>;  // w: depth of what was nearest there
@group(0) @binding(4) var smp_history: sampler;
@group(0) @binding(5) var<uniform> u_history: History;
@group(0) @binding(6) var t_mixed: texture_storage_2d<rgba16float, write>;

const NEW = 0.1;       // share of the new sample, after many frames
const WIDE = 1.25;     // standard deviations of the neighbours' colours that the past may lie off their mean
const EDGE = 1.5;      // how many times nearer something is beside which all else is background
const QUICK = 0.25;    // share of the new sample where neighbours move apart by pixels, as leaves in a storm do
const AHEAD = 1.25;    // how many times nearer the past was where something has gone away since

// Luma and two differences of colours: boxes about colours are tighter so.
fn to_ycocg(c: vec3f) -> vec3f {
  return vec3f(0.25 * c.r + 0.5 * c.g + 0.25 * c.b, 0.5 * c.r - 0.5 * c.b, -0.25 * c.r + 0.5 * c.g - 0.25 * c.b);
}

fn from_ycocg(c: vec3f) -> vec3f {
  let rest = c.x - c.z;
  return vec3f(rest + c.y, c.x + c.z, rest - c.y);
}

// Bright light counts less, or a single glint would stay on for many frames (Karis 2014).
fn toned(light: vec3f) -> vec3f {
  return light / (1.0 + max(max(light.r, light.g), light.b));
}

fn untoned(c: vec3f) -> vec3f {
  return c / max(1.0 - max(max(c.r, c.g), c.b), 1e-3);
}

// The past at a place, pixels: a Catmull-Rom filter of five bilinear samples, which stays sharp however often it is moved.
fn past_at(at: vec2f) -> vec3f {
  let size = vec2f(textureDimensions(t_history));
  let middle = floor(at - 0.5) + 0.5;
  let f = at - middle;
  let w0 = f * (-0.5 + f * (1.0 - 0.5 * f));
  let w1 = 1.0 + f * f * (-2.5 + 1.5 * f);
  let w2 = f * (0.5 + f * (2.0 - 1.5 * f));
  let w3 = f * f * (-0.5 + 0.5 * f);
  let inner = w1 + w2;
  let before = (middle - 1.0) / size;
  let between = (middle + w2 / inner) / size;
  let after = (middle + 2.0) / size;
  var sum = vec4f(past(between), 1.0) * (inner.x * inner.y);
  sum += vec4f(past(vec2f(between.x, before.y)), 1.0) * (inner.x * w0.y);
  sum += vec4f(past(vec2f(between.x, after.y)), 1.0) * (inner.x * w3.y);
  sum += vec4f(past(vec2f(before.x, between.y)), 1.0) * (w0.x * inner.y);
  sum += vec4f(past(vec2f(after.x, between.y)), 1.0) * (w3.x * inner.y);
  return max(sum.rgb / sum.w, vec3f(0.0));
}

fn past(uv: vec2f) -> vec3f {
  return toned(textureSampleLevel(t_history, smp_history, uv, 0.0).rgb);
}

// A colour moved toward the middle of a box until it lies in it.
fn clipped(colour: vec3f, middle: vec3f, half: vec3f) -> vec3f {
  let off = colour - middle;
  let far = abs(off) / max(half, vec3f(1e-4));
  return middle + off / max(max(max(far.x, far.y), far.z), 1.0);
}

// The light of a pixel; w: depth of what is nearest about it.
fn mixed(pixel: vec2i) -> vec4f {
  let size = vec2i(textureDimensions(t_light));
  let own = to_ycocg(toned(textureLoad(t_light, pixel, 0).rgb));
  var sum = vec3f(0.0);
  var squares = vec3f(0.0);
  var low = own;
  var high = own;
  var nearest = -1.0;
  var at_nearest = pixel;
  for (var k = 0; k < 9; k++) {
    let at = clamp(pixel + vec2i(k % 3 - 1, k / 3 - 1), vec2i(0), size - 1);
    let c = to_ycocg(toned(textureLoad(t_light, at, 0).rgb));
    let depth = textureLoad(t_depth, at, 0);
    sum += c;
    squares += c * c;
    low = min(low, c);
    high = max(high, c);
    at_nearest = select(at_nearest, at, depth > nearest);
    nearest = max(nearest, depth);
  }
  // The edge of what is in front moves with it, and not with what is far behind; leaves among leaves move on their own.
  let own_velocity = textureLoad(t_velocity, pixel, 0).xy;
  let velocity_there = textureLoad(t_velocity, at_nearest, 0).xy;
  let velocity = select(own_velocity, velocity_there, nearest > EDGE * textureLoad(t_depth, pixel, 0));
  let source = vec2f(pixel) + 0.5 - velocity;
  let outside = any(source < vec2f(0.0)) || any(source > vec2f(size));
  if (u_history.known == 0.0 || outside) {
    return vec4f(max(textureLoad(t_light, pixel, 0).rgb, vec3f(0.0)), nearest);
  }
  let mean = sum / 9.0;
  let spread = WIDE * sqrt(max(squares / 9.0 - mean * mean, vec3f(0.0)));
  let least = max(low, mean - spread);
  let most = min(high, mean + spread);
  let earlier = to_ycocg(past_at(source));
  let held = clipped(earlier, 0.5 * (least + most), 0.5 * (most - least));
  // Something nearer was there, and is gone: what is behind it is new.
  let was = textureLoad(t_history, clamp(vec2i(source), vec2i(0), size - 1), 0).w;
  let uncovered = was > AHEAD * nearest + 1e-6 && any(abs(held - earlier) > vec3f(0.01));
  let apart = clamp(0.5 * distance(own_velocity, velocity_there), 0.0, 1.0);
  let share = select(max(mix(NEW, QUICK, apart), 1.0 / (1.0 + u_history.frames)), 0.5, uncovered);
  return vec4f(untoned(from_ycocg(mix(held, own, share))), nearest);
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (all(id.xy < textureDimensions(t_mixed))) {
    textureStore(t_mixed, id.xy, mixed(vec2i(id.xy)));
  }
}
