// Oscillations without a state: the twin of motion/rhythm.py.
// include "core/random.wgsl"

const RHYTHM_PERIOD = 1024.0;  // s after which every rhythm repeats

// The key of a thing of an instance; `seed` is scrambled already.
fn key_of(seed: u32, instance: u32, number: u32) -> u32 {
  return scrambled(number + scrambled(instance + seed));
}

// The sine of a rhythm; phases are whole numbers of 2^-32 turns and run over at a full turn. Between -π and π, where
// devices' sines are good.
fn sine_of(turns: u32, start: u32, clock: u32) -> f32 {
  return sin(f32(bitcast<i32>(turns * clock + start)) * 1.4629180792671596e-9);
}
