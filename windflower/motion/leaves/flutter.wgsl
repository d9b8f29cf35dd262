// The three motions of a leaf: the twin of `LeafMotion.angles`, without bindings, so that a vertex shader may use it too.
// include "motion/rhythm.wgsl"

struct Flutter {
  largest: vec4f,    // W of H, V and R, rad; w: lean
  wind: vec4f,       // onset, full, m/s; follow; exponent of noise, below 0 for sines
  turns: vec4u,      // of a rhythm; seed, scrambled; clock; leaves of a plant
};

const SPREAD_LEAST = 179u;  // as in motion/leaves/motion.py
const SPREAD_MORE = 154u;

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
  let base = (how.turns.x * (SPREAD_LEAST + (((key & 255u) * SPREAD_MORE) >> 8u))) >> 8u;
  let n = vec3f(rhythm(how, base, 213u, key + 1u, drive), rhythm(how, base, 256u, key + 2u, drive), rhythm(how, base, 335u, key + 3u, drive));
  let lean = how.largest.w;
  let aside = how.largest.x * strength * ((1.0 - lean) * n.x - lean * unit.x);
  let up = how.largest.y * strength * ((1.0 - lean) * n.y + lean * unit.z);
  let twist = how.largest.z * strength * n.z + how.wind.z * aside;
  return vec4f(vec3f(aside, up, twist) * loose, twist);
}

// A sine whose frequency rises with the wind, octave by octave, or noise that whitens with it; -1 to 1.
fn rhythm(how: Flutter, base: u32, pace: u32, key: u32, drive: f32) -> f32 {
  let turns = max((base * pace) >> 8u, 1u);
  let start = scrambled(key);
  if (how.wind.w < 0.0) {
    let octave = floor(2.0 * drive - 1.0);
    return mix(voiced(how, turns, start, i32(octave)), voiced(how, turns, start, i32(octave) + 1), 2.0 * drive - 1.0 - octave);
  }
  var total = 0.0;
  var whole = 0.0;
  for (var away = -CENTRE; away < VOICES - CENTRE; away++) {
    let share = exp2(f32(away) * (1.0 - how.wind.w * (1.0 - drive / 2.0)) / 2.0);
    total += share * voiced(how, turns, start, away);
    whole += share;
  }
  return total / whole;
}

fn voiced(how: Flutter, turns: u32, start: u32, away: i32) -> f32 {
  let own = voice(turns, start, away);
  return sine_of(own.x, own.y, how.turns.z);
}

// Rms of Θ_R of single leaves in a wind of this speed, rad, if they move by sines: the twin of `Flutter.shimmer`.
fn shimmer_of(how: Flutter, speed: f32) -> f32 {
  let drive = clamp((speed - how.wind.x) / (how.wind.y - how.wind.x), 0.0, 1.0);
  let part = fract(2.0 * drive - 1.0);
  let beat = (part * part + (1.0 - part) * (1.0 - part)) / 2.0;
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
