// From light to a picture: exposure, a filmic curve, and the display's response.

struct Tone {
  exposure: f32,
  is_transparent: f32,  // 1 where alpha is the share of a pixel that is not sky, and light is times that
};

@group(0) @binding(0) var t_light: texture_2d<f32>;
@group(0) @binding(1) var<uniform> u_tone: Tone;
@group(0) @binding(2) var t_picture: texture_storage_2d<rgba8unorm, write>;

const CONTRAST = 1.22;  // slope in the middle, in stops over stops
const SHOULDER = 0.97;
const GREY = 0.18;      // reflectance that stays as bright as it is
const WHITE = 7.0;      // light that becomes the display's white

// A filmic curve x^a / (b x^(a d) + c) through grey and white (Lottes 2016).
fn filmic(x: vec3f) -> vec3f {
  let grey_a = pow(GREY, CONTRAST);
  let white_a = pow(WHITE, CONTRAST);
  let grey_d = pow(GREY, CONTRAST * SHOULDER);
  let white_d = pow(WHITE, CONTRAST * SHOULDER);
  let below = (white_d - grey_d) * GREY;
  let b = (white_a * GREY - grey_a) / below;
  let c = (white_d * grey_a - white_a * grey_d * GREY) / below;
  let high = pow(x, vec3f(CONTRAST));
  return high / (b * pow(x, vec3f(CONTRAST * SHOULDER)) + c);
}

// The curve on each colour pales what is bright, as film does; on the brightest alone it keeps the hue. Half of each.
fn developed(light: vec3f) -> vec3f {
  let peak = max(max(light.r, light.g), max(light.b, 1e-6));
  return 0.5 * (filmic(light) + filmic(vec3f(peak)) * light / peak);
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (any(id.xy >= textureDimensions(t_picture))) {
    return;
  }
  let seen = textureLoad(t_light, id.xy, 0);
  let alpha = select(1.0, clamp(seen.a, 0.0, 1.0), u_tone.is_transparent > 0.5);
  let light = seen.rgb / max(alpha, 1e-4) * u_tone.exposure;
  let shown = clamp(developed(max(light, vec3f(0.0))), vec3f(0.0), vec3f(1.0));
  let low = shown * 12.92;
  let high = 1.055 * pow(shown, vec3f(1.0 / 2.4)) - 0.055;
  textureStore(t_picture, id.xy, vec4f(select(high, low, shown < vec3f(0.0031308)), alpha));
}
