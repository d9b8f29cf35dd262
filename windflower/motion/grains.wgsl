// Oscillations in grains: the twin of motion/grains.py.
// include "core/random.wgsl"

const OCTAVES = 8u;
const LEAST_TURNS = 64u;  // of the lowest octave of noise: 1/16 …
const MOST_TURNS = 256u;  // … to 1/4 Hz
const OCTAVES_BELOW = 3u;

struct Moment {
  clock: u32,       // see motion/rhythm.wgsl
  periods: u32,     // of all rhythms, that went before
  loops: u32,       // 1 for the clock of a loop
};

struct Cell {
  now: u32,         // number of the turn …
  next: u32,        // … and of the one after it
  part: u32,        // how far it is gone, in 2^-32
};

// The upper 32 bits of a product.
fn high_product(a: u32, b: u32) -> u32 {
  let low = (a & 0xFFFFu) * (b & 0xFFFFu);
  let first = (a >> 16u) * (b & 0xFFFFu) + (low >> 16u);
  let second = (a & 0xFFFFu) * (b >> 16u) + (first & 0xFFFFu);
  return (a >> 16u) * (b >> 16u) + (first >> 16u) + (second >> 16u);
}

fn cell_of(turns: u32, start: u32, moment: Moment) -> Cell {
  let gone = turns * moment.clock;
  let part = gone + start;
  let now = high_product(turns, moment.clock) + u32(part < gone) + turns * moment.periods;
  if (moment.loops != 0u) { return Cell(now % turns, (now + 1u) % turns, part); }
  return Cell(now, now + 1u, part);
}

// A share of 2^-32 as a number from 0 to 1.
fn share_of(part: u32) -> f32 {
  return f32(part) * 2.3283064365386963e-10;
}

// The sine of a phase in 2^-32 turns. Between -π and π, where devices' sines are good.
fn sine_of_phase(phase: u32) -> f32 {
  return sin(f32(bitcast<i32>(phase)) * 1.4629180792671596e-9);
}

// The phase of a share of turns that may be many, or negative, in 2^-32.
fn phase_of(turns: f32) -> u32 {
  return bitcast<u32>(i32((turns - round(turns)) * 4294967040.0));
}

// A sine of so many cycles a turn whose phase wanders from turn to turn, -1 to 1.
fn fluttering(turns: u32, start: u32, key: u32, moment: Moment, cycles: f32) -> f32 {
  let cell = cell_of(turns, start, moment);
  let here = share_of(cell.part);
  let first = sine_of_phase(scrambled(cell.now + key) + phase_of(cycles * here));
  let second = sine_of_phase(scrambled(cell.next + key) + phase_of(cycles * (here - 1.0)));
  return mix(first, second, here * here * (3.0 - 2.0 * here));
}

fn lowest_octave(turns: u32) -> u32 {
  return clamp(turns >> OCTAVES_BELOW, LEAST_TURNS, MOST_TURNS);
}

// One octave of 1/f^β noise, before its share; `own` is the key of the octave: scrambled(key + octave).
fn noise_octave(turns: u32, own: u32, shift: u32, moment: Moment, beta: f32) -> f32 {
  let cell = cell_of(turns, 0u, moment);
  let here = share_of(cell.part);
  let fade = here * here * (3.0 - 2.0 * here) * 1.5707963267948966;
  let first = scrambled(cell.now + own);
  let second = scrambled(cell.next + own);
  return cos(fade) * grain(first, cell.part, shift, beta) + sin(fade) * grain(second, cell.part, shift - (second << 16u), beta);
}

// A sine of one to two cycles a turn: the lower half of its hash is the frequency, the upper half the phase.
fn grain(hashed: u32, part: u32, shift: u32, beta: f32) -> f32 {
  let phase = (hashed & 0xFFFF0000u) + shift + part + high_product(part, hashed << 16u);
  let pace = 1.0 + f32(hashed & 0xFFFFu) / 65536.0;
  return pow(pace, -0.5 * beta) * sine_of_phase(phase);
}
