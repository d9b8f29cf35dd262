// The three motions of a leaf: the twin of `LeafMotion.angles`, without bindings, so that a vertex shader may use it too.
// include "motion/grains.wgsl"
// include "motion/rhythm.wgsl"

struct Flutter {
  largest: vec4f,    // W of H, V and R, rad; w: lean
  wind: vec4f,       // onset, full, m/s; follow; exponent of noise, below 0 for sines
  turns: vec4u,      // of a rhythm; seed, scrambled; clock; leaves of a plant
  pace: vec2f,       // cycles in a turn; octaves of rise
  periods: u32,      // of all rhythms, that went before
  loops: u32,        // 1 for the clock of a loop
};

const PACES = array<u32, 3>(223u, 256u, 307u);  // of H, V and R, in 256ths
const LEAF_CYCLES = 4.0;    // as in motion/leaves/leaf_motion.py
const SPREAD_LEAST = 210u;
const SPREAD_MORE = 92u;
const WANDERING = 0.3714285714285714;  // as in motion/leaves/flutter.py
const QUIETER = 0.57;

// Θ_H, Θ_V and Θ_R of a leaf, rad; w: Θ_R of a single leaf where this one stands for several.
//   key    of the leaf and its instance, see key_of
//   seen   the wind at the leaf as it sees it, m/s: turned to its own frame
//   loose  1 for a single leaf, less for one that stands for several
fn leaf_angles(how: Flutter, key: u32, seen: vec3f, loose: f32) -> vec4f {
  let speed = length(seen);
  let drive = clamp((speed - how.wind.x) / (how.wind.y - how.wind.x), 0.0, 1.0);
  if (drive <= 0.0) { return vec4f(0.0); }
  let strength = drive * (2.0 - drive);
  let unit = seen / speed;
  var n = vec3f(0.0);
  for (var k = 0u; k < 3u; k++) {  // in a loop, so that there is one copy of it to compile
    n[k] = rhythm(how, PACES[k], key + 1u + k, drive);
  }
  let lean = how.largest.w;
  let aside = how.largest.x * strength * ((1.0 - lean) * n.x - lean * unit.x);
  let up = how.largest.y * strength * ((1.0 - lean) * n.y + lean * unit.z);
  let twist = how.largest.z * strength * n.z + how.wind.z * aside;
  return vec4f(vec3f(aside, up, twist) * loose, twist);
}

// A sine whose phase wanders and whose frequency rises with the wind, or noise that whitens with it; -1 to 1.
fn rhythm(how: Flutter, pace: u32, key: u32, drive: f32) -> f32 {
  let own = scrambled(key);
  let moment = Moment(how.turns.z, how.periods, how.loops);
  if (how.wind.w < 0.0) {
    let spread = SPREAD_LEAST + (((own & 255u) * SPREAD_MORE) >> 8u);
    let cycles = how.pace.x * f32(spread * pace) / 65536.0 * exp2(how.pace.y * (drive - 0.5));
    return fluttering(how.turns.x, scrambled(own), own, moment, cycles);
  }
  let beta = how.wind.w * (1.0 - drive / 2.0);
  let low = max(how.turns.x >> 1u, 1u);
  var total = 0.0;
  var power = 0.0;
  for (var k = 0u; k < OCTAVES; k++) {
    let share = exp2(f32(k) * (1.0 - beta) / 2.0);
    total += share * noise_octave(low << k, scrambled(own + k), 0u, moment, beta);
    power += share * share;
  }
  return clamp(QUIETER * total * inverseSqrt(power * octave_power(beta)), -1.0, 1.0);
}

// ∫ρ^-β dρ from 1 to 2.
fn octave_power(beta: f32) -> f32 {
  let steep = 1.0 - beta;
  if (abs(steep) < 1e-3) { return 0.6931471805599453 + 0.2402265069591007 * steep; }
  return (exp2(steep) - 1.0) / steep;
}

// Rms of Θ_R of single leaves in a wind of this speed, rad: the twin of `Flutter.shimmer`.
fn shimmer_of(how: Flutter, speed: f32) -> f32 {
  let drive = clamp((speed - how.wind.x) / (how.wind.y - how.wind.x), 0.0, 1.0);
  let beat = select(0.5 * QUIETER * QUIETER, WANDERING, how.wind.w < 0.0);
  let lean = how.largest.w;
  let aside = how.wind.z * how.largest.x;
  let square = how.largest.z * how.largest.z * beat + aside * aside * ((1.0 - lean) * (1.0 - lean) * beat + lean * lean / 3.0);
  return drive * (2.0 - drive) * sqrt(square);
}

// The rotation of a leaf in its own frame, a quaternion x, y, z, w: by Θ_H about z, Θ_V about the new x and Θ_R about the new y.
fn fluttered(angles: vec3f) -> vec4f {
  let s = sin(0.5 * angles);
  let c = cos(0.5 * angles);
  let raised = vec4f(c.x * s.y, s.x * s.y, s.x * c.y, c.x * c.y);
  return raised * c.z + s.z * vec4f(-raised.z, raised.w, raised.x, -raised.y);
}
