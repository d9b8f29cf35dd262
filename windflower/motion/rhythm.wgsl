// Oscillations without a state: the twin of motion/rhythm.py.
// include "core/random.wgsl"

const RHYTHM_PERIOD = 1024.0;  // s after which every rhythm repeats
const VOICES = 5;
const CENTRE = 2;
const APART = 0x9E3779B9u;

// The key of a thing of an instance; `seed` is scrambled already.
fn key_of(seed: u32, instance: u32, number: u32) -> u32 {
  return scrambled(number + scrambled(instance + seed));
}

// The sine of a rhythm; phases are whole numbers of 2^-32 turns and run over at a full turn. Between -π and π, where
// devices' sines are good.
fn sine_of(turns: u32, start: u32, clock: u32) -> f32 {
  return sin(f32(bitcast<i32>(turns * clock + start)) * 1.4629180792671596e-9);
}

// Turns and start of the voice that is `away` octaves from the centre.
fn voice(turns: u32, start: u32, away: i32) -> vec2u {
  let octave = max((turns << u32(away + CENTRE)) >> u32(CENTRE), 1u);
  return vec2u(octave, start * u32(1 + 2 * abs(away)) + bitcast<u32>(away) * APART);
}
