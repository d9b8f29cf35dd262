// How limp axes follow the wind through one step: the twin of `Following.step` and `Following.shaken`. An invocation takes
// one chain of one plant, after modal/step.wgsl has left the dynamic wind of each cell of its crown.
// include "core/workgroups.wgsl"
// include "motion/device/lanes.wgsl"
// include "motion/limp/felt.wgsl"
// include "motion/places.wgsl"
// include "motion/rhythm.wgsl"

const THREADS = 64u;
const WOOD = 0.05;      // this and what follows as in motion/limp/following.py
const BUFFET = 0.16;
const LETS_GO = 1.5;
const APART = 0x9E3779B9u;  // as in motion/rhythm.py
const CENTRE = 2u;

struct Follow {
  first: u32,        // instance of the block
  count: u32,        // instances of the block
  chains: u32,       // of a plant
  cells: u32,        // of its crown
  dt: f32,           // s
  clock: u32,        // at the end of the step
  across: u32,       // seeds of the shaking across the wind and along it, scrambled
  along: u32,
};

// How a chain follows: x for its tip, y for its base.
struct Pace {
  square: vec2f,     // ω², 1/s²
  by_weight: vec2f,  // share of it that weight gives
  turns: vec2u,      // of its rhythms
  lay: f32,          // drag over weight, per (m/s)²
  brake: f32,        // 1/s per m/s
  cell: u32,
};

struct Follower {
  tip: vec3f,        // what is felt, (m/s)²
  share: f32,        // of its own turn that it shows
  base: vec3f,
  tip_rate: vec3f,   // (m/s)²/s
  base_rate: vec3f,
  push: vec3f,       // the dynamic wind at the end of the last step
};

struct Swing {
  felt: vec3f,
  rate: vec3f,
};

@group(0) @binding(0) var<uniform> u_follow: Follow;
@group(0) @binding(1) var<storage, read> b_push: array<vec4f>;               // groups x cells x lanes, (m/s)²
@group(0) @binding(2) var<storage, read> b_pace: array<Pace>;                // chains
@group(0) @binding(3) var<storage, read> b_place: array<Place>;              // all instances
@group(0) @binding(4) var<storage, read_write> b_state: array<Follower>;     // all instances x chains
@group(0) @binding(5) var<storage, read_write> b_felt: array<Felt>;          // all instances x chains

@compute @workgroup_size(THREADS)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let item = workgroup_number(groups) * THREADS + thread;
  if (item >= u_follow.count * u_follow.chains) { return; }
  let lane = item / u_follow.chains;
  let chain = item % u_follow.chains;
  let instance = u_follow.first + lane;
  let at = instance * u_follow.chains + chain;
  let pace = b_pace[chain];
  let place = b_place[instance];
  let push = b_push[lane_at(lane, pace.cell, u_follow.cells)].xyz;
  var state = b_state[at];
  let strength = length(push);
  let laid = sqrt(1.0 + pow(pace.lay * strength, 2.0)) - 1.0;
  let square = (pace.square + pace.by_weight * laid) * (place.stiffness / (place.scale * place.scale));
  let gamma = (2.0 * WOOD * sqrt(pace.square) + pace.brake * sqrt(strength)) / place.scale;
  let tip = followed(Swing(state.tip, state.tip_rate), state.push, push, square.x, gamma.x);
  let base = followed(Swing(state.base, state.base_rate), state.push, push, square.y, gamma.y);
  state.share = 1.0 + (state.share - 1.0) * exp(-LETS_GO * u_follow.dt);
  state.tip = tip.felt;
  state.tip_rate = tip.rate;
  state.base = base.felt;
  state.base_rate = base.rate;
  state.push = push;
  b_state[at] = state;
  let shaken_tip = shaken(tip.felt, pace.turns.x, instance, 2u * chain);
  let shaken_base = shaken(base.felt, pace.turns.y, instance, 2u * chain + 1u);
  b_felt[at] = Felt(shaken_tip, state.share, shaken_base, place.stiffness);
}

// By the θ rule: see `_followed_on`.
fn followed(swing: Swing, was: vec3f, now: vec3f, square: f32, gamma: f32) -> Swing {
  let dt = u_follow.dt;
  let after = clamp(sqrt(square) * dt / 2.0, 0.5, 1.0);
  let before = 1.0 - after;
  let beyond = before * was + after * now - swing.felt;
  let slowed = gamma + dt * after * square;
  let rate = ((1.0 - dt * before * slowed) * swing.rate + dt * square * beyond) / (1.0 + dt * after * slowed);
  return Swing(swing.felt + dt * (before * swing.rate + after * rate), rate);
}

fn shaken(felt: vec3f, turns: u32, instance: u32, number: u32) -> vec3f {
  let aside = voices(turns, key_of(u_follow.across, instance, number));
  let on = voices(turns, key_of(u_follow.along, instance, number));
  let upward = vec3f(0.0, 0.5 * length(felt), 0.0);
  return felt + BUFFET * (aside * vec3f(-felt.z, 0.0, felt.x) + on * (upward + 0.5 * felt));
}

// The twin of `coloured`, with the voices of following.py.
fn voices(turns: u32, start: u32) -> f32 {
  var shares = array<f32, 5>(0.35, 0.6, 1.0, 0.6, 0.3);
  var total = 0.0;
  for (var voice = 0u; voice < 5u; voice++) {
    let octave = max((turns << voice) >> CENTRE, 1u);
    let away = select(CENTRE - voice, voice - CENTRE, voice > CENTRE);
    let own = start * (1u + 2u * away) + (voice - CENTRE) * APART;
    total += shares[voice] * sine_of(octave, own, u_follow.clock);
  }
  return total;
}
