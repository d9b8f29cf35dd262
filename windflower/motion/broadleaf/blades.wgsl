// How blades move with their mid-ribs: the twin of `implicit_lift` and `within_limits`. One workgroup a blade.
// include "core/workgroups.wgsl"
// include "motion/broadleaf/blade_wind.wgsl"
// include "motion/broadleaf/row_frame.wgsl"

const THREADS = 64u;
const ROWS = 65u;         // at most, as in motion/broadleaf/broadleaf_kernels.py
const POINTS = 640u;
const STEEPEST = 0.75;    // as in motion/broadleaf/constraints.py
const STRAIGHT = 1e-9;

@group(0) @binding(6) var<storage, read> b_instance: array<Instance>;
@group(0) @binding(7) var<storage, read> b_pairs: array<f32>;              // count x along x along
@group(0) @binding(8) var<storage, read> b_joint: array<Joint>;            // count x nodes, by depth

var<workgroup> w_centre: array<vec4f, ROWS>;
var<workgroup> w_across: array<vec4f, ROWS>;
var<workgroup> w_along: array<vec4f, ROWS>;
var<workgroup> w_normal: array<vec4f, ROWS>;
var<workgroup> w_bend: array<f32, ROWS>;
var<workgroup> w_twist: array<f32, ROWS>;
var<workgroup> w_slope: array<f32, POINTS>;   // lifts over half widths at first, then slopes of rods
var<workgroup> w_low: array<f32, POINTS>;
var<workgroup> w_high: array<f32, POINTS>;
var<workgroup> w_most: array<f32, POINTS>;

@compute @workgroup_size(THREADS)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let k = workgroup_number(groups);
  if (k >= u_body.count * u_body.blades) { return; }
  let instance = k / u_body.blades;
  let blade = k % u_body.blades;
  let size = u_body.along * u_body.across;
  let first = instance * u_body.stride + u_body.nodes + blade * size;
  let halves = 2u * u_body.along;
  let rods = u_body.across - 1u;  // of both halves of a row
  for (var i = thread; i < u_body.along; i += THREADS) { stand(instance, blade, i); }
  workgroupBarrier();
  for (var i = thread; i + 1u < u_body.along; i += THREADS) { flex(i); }
  for (var p = thread; p < size; p += THREADS) { w_low[p] = want(instance, blade, first, p); }
  workgroupBarrier();
  for (var p = thread; p < size; p += THREADS) { w_high[p] = drawn(instance, blade, p); }
  workgroupBarrier();
  for (var p = thread; p < u_body.along * rods; p += THREADS) { w_slope[p] = slope_of(blade, p); }
  workgroupBarrier();
  for (var p = thread; p < halves; p += THREADS) { bound(blade, p / 2u, p % 2u); }
  workgroupBarrier();
  for (var p = thread; p < (u_body.along - 1u) * rods; p += THREADS) { w_most[p] = change_of(blade, p); }
  workgroupBarrier();
  for (var p = thread; p < rods; p += THREADS) { keep_along(p); }
  workgroupBarrier();
  for (var p = thread; p < halves; p += THREADS) { place(instance, blade, first, p / 2u, p % 2u); }
  if (thread == 0u) { beat(instance, blade); }
}

// The phase of the blade's eddies goes on.
fn beat(instance: u32, blade: u32) {
  let row = blade * u_body.along + u_body.along / 2u;
  let at = phase_at(instance, row);
  let pace = min(b_row[row].pace * length(air_of(instance, row)), FASTEST);
  b_motion[at].w = (b_motion[at].w + b_instance[instance].step * pace) % TURN;
}

fn rod_at(blade: u32, p: u32) -> vec4f {
  let points = 2u * u_body.blades * u_body.along * u_body.across;
  return b_grid[points + blade * u_body.along * (u_body.across - 1u) + p];
}

// Where a row is fixed to its mid-rib, and its frame.
fn stand(instance: u32, blade: u32, i: u32) {
  let row = b_row[blade * u_body.along + i];
  let joints = instance * u_body.nodes;
  let frame = row_frame(b_joint[joints + row.segment.x], b_joint[joints + row.segment.y], row.blend);
  var node = mat4x3f();
  for (var k = 0u; k < 4u; k++) { node[k] = b_points[instance * u_body.stride + row.node[k]].xyz; }
  w_centre[i] = vec4f(row_centre(row, node, frame.along), 0.0);
  w_across[i] = vec4f(frame.across, 0.0);
  w_along[i] = vec4f(frame.along, 0.0);
  w_normal[i] = vec4f(frame.normal, 0.0);
}

// How the mid-rib bends and twists from a row to the next.
fn flex(i: u32) {
  let step = w_centre[i + 1u].xyz - w_centre[i].xyz;
  w_bend[i] = -dot(step, w_normal[i + 1u].xyz - w_normal[i].xyz) / dot(step, step);
  w_twist[i] = dot(w_across[i + 1u].xyz - w_across[i].xyz, w_normal[i + 1u].xyz + w_normal[i].xyz) / 2.0;
}

// Where wind, weight, spring and inertia want a point's lift (eq. 6 to 8), from home and over the half width.
fn want(instance: u32, blade: u32, first: u32, p: u32) -> f32 {
  let i = p / u_body.across;
  let row = blade * u_body.along + i;
  let rest = b_grid[2u * (blade * u_body.along * u_body.across + p)];
  let held = b_grid[2u * (blade * u_body.along * u_body.across + p) + 1u];
  let h = b_instance[instance].step;
  let firm = b_instance[instance].place.stiffness;
  let air = air_of(instance, row);
  let met = met_at(first, i, p % u_body.across, air, eddy_of(instance, row, air), rest.z);
  let normal = w_normal[i].xyz;
  let state = b_motion[first + p];
  let coast = dot(b_points[first + p].xyz + h * state.xyz - w_centre[i].xyz, normal);
  let facing = dot(met.normal, normal);
  let ease = h * held.w;
  let grip = ease * met.grip * facing;
  let pressed = pressed_at(instance, blade * u_body.along * u_body.across + p);
  let push = facing * met.push + dot(pressed.xyz, normal) + rest.w - held.x * normal.y;
  let gain = h * ease * push;
  let stay = h * ease * met.turning * f32(u_body.across) / b_row[row].width;
  let stuck = h * ease * pressed.w;
  let slow = grip * facing;
  let spring = h * h * firm * held.y;
  let brake = h * sqrt(firm) * held.z;
  let there = coast - h * dot(state.xyz, normal);
  let pulled = coast * (1.0 + slow) + gain + spring * rest.x + (brake + stay) * state.w + stuck * there;
  let wanted = pulled / (1.0 + slow + spring + brake + stay + stuck);
  return (wanted - rest.x) / b_row[row].width;
}

// Neighbours along a vein draw a point along (fig. 5): its lift, m.
fn drawn(instance: u32, blade: u32, p: u32) -> f32 {
  let i = p / u_body.across;
  let pairs = (instance * u_body.along + i) * u_body.along;
  var sum = 0.0;
  for (var k = 0u; k < u_body.along; k++) { sum += b_pairs[pairs + k] * w_low[k * u_body.across + p % u_body.across]; }
  let width = b_row[blade * u_body.along + i].width;
  return b_grid[2u * (blade * u_body.along * u_body.across + p)].x + width * sum;
}

// The slope of a rod: p counts rows, then rods from the mid-rib outward, then halves.
fn slope_of(blade: u32, p: u32) -> f32 {
  let rods = u_body.across - 1u;
  let middle = rods / 2u;
  let c = (p % rods) / 2u;
  let row = (p / rods) * u_body.across + middle;
  let outer = select(row - c - 1u, row + c + 1u, p % 2u == 1u);
  let inner = select(row - c, row + c, p % 2u == 1u);
  // The mid-rib itself is not lifted.
  return (w_high[outer] - select(w_high[inner], 0.0, c == 0u)) / rod_at(blade, p).x;
}

// Least and greatest slopes of half a row for the mid-rib's bend; and each rod is near the direction of the one before it.
fn bound(blade: u32, i: u32, half: u32) {
  let rods = u_body.across - 1u;
  let row = b_row[blade * u_body.along + i];
  let last = u_body.along - 2u;
  let before = w_bend[select(i - 1u, 0u, i == 0u)];
  let after = w_bend[min(i, last)];
  let down = 1.0 / max(-min(before, after), STRAIGHT);
  let up = 1.0 / max(max(before, after), STRAIGHT);
  let arm = row.arm;
  let low = max(-min(row.stretch * up, row.shrink * down), -arm);
  let high = min(min(row.stretch * down, row.shrink * up), arm);
  let flat = min(min(low / min(row.low, -1e-30), high / max(row.high, 1e-30)), 1.0);
  var least = 1e30;
  var most = -1e30;
  var inner = 0.0;
  var rest = 0.0;
  for (var p = i * rods + half; p < (i + 1u) * rods; p += 2u) {
    let slope = rod_at(blade, p).y;
    least = min(least, flat * slope);
    most = max(most, flat * slope);
    if (p >= i * rods + 2u) {
      let curl = inner + slope - rest;
      w_slope[p] = clamp(w_slope[p], curl - row.kink, curl + row.kink);
    }
    inner = w_slope[p];
    rest = slope;
  }
  let steep = max((low - flat * row.low) / arm, min(-STEEPEST - least, 0.0));
  let upright = min((high - flat * row.high) / arm, max(STEEPEST - most, 0.0));
  for (var p = i * rods + half; p < (i + 1u) * rods; p += 2u) {
    let kept = flat * rod_at(blade, p).y;
    w_low[p] = kept + steep;
    w_high[p] = kept + upright;
  }
}

// How much a rod's slope may differ from that of the row before: less where it is steep.
fn change_of(blade: u32, p: u32) -> f32 {
  let next = p + u_body.across - 1u;
  return rod_at(blade, p).z * min(level(blade, p), level(blade, next));
}

fn level(blade: u32, p: u32) -> f32 {
  let slope = w_slope[p];
  let rest = rod_at(blade, p).y;
  return sqrt(min((1.0 - min(slope * slope, STEEPEST * STEEPEST)) / (1.0 - rest * rest), 1.0));
}

// Along one vein: bounds take their neighbours' into account, then slopes keep within them and near the row before.
fn keep_along(column: u32) {
  let rods = u_body.across - 1u;
  let side = select(1.0, -1.0, column % 2u == 1u);
  for (var i = 1u; i < u_body.along; i++) {
    let p = i * rods + column;
    let turned = side * w_twist[i - 1u];
    let most = w_most[p - rods];
    w_low[p] = max(w_low[p], w_low[p - rods] + turned - most);
    w_high[p] = min(w_high[p], w_high[p - rods] + turned + most);
  }
  for (var i = u_body.along - 1u; i > 0u; i--) {
    let p = (i - 1u) * rods + column;
    let turned = side * w_twist[i - 1u];
    w_low[p] = max(w_low[p], w_low[p + rods] - turned - w_most[p]);
    w_high[p] = min(w_high[p], w_high[p + rods] - turned + w_most[p]);
  }
  w_slope[column] = min(max(w_slope[column], w_low[column]), w_high[column]);
  for (var i = 1u; i < u_body.along; i++) {
    let p = i * rods + column;
    let near = w_slope[p - rods] + side * w_twist[i - 1u];
    let most = w_most[p - rods];
    w_slope[p] = min(max(w_slope[p], max(w_low[p], near - most)), min(w_high[p], near + most));
  }
}

// Points of half a row, from the mid-rib outward.
fn place(instance: u32, blade: u32, first: u32, i: u32, half: u32) {
  let rods = u_body.across - 1u;
  let middle = first + i * u_body.across + rods / 2u;
  let side = select(-1.0, 1.0, half == 1u);
  var out = 0.0;
  var lift = 0.0;
  if (half == 0u) { settle(instance, blade, first, i, middle, 0.0, 0.0); }
  for (var c = 0u; c < rods / 2u; c++) {
    let p = i * rods + 2u * c + half;
    let rod = rod_at(blade, p).x;
    out += rod * sqrt(1.0 - w_slope[p] * w_slope[p]);
    lift += rod * w_slope[p];
    settle(instance, blade, first, i, select(middle - c - 1u, middle + c + 1u, half == 1u), side * out, lift);
  }
}

fn settle(instance: u32, blade: u32, first: u32, i: u32, point: u32, out: f32, lift: f32) {
  let home = b_grid[2u * (blade * u_body.along * u_body.across + point - first)].y;
  let now = w_centre[i].xyz + home * w_along[i].xyz + out * w_across[i].xyz + lift * w_normal[i].xyz;
  b_motion[point] = vec4f((now - b_points[point].xyz) / b_instance[instance].step, lift);
  b_points[point] = vec4f(now, 0.0);
}
