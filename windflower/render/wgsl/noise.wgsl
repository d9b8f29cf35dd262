// Random numbers and smooth noise, the same on every device.
// include "core/random.wgsl"

// Random number in [0, 1) of a whole number.
fn hash(x: u32) -> f32 {
  return uniform_of(scrambled(x));
}

fn lattice2(at: vec2f) -> f32 {
  let i = vec2i(at);
  return hash((bitcast<u32>(i.x) * 73856093u) ^ (bitcast<u32>(i.y) * 19349663u));
}

fn lattice3(at: vec3f) -> f32 {
  let i = vec3i(at);
  return hash((bitcast<u32>(i.x) * 73856093u) ^ (bitcast<u32>(i.y) * 19349663u) ^ (bitcast<u32>(i.z) * 83492791u));
}

// Smooth between random values at whole numbers.
fn noise2(p: vec2f) -> f32 {
  let cell = floor(p);
  let f = p - cell;
  let w = f * f * (3.0 - 2.0 * f);
  return mix(mix(lattice2(cell), lattice2(cell + vec2f(1.0, 0.0)), w.x),
             mix(lattice2(cell + vec2f(0.0, 1.0)), lattice2(cell + vec2f(1.0, 1.0)), w.x), w.y);
}

// The same, over again every 256 cells: what is shifted without end is shifted by less than that.
fn repeating2(p: vec2f) -> f32 {
  let cell = floor(p);
  let f = p - cell;
  let w = f * f * (3.0 - 2.0 * f);
  let low = vec2i(cell) & vec2i(255);
  let high = (low + 1) & vec2i(255);
  let a = vec2f(low);
  let b = vec2f(high);
  return mix(mix(lattice2(a), lattice2(vec2f(b.x, a.y)), w.x), mix(lattice2(vec2f(a.x, b.y)), lattice2(b), w.x), w.y);
}

fn noise3(p: vec3f) -> f32 {
  let cell = floor(p);
  let f = p - cell;
  let w = f * f * (3.0 - 2.0 * f);
  let low = mix(mix(lattice3(cell), lattice3(cell + vec3f(1.0, 0.0, 0.0)), w.x),
                mix(lattice3(cell + vec3f(0.0, 1.0, 0.0)), lattice3(cell + vec3f(1.0, 1.0, 0.0)), w.x), w.y);
  let up = cell + vec3f(0.0, 0.0, 1.0);
  let high = mix(mix(lattice3(up), lattice3(up + vec3f(1.0, 0.0, 0.0)), w.x),
                 mix(lattice3(up + vec3f(0.0, 1.0, 0.0)), lattice3(up + vec3f(1.0, 1.0, 0.0)), w.x), w.y);
  return mix(low, high, w.z);
}

// Four octaves, in [0, 1].
fn cloudy(p: vec2f) -> f32 {
  var at = p;
  var total = 0.0;
  var share = 0.5;
  for (var k = 0; k < 4; k++) {
    total += share * noise2(at);
    at = mat2x2f(1.6, 1.2, -1.2, 1.6) * at + 7.3;
    share *= 0.5;
  }
  return total / 0.9375;
}
