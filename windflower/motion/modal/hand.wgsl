// A hand on a node, after each step of its plant: the twin of `HandsOnModes.touched` for one hand.
//
// The step has moved the modes under the wind. The hand is a damped spring that is solved together with that step; what it
// pulls moves the modes, and the residual of the node, which the pose takes as three more shapes. Forces act as on the
// shape at rest.
// include "motion/device/lanes.wgsl"
// include "motion/modal/held.wgsl"
// include "motion/poses/large_turns.wgsl"

const THREADS = 64u;

@group(0) @binding(1) var<storage, read> b_step: array<vec4f>;         // as in step.wgsl
@group(0) @binding(2) var<storage, read_write> b_state: array<vec2f>;  // as in step.wgsl
// One group of (amounts + 3) rows x lanes. Lane 0: amounts and rates of the held plant, then pull and its rate, N and N/s;
// lane 1: where the node is, and how far it is displaced, two components a row
@group(0) @binding(3) var<storage, read_write> b_held: array<vec2f>;
@group(0) @binding(4) var<storage, read> b_shape: array<vec4f>;        // as in rotated.wgsl; the last four is the residual's
@group(0) @binding(5) var<storage, read> b_which: array<u32>;          // the amount of each shape
@group(0) @binding(6) var<storage, read> b_lead: array<vec4f>;         // amounts: how each moves the node; path: chord, place

var<workgroup> ends: array<vec4f, THREADS>;

@compute @workgroup_size(THREADS)
fn main(@builtin(local_invocation_index) thread: u32) {
  if (thread == 0u) { lead(); }
  storageBarrier();
  for (var k = thread; k < u_hand.amounts; k += THREADS) {
    b_held[lane_at(0u, k, rows())] = b_state[state_at(k)];
  }
  storageBarrier();
  var end = vec3f(0.0);
  for (var s = thread; s < u_hand.path; s += THREADS) {
    end += turned(b_lead[u_hand.amounts + s]);
  }
  ends[thread] = vec4f(end, 0.0);
  workgroupBarrier();
  if (thread != 0u) { return; }
  var point = u_hand.root;
  for (var k = 0u; k < THREADS; k++) { point += ends[k].xyz; }
  let away = displaced(pull());
  b_held[lane_at(1u, 0u, rows())] = point.xy;
  b_held[lane_at(1u, 1u, rows())] = vec2f(point.z, away.z);
  b_held[lane_at(1u, 2u, rows())] = away.xy;
}

fn rows() -> u32 { return u_hand.amounts + 3u; }
fn state_at(k: u32) -> u32 { return lane_at(u_hand.instance, k, u_hand.amounts); }
fn pull_at(axis: u32) -> u32 { return lane_at(0u, u_hand.amounts + axis, rows()); }
fn pull() -> vec3f { return vec3f(b_held[pull_at(0u)].x, b_held[pull_at(1u)].x, b_held[pull_at(2u)].x); }

// Let the pull ease, and pull anew.
fn lead() {
  if (u_hand.begins == 1u) {
    for (var axis = 0u; axis < 3u; axis++) { b_held[pull_at(axis)] = vec2f(0.0); }
    return;
  }
  let step = steps_at(u_hand.modes + 1u);
  let to_pull = b_step[step];
  let to_rate = b_step[step + LANES];
  for (var axis = 0u; axis < 3u; axis++) {
    let before = b_held[pull_at(axis)];
    b_held[pull_at(axis)] = vec2f(dot(to_pull.xy, before), dot(to_rate.xy, before));
  }
  if (u_hand.spring <= 0.0) { return; }
  let zs = b_held[lane_at(1u, 1u, rows())];
  let point = vec3f(b_held[lane_at(1u, 0u, rows())], zs.x);
  let moved = displaced(pull()) - vec3f(b_held[lane_at(1u, 2u, rows())], zs.y);
  let reach = u_hand.spring * u_hand.late * reached(to_pull.z + to_pull.w);
  let wanted = u_hand.spring * (u_hand.target_point - point - u_hand.late * moved);
  let force = solved(mat3x3f(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0), vec3f(0.0, 0.0, 1.0)) + reach, wanted);
  for (var mode = 0u; mode < u_hand.modes; mode++) {
    b_state[state_at(mode)] += response(mode) * dot(b_lead[mode].xyz, force);
  }
  let held = vec2f(to_pull.z + to_pull.w, to_rate.z + to_rate.w);
  for (var axis = 0u; axis < 3u; axis++) { b_held[pull_at(axis)] += held * force[axis]; }
}

// How far the node is from rest by small turns, m.
fn displaced(pull: vec3f) -> vec3f {
  var away = u_hand.residual * pull;
  for (var k = 0u; k < u_hand.amounts; k++) { away += b_state[state_at(k)].x * b_lead[k].xyz; }
  return away;
}

// By how much a unit force all through the step moves the node, of whose residual it reaches so much.
fn reached(held: f32) -> mat3x3f {
  var sum = held * u_hand.residual;
  for (var mode = 0u; mode < u_hand.modes; mode++) {
    let shape = b_lead[mode].xyz;
    let by = response(mode).x * shape;
    sum += mat3x3f(shape.x * by, shape.y * by, shape.z * by);
  }
  return sum;
}

// What a unit force all through the step adds to a mode and to its rate.
fn response(mode: u32) -> vec2f {
  let step = steps_at(mode);
  let amount = b_step[step];
  let rate = b_step[step + LANES];
  return vec2f(amount.z + amount.w, rate.z + rate.w);
}

fn steps_at(row: u32) -> u32 { return lane_at(u_hand.instance, 2u * row, 2u * (u_hand.modes + 2u)); }

fn solved(matrix: mat3x3f, v: vec3f) -> vec3f {
  let a = cross(matrix[1], matrix[2]);
  let b = cross(matrix[2], matrix[0]);
  let c = cross(matrix[0], matrix[1]);
  return vec3f(dot(a, v), dot(b, v), dot(c, v)) / dot(matrix[0], a);
}

// A segment of the path as it is turned now: xyz its chord, w its place.
fn turned(segment: vec4f) -> vec3f {
  let place = u32(segment.w);
  var r = vec3f(0.0);
  for (var k = 0u; k < u_hand.shapes + 3u; k++) {
    let at = k / 4u * 3u * u_hand.places + place;
    let part = k % 4u;
    let amount = b_held[lane_at(0u, b_which[k], rows())].x;
    r += amount * vec3f(b_shape[at][part], b_shape[at + u_hand.places][part], b_shape[at + 2u * u_hand.places][part]);
  }
  let four = turned_four(segment.xyz, Four(vec4f(r.x), vec4f(r.y), vec4f(r.z)));
  return vec3f(four.x.x, four.y.x, four.z.x);
}
