// Forces of contact on the points of blades: the twin of `Contacts.pressed`. One invocation a point.
// include "core/workgroups.wgsl"
// include "motion/broadleaf/blade_over.wgsl"

const THREADS = 64u;
const GAP = 0.16;     // as in motion/broadleaf/contact.py
const STIFF = 4.0;
const SHARED = 2.0;
const RUB = 2.5;
const STILL = 0.0003;
const ALONG = 0.8;
const LOSS = 0.1;
const HARD = 0.05;
const SOON = 0.25;
const DEEPEST = 4.0;
const THROUGH = 0.4;
const BEYOND = 1.0;
const GROWN = 0.5;

@group(0) @binding(6) var<storage, read_write> b_air: array<vec4f>;        // count x nodes; then count x points: force, N; stiffness, N/m
// the segments that each point may meet: (end, base: nodes; how near, m; how far the stem goes on, over its length)
@group(0) @binding(7) var<storage, read> b_stem: array<vec4f>;
@group(0) @binding(8) var<storage, read> b_instance: array<Instance>;

// The point that is pushed.
struct Mine {
  place: vec3f,    // m
  velocity: vec3f, // m/s
  still: f32,      // what is slower than this all but sticks, m/s
  step: f32,       // s
};

@compute @workgroup_size(THREADS)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let k = workgroup_number(groups) * THREADS + thread;
  let size = u_body.along * u_body.across;
  let points = u_body.blades * size;
  if (k >= u_body.count * points) { return; }
  let instance = k / points;
  let point = k % points;
  let blade = point / size;
  let at = instance * u_body.stride + u_body.nodes + point;
  let place = b_points[at].xyz;
  let width = blade_number(blade, 0u);
  let firm = STIFF * (wind_on(instance, blade) + blade_number(blade, 3u)) / (GAP * width);  // N/m
  let me = Mine(place, b_motion[at].xyz, STILL * width, b_instance[instance].step);
  let floors = u_body.blades * (u_body.blades + 4u);
  var pressed = HARD * (off_stems(instance, point, me) + off_ground(me, b_meet[floors + point]));
  for (var other = 0u; other < u_body.blades; other++) {
    let pair = blade * u_body.blades + other;
    let side = b_side[instance * u_body.blades * u_body.blades + pair];
    if (abs(side) <= GROWN || far_off(instance, other, place)) { continue; }
    let through = THROUGH * blade_number(other, 0u);
    pressed += off_blade(over_blade(instance, other, place), me, sign(side), b_meet[pair], through) / abs(side);
  }
  b_air[u_body.count * u_body.nodes + k] = firm * pressed;
}

// The most that the wind does to a blade, N.
fn wind_on(instance: u32, blade: u32) -> f32 {
  let speed = b_frame[4u * ((instance * u_body.blades + blade) * u_body.along + u_body.along / 2u)].w;
  return blade_number(blade, 2u) * select(speed * speed, speed, u_body.paper == 1u);
}

// Forces over the stiffness, m, and how much of the stiffness holds: for blades, the ground and stems.
fn off_blade(over: Over, me: Mine, side: f32, gap: f32, through: f32) -> vec4f {
  let depth = clamp(gap - side * over.height, 0.0, DEEPEST * gap);
  if (depth <= 0.0 || over.share <= 0.0) { return vec4f(0.0); }
  let shallow = clamp(2.0 + 2.0 * side * over.height / through, 0.0, 1.0);
  let out = over.share * side * over.uphill + depth * over.fading;  // how share · depth falls
  let steep = dot(out, out);
  let press = over.share * depth;
  let speed = max(length(me.velocity), length(me.velocity - over.along)) + me.still;
  let slow = steep * (SHARED * me.step + LOSS * min(depth / (SOON * gap), 1.0));
  let rub = RUB * press * sqrt(steep) / speed;
  let aside = me.velocity - dot(me.velocity - over.along, out) / max(steep, 1e-12) * out;
  return shallow * vec4f(press * out + ALONG * (slow * aside + rub * over.along), (slow + rub) / me.step);
}

fn off_ground(me: Mine, low: f32) -> vec4f {
  if (me.place.y >= low) { return vec4f(0.0); }
  let aside = ALONG * SHARED * me.step * me.velocity;
  return vec4f(aside.x, low - me.place.y, aside.z, SHARED);
}

fn off_stems(instance: u32, point: u32, me: Mine) -> vec4f {
  let begins = u_body.blades * (u_body.blades + 4u) + u_body.blades * u_body.along * u_body.across;
  var sum = vec4f(0.0);
  for (var s = u32(b_meet[begins + point]); s < u32(b_meet[begins + point + 1u]); s++) {
    let base = b_points[instance * u_body.stride + u32(b_stem[s].y)].xyz;
    let along = b_points[instance * u_body.stride + u32(b_stem[s].x)].xyz - base;
    let share = clamp(dot(me.place - base, along) / dot(along, along), -BEYOND, b_stem[s].w);
    let away = me.place - base - share * along;
    let far = max(length(away), 1e-9);
    if (far >= b_stem[s].z) { continue; }
    let out = away / far;
    let aside = me.velocity - dot(me.velocity, out) * out;
    sum += vec4f((b_stem[s].z - far) * out + ALONG * SHARED * me.step * aside, SHARED);
  }
  return sum;
}
