// Noise and rhythms in time, which in a loop repeat with it.
// include "render/wgsl/frame.wgsl"
// include "render/wgsl/noise.wgsl"
// include "motion/rhythm.wgsl"

const FADE = 16.0;  // s at the end of the period of all rhythms

// Noise that drifts with a velocity. In a loop it fades, over the period, into itself one period earlier; otherwise it
// does so at the end of each period of all rhythms, so that no time is ever large.
fn drifting2(p: vec2f, velocity: vec2f) -> f32 {
  let period = repeats_after();
  let time = u_frame.clock.x;
  let fade = select(saturate((time - period + FADE) / FADE), time / period, u_frame.clock.z > 0.0);
  let now = noise2(p - velocity * time);
  if (fade <= 0.0) {
    return now;
  }
  return mix(now, noise2(p - velocity * (time - period)), fade);
}

// Noise that the wind carries: `pace` is its shift, a multiple of 1/32, for each m of the air's path. In a loop it fades
// into itself one period earlier, as strong at every moment.
fn carried2(p: vec2f, pace: f32) -> f32 {
  let now = repeating2(p - pace * u_frame.path.xy);
  if (u_frame.clock.z <= 0.0) {
    return now;
  }
  let fade = u_frame.clock.x / u_frame.clock.z;
  let earlier = repeating2(p - pace * u_frame.path.zw);
  return 0.5 + mix(now - 0.5, earlier - 0.5, fade) / length(vec2f(1.0 - fade, fade));
}

// A pace, rad/s, that fits the period a whole number of times.
fn looped(pace: f32) -> f32 {
  let period = repeats_after();
  return max(round(pace * period / 6.2831853), 1.0) * 6.2831853 / period;
}

// The time after which all that is drawn repeats, s: a loop's, or that of all rhythms.
fn repeats_after() -> f32 {
  return select(RHYTHM_PERIOD, max(u_frame.clock.z, 1e-3), u_frame.clock.z > 0.0);
}
