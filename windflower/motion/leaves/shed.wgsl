// Leaves that come off, fall, land and lie: the twin of `Shedding.step` and `Shedding.pose`. An invocation takes one leaf.
// include "core/quaternions.wgsl"
// include "motion/places.wgsl"
// include "motion/rhythm.wgsl"
// include "wind/retarded.wgsl"

const ON_TREE = 0.0;
const IN_AIR = 1.0;
const ON_GROUND = 2.0;
const TAU = 6.283185307179586;
const PI = 3.141592653589793;
override THREADS: u32 = 64u;

struct Stand {
  count: u32,
  leaves: u32,      // of a plant
  nodes: u32,
  seed: u32,        // scrambled
  clock: u32,       // at the end of the step
  dt: f32,          // s; 0 only shows
  rate: f32,        // 1/s
  day: f32,         // of the year; far below 0 for evergreens
  wind: Retarded,   // at the end of the step
  corner: vec2f,    // of the grid of heights, x and z, m
  pace: vec2f,      // its points per m along x and z
  heights: vec2u,   // its points along x and z
};

struct Leaf {
  turn: vec4f,      // quaternion from the leaf's frame to the plant's, at rest
  place: f32,       // on its segment
  exposure: f32,
  tip: u32,         // nodes of its segment
  base: u32,
};

struct Instance {
  place: Place,
  half: vec2f,      // cosine and sine of half its yaw
};

struct Fallen {
  place: vec3f,     // m in the world
  status: f32,
  speed: vec3f,     // m/s
  worn: f32,        // ∫λ dt of what hangs, s since it came off of what does not
  heading: f32,
  roll: f32,
};

struct Card {
  place: vec3f,     // foot, m in the world
  status: f32,
  turn: vec4f,      // orientation in the world; of what hangs only its rest
};

@group(0) @binding(0) var<uniform> u_stand: Stand;
// 1: b_wind
@group(0) @binding(2) var<storage, read> b_leaf: array<Leaf>;
@group(0) @binding(3) var<storage, read> b_instance: array<Instance>;
@group(0) @binding(4) var<storage, read> b_points: array<vec4f>;         // count x nodes, in the plants' own frames
@group(0) @binding(5) var<storage, read> b_ground: array<f32>;           // nx x nz heights, m
@group(0) @binding(6) var<storage, read_write> b_fallen: array<Fallen>;  // count x leaves
@group(0) @binding(7) var<storage, read_write> b_card: array<Card>;      // count x leaves
@group(0) @binding(8) var<storage, read_write> b_gone: array<atomic<u32>>;  // count: leaves that have come off

struct Flight {
  sink: f32,
  tumbles: bool,
  turns: u32,
  start: u32,
  spin: f32,
  grip: f32,
  lies: f32,
};

@compute @workgroup_size(THREADS)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= u_stand.leaves) { return; }
  let at = id.y * u_stand.leaves + id.x;
  let leaf = b_leaf[id.x];
  let instance = b_instance[id.y];
  let key = key_of(u_stand.seed, id.y, id.x);
  var mine = b_fallen[at];
  let first = id.y * u_stand.nodes;
  let foot = in_world(instance.place, mix(b_points[first + leaf.base].xyz, b_points[first + leaf.tip].xyz, leaf.place));
  if (u_stand.dt > 0.0) {
    let hung = mine.status == ON_TREE;
    mine = stepped(mine, leaf, foot, key);
    b_fallen[at] = mine;
    if (hung && mine.status != ON_TREE) { atomicAdd(&b_gone[id.y], 1u); }
  }
  b_card[at] = shown(mine, leaf, instance, foot);
}

fn stepped(before: Fallen, leaf: Leaf, foot: vec3f, key: u32) -> Fallen {
  let status = before.status;
  var probe = before.place;
  if (status == ON_TREE) { probe = foot; }
  probe.y -= ground(probe.xz);  // the wind follows the land
  if (status == ON_GROUND) { probe.y += 0.4; }
  let air = clamp(retarded(u_stand.wind, probe), vec3f(-1e3), vec3f(1e3));
  let flight = flight_of(key);
  var now = before;
  if (status == ON_TREE) {
    now = worn(before, foot, length(air) * leaf.exposure, key);
  } else {
    if (status == IN_AIR) { now = fall(before, flight, air); } else { now = slide(before, flight, air); }
    now.worn = before.worn + u_stand.dt;
  }
  if (now.status != ON_TREE) {
    let floor = ground(now.place.xz) + flight.lies;
    if (now.status == ON_GROUND || now.place.y <= floor) {
      now.place.y = floor;
      now.status = ON_GROUND;
      now.speed.y = 0.0;
    }
  }
  return now;
}

// A leaf that hangs, after the step; it may have come off.
fn worn(before: Fallen, foot: vec3f, speed: f32, key: u32) -> Fallen {
  var now = before;
  now.worn += hazard(key, speed) * u_stand.dt;
  if (now.worn > -log(1.0 - uniform_of(scrambled(key + 11u)))) {
    now = Fallen(foot, IN_AIR, vec3f(0.0), 0.0, TAU * uniform_of(key), 0.0);
  }
  return now;
}

// λ, 1/s.
fn hazard(key: u32, speed: f32) -> f32 {
  let own_day = u_stand.day + 14.0 * (2.0 * uniform_of(scrambled(key + 21u)) - 1.0);
  let x = min(speed, 1e3) / 10.0;
  return u_stand.rate * (smoothstep(268.0, 318.0, own_day) * (0.05 + x * x) + 0.002 * x * x * x * x);
}

fn flight_of(key: u32) -> Flight {
  return Flight(
    0.9 + 0.9 * uniform_of(scrambled(key + 31u)),
    uniform_of(scrambled(key + 32u)) < 0.5,
    900u + (scrambled(key + 33u) >> 16u) * 900u / 65536u,
    scrambled(key + 34u),
    1.2 * (2.0 * uniform_of(scrambled(key + 35u)) - 1.0),
    2.5 + 3.5 * uniform_of(scrambled(key + 36u)),
    0.004 + 0.016 * uniform_of(scrambled(key + 37u)),
  );
}

fn fall(before: Fallen, flight: Flight, air: vec3f) -> Fallen {
  let glide = sine_of(flight.turns, flight.start + (1u << 30u), u_stand.clock);
  let heading = before.heading + flight.spin * u_stand.dt;
  var roll = 0.9 * sine_of(flight.turns, flight.start, u_stand.clock);
  var aside = 0.9 * glide;
  var sink = flight.sink * (0.7 + 0.6 * glide * glide);
  if (flight.tumbles) {
    roll = before.roll + 9.0 * u_stand.dt;
    aside = 0.45;
    sink = flight.sink;
  }
  let wanted = air + vec3f(aside * cos(heading), -sink, -aside * sin(heading));
  return relaxed(before, wanted, before.speed, flight.sink / 9.80665, vec2f(heading, roll));
}

fn slide(before: Fallen, flight: Flight, air: vec3f) -> Fallen {
  let level = air * vec3f(1.0, 0.0, 1.0);
  let speed = length(level);
  let wanted = level * (0.35 * max(speed - flight.grip, 0.0) / max(speed, 1e-20));
  let flat = PI * round(before.roll / PI);
  let roll = flat + (before.roll - flat) * exp(-u_stand.dt / 0.12);
  var now = relaxed(before, wanted, before.speed * vec3f(1.0, 0.0, 1.0), 0.25, vec2f(before.heading, roll));
  now.heading += 2.0 * length(now.speed) * u_stand.dt * flight.spin;
  return now;
}

// After the step of v' = (wanted - v)/time, exactly.
fn relaxed(before: Fallen, wanted: vec3f, speed: vec3f, time: f32, angle: vec2f) -> Fallen {
  let left = exp(-u_stand.dt / time);
  let excess = speed - wanted;
  let place = before.place + wanted * u_stand.dt + excess * (time * (1.0 - left));
  return Fallen(place, before.status, wanted + excess * left, before.worn, angle.x, angle.y);
}

fn ground(at: vec2f) -> f32 {
  let place = clamp((at - u_stand.corner) * u_stand.pace, vec2f(0.0), vec2f(u_stand.heights) - 1.0);
  let low = vec2u(place);
  let high = min(low + 1u, u_stand.heights - 1u);
  let part = place - vec2f(low);
  let near = mix(b_ground[low.x * u_stand.heights.y + low.y], b_ground[low.x * u_stand.heights.y + high.y], part.y);
  let far = mix(b_ground[high.x * u_stand.heights.y + low.y], b_ground[high.x * u_stand.heights.y + high.y], part.y);
  return mix(near, far, part.x);
}

fn shown(mine: Fallen, leaf: Leaf, instance: Instance, foot: vec3f) -> Card {
  let rest = joined(vec4f(0.0, instance.half.y, 0.0, instance.half.x), leaf.turn);
  if (mine.status == ON_TREE) { return Card(foot, ON_TREE, rest); }
  let share = smoothstep(0.0, 0.5, mine.worn);
  let flown = blade(mine.heading, mine.roll);
  let mixed = rest * (1.0 - share) + flown * select(share, -share, dot(rest, flown) < 0.0);
  return Card(mine.place, mine.status, mixed / max(length(mixed), 1e-9));
}

// A leaf that lies level, its upper side to the sky, at a heading and then rolled.
fn blade(heading: f32, roll: f32) -> vec4f {
  let lying = joined(vec4f(0.0, sin(heading / 2.0), 0.0, cos(heading / 2.0)), vec4f(-sqrt(0.5), 0.0, 0.0, sqrt(0.5)));
  return joined(lying, vec4f(0.0, sin(roll / 2.0), 0.0, cos(roll / 2.0)));
}
