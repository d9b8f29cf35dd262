// Waves of frozen turbulence: the twin of `Turbulence`.

struct Wave {
  turns: vec3f,     // per m along x, y, z
  start: f32,       // turns at the field's origin at the end of the first step
  step: vec2f,      // cosine and sine of what it turns in a step …
  pace: f32,        // … and that in turns
  real: vec3f,      // amplitude along the wind, to its left and up, m/s
  imaginary: vec3f,
};

// Cosine and sine of a wave at a point, so many steps after the first.
fn wave_at(wave: Wave, point: vec3f, step: f32) -> vec2f {
  let turn = 6.283185307179586 * fract(dot(wave.turns, point) + wave.start + wave.pace * step);
  return vec2f(cos(turn), sin(turn));
}

fn one_step_on(wave: Wave, now: vec2f) -> vec2f {
  return vec2f(now.x * wave.step.x - now.y * wave.step.y, now.x * wave.step.y + now.y * wave.step.x);
}
