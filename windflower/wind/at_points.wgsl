// The wind at points that stay where they are, for some steps: the twin of `Layer`. An invocation takes a point
// through four steps, so that a wave's cosine and sine are found once and then turned on.
// include "core/workgroups.wgsl"
// include "wind/gusts.wgsl"
// include "wind/turbulence.wgsl"

const TOGETHER = 4u;
override THREADS: u32 = 64u;

struct Field {
  points: u32,
  steps: u32,
  layers: u32,
  given: u32,       // 1: b_air holds what the layers are added to
  dt: f32,          // s
};

struct Layer {
  along: vec3f,     // unit; the eddies' axes
  swells: u32,      // 1: the eddies are as strong as the air that carries them is fast
  left: vec3f,
  waves: u32,       // how many, and which is the first
  steady: vec3f,    // m/s
  wave: u32,
  trains: u32,
  train: u32,
};

@group(0) @binding(0) var<uniform> u_field: Field;
@group(0) @binding(1) var<storage, read> b_point: array<vec4f>;      // from the field's origin, m
@group(0) @binding(2) var<storage, read> b_gain: array<vec4f>;       // layers x points: of what is carried; of eddies along, left, up
@group(0) @binding(3) var<storage, read> b_layer: array<Layer>;
@group(0) @binding(4) var<storage, read> b_wave: array<Wave>;
@group(0) @binding(5) var<storage, read> b_train: array<Train>;
// 6: b_front
@group(0) @binding(7) var<storage, read_write> b_air: array<vec4f>;  // steps x points, m/s

@compute @workgroup_size(THREADS)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let number = workgroup_number(groups) * THREADS + thread;
  let at = number % u_field.points;
  let first = number / u_field.points * TOGETHER;
  if (first >= u_field.steps) { return; }
  let point = b_point[at].xyz;
  var a = vec3f(0.0);
  var b = vec3f(0.0);
  var c = vec3f(0.0);
  var d = vec3f(0.0);
  for (var number = 0u; number < u_field.layers; number++) {
    let gain = b_gain[number * u_field.points + at];
    let layer = b_layer[number];
    var ea = vec3f(0.0);
    var eb = vec3f(0.0);
    var ec = vec3f(0.0);
    var ed = vec3f(0.0);
    for (var k = layer.wave; k < layer.wave + layer.waves; k++) {
      let wave = b_wave[k];
      var turn = wave_at(wave, point, f32(first));
      ea += wave.real * turn.x - wave.imaginary * turn.y;
      turn = one_step_on(wave, turn);
      eb += wave.real * turn.x - wave.imaginary * turn.y;
      turn = one_step_on(wave, turn);
      ec += wave.real * turn.x - wave.imaginary * turn.y;
      turn = one_step_on(wave, turn);
      ed += wave.real * turn.x - wave.imaginary * turn.y;
    }
    a += blown(layer, gain, point, first, ea);
    b += blown(layer, gain, point, first + 1u, eb);
    c += blown(layer, gain, point, first + 2u, ec);
    d += blown(layer, gain, point, first + 3u, ed);
  }
  put(first, at, a);
  put(first + 1u, at, b);
  put(first + 2u, at, c);
  put(first + 3u, at, d);
}

// What a layer brings at a step: what is carried, and its eddies.
fn blown(layer: Layer, gain: vec4f, point: vec3f, step: u32, eddies: vec3f) -> vec3f {
  var carried = layer.steady;
  for (var k = layer.train; k < layer.train + layer.trains; k++) {
    carried += gusts_at(b_train[k], point, f32(step) * u_field.dt);
  }
  carried *= gain.x;
  let own = eddies * gain.yzw;
  let turned = own.x * layer.along + own.y * layer.left + vec3f(0.0, own.z, 0.0);
  return carried + turned * select(1.0, length(carried.xz), layer.swells == 1u);
}

fn put(step: u32, at: u32, air: vec3f) {
  if (step >= u_field.steps) { return; }
  let here = step * u_field.points + at;
  var sum = air;
  if (u_field.given == 1u) { sum += b_air[here].xyz; }
  b_air[here] = vec4f(sum, 0.0);
}
