// Noise and rhythms in time, which in a loop repeat with it.
// include "render/wgsl/frame.wgsl"
// include "render/wgsl/noise.wgsl"

// Noise that drifts with a velocity. In a loop it fades, over the period, into itself one period earlier.
fn drifting2(p: vec2f, velocity: vec2f) -> f32 {
  let now = noise2(p - velocity * u_frame.eye.w);
  let period = u_frame.glow.w;
  if (period <= 0.0) {
    return now;
  }
  let phase = fract(u_frame.eye.w / period);
  let ago = noise2(p - velocity * (phase - 1.0) * period);
  return mix(noise2(p - velocity * phase * period), ago, phase);
}

// A pace, rad/s, that fits a loop a whole number of times.
fn looped(pace: f32) -> f32 {
  let period = u_frame.glow.w;
  return select(pace, max(round(pace * period / 6.2831853), 1.0) * 6.2831853 / max(period, 1e-3), period > 0.0);
}
