// One step, or several, of all oscillators of a stand: wind -> push -> modes and static vectors.
//
// The twin of `ModalMotion.step`. A workgroup takes TILE instances of a group through all steps of a dispatch;
// instances do not know of one another, so no workgroup waits for another. Arrays are laid out group by group, lanes
// fastest; within a workgroup, a thread has its lane, and the threads of a lane share out cells and shapes.
// include "core/workgroups.wgsl"
// include "mechanics/shelter.wgsl"
// include "motion/device/lanes.wgsl"
// include "motion/places.wgsl"
// include "motion/poses/large_turns.wgsl"

const THREADS = 128u;
const MOST = 1e15;  // no amount goes beyond, so that no pose is ever infinite

override TILE: u32 = LANES;  // instances of a workgroup: fewer where a crown has many cells, for 16 KiB to hold them

struct Stand {
  modes: u32,
  shapes: u32,      // modes + 3 cells
  steps: u32,       // in this dispatch
  lanes: u32,       // instances, filled up to whole groups
  crown: Crown,
  first: u32,       // the clock at the first of the winds
  points: u32,      // weighted segments on which forces find the posed shape, filled up to a multiple of four; or 0
};

@group(0) @binding(0) var<uniform> u_stand: Stand;
@group(0) @binding(1) var<storage, read> b_wind: array<vec4f>;        // steps x cells x lanes, m/s
// 2: b_plant, where a cell's area is followed by what the wind presses on a sheet's patch (see `pushed`); behind the
//    cells modes x cells projections; then, see `PosedForces`, of each point its chord, of each point its drag beyond,
//    four cells a vec4; shapes x points turns, with the shape's firmness in the w of its first; 3 cells x points duals
@group(0) @binding(3) var<storage, read> b_place: array<Place>;       // lanes
// groups x (modes + 2) x 2 rows x lanes: modes, static vectors, their excess; then groups x modes x 2 rows x lanes of the
// bands
@group(0) @binding(4) var<storage, read> b_step: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> b_clock: array<u32>;   // workgroups: steps taken
// groups x shapes x lanes: amount, rate; then groups x modes x lanes: slow part and band of the modal force; then groups
// x shapes x lanes: excess of the force on the posed shape, 0
@group(0) @binding(6) var<storage, read_write> b_state: array<vec2f>;
// groups x cells x lanes, (m/s)²; then groups x points x lanes: moments of a step, N m
@group(0) @binding(7) var<storage, read_write> b_push: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> b_air: array<vec4f>;   // lanes: mean wind over the cells, m/s

var<workgroup> wind: array<vec4f, CELLS * TILE>;       // m/s, in the plant's frame
var<workgroup> column: array<vec2f, CELLS * TILE>;     // drag area in each cell's column: upwind of it, whole
var<workgroup> push: array<vec4f, 2u * CELLS * TILE>;  // before and after a step, in turns

@compute @workgroup_size(THREADS)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let group = workgroup_number(groups);
  if (group * TILE >= u_stand.lanes) { return; }
  let lane = thread % TILE;
  let row = thread / TILE;
  let rows = THREADS / TILE;
  let instance = group * TILE + lane;
  let place = b_place[instance];
  let clock = b_clock[group];
  var mean = vec3f(0.0);
  for (var cell = row; cell < CELLS; cell += rows) {
    push[cell * TILE + lane] = b_push[lane_at(instance, cell, CELLS)];
  }
  for (var k = 0u; k < u_stand.steps; k++) {
    let before = (k % 2u) * CELLS;
    let after = CELLS - before;
    for (var cell = row; cell < CELLS; cell += rows) {
      let air = b_wind[((clock + k - u_stand.first) * CELLS + cell) * u_stand.lanes + instance].xyz;
      wind[cell * TILE + lane] = vec4f(turned_to_plant(place.yaw, air), 0.0);
    }
    workgroupBarrier();
    mean = mean_wind(lane);
    let shelter = shelter_in(mean, row, lane);
    for (var cell = row; cell < CELLS; cell += rows) {
      let at = cell * TILE + lane;
      var left = 1.0;
      if (shelter.x > 0.0) { left = exp(-shelter.x * column[at].x) * shelter.y; }
      push[after * TILE + at] = vec4f(pushed(cell, wind[at].xyz, left), 0.0);
    }
    workgroupBarrier();
    for (var shape = row; shape < u_stand.shapes; shape += rows) {
      advance(instance, shape, lane, before, after);
    }
    if (u_stand.points > 0u) {
      storageBarrier();
      let strongest = strongest_push(lane, after);
      for (var point = 4u * row; point < u_stand.points; point += 4u * rows) {
        turn_four(instance, point, lane, after);
      }
      storageBarrier();
      for (var shape = 4u * row; shape < u_stand.shapes; shape += 4u * rows) {
        exceed_four(instance, shape, strongest);
      }
    }
    workgroupBarrier();
  }
  let last = (u_stand.steps % 2u) * CELLS;
  for (var cell = row; cell < CELLS; cell += rows) {
    b_push[lane_at(instance, cell, CELLS)] = push[(last + cell) * TILE + lane];
  }
  if (row == 0u) { b_air[instance] = vec4f(turned_to_world(place.yaw, mean), 0.0); }
  storageBarrier();  // all have read the clock
  if (thread == 0u) { b_clock[group] = clock + u_stand.steps; }
}

fn mean_wind(lane: u32) -> vec3f {
  var sum = vec3f(0.0);
  for (var cell = 0u; cell < CELLS; cell++) {
    sum += wind[cell * TILE + lane].xyz;
  }
  return sum / f32(CELLS);
}

// What a wind loses to the cells upwind: x for each unit of their column, 0 for nothing; y the factor that brings the mean
// square of what is left to 1. Columns are left in `column`.
fn shelter_in(mean: vec3f, row: u32, lane: u32) -> vec2f {
  if (CELLS == 1u || u_stand.crown.depth <= 0.0) { return vec2f(0.0, 1.0); }
  let speed = length(mean);
  let along = mean / max(speed, 1e-20);
  for (var cell = row; cell < CELLS; cell += THREADS / TILE) {
    column[cell * TILE + lane] = columns(along, cell);
  }
  workgroupBarrier();
  var whole = 0.0;
  for (var cell = 0u; cell < CELLS; cell++) {
    whole += column[cell * TILE + lane].y * cell_area(cell);
  }
  let depth = u_stand.crown.depth * u_stand.crown.area / whole;
  var square = 0.0;
  for (var cell = 0u; cell < CELLS; cell++) {
    square += exp(-2.0 * depth * column[cell * TILE + lane].x) * cell_area(cell);
  }
  return select(vec2f(0.0, 1.0), vec2f(depth, inverseSqrt(square / u_stand.crown.area)), speed > 0.0);
}

// The dynamic wind on a cell of which so much is left, (m/s)²; on a sheet's patch (|n·v| + λ |v - (n·v) n|) (n·v) n of
// all of it. What stands beside a cell's area is n (1 + λ) there, and 0 elsewhere.
fn pushed(cell: u32, v: vec3f, left: f32) -> vec3f {
  let press = b_plant[2u * cell + 1u].yzw;
  let size = length(press);
  if (size > 0.0) {
    let n = press / size;
    let free = clamp(v, vec3f(-1e6), vec3f(1e6));
    let across = dot(n, free);
    return n * ((abs(across) + (size - 1.0) * length(free - across * n)) * across);
  }
  return dynamic_wind(u_stand.crown, clamp(v * left, vec3f(-1e6), vec3f(1e6)));
}

// The step of one oscillator under a force that goes from the one before to the one after (eq. 8, 16).
fn advance(instance: u32, shape: u32, lane: u32, before: u32, after: u32) {
  var was = 0.0;
  var now = 0.0;
  if (shape < u_stand.modes) {
    for (var cell = 0u; cell < CELLS; cell++) {
      let projection = b_plant[2u * CELLS + shape * CELLS + cell].xyz;
      was += dot(projection, push[(before + cell) * TILE + lane].xyz);
      now += dot(projection, push[(after + cell) * TILE + lane].xyz);
    }
    let felt = admitted(instance, shape, was, now);
    was = felt.x;
    now = felt.y;
  } else {
    let vector = shape - u_stand.modes;
    was = push[(before + vector / 3u) * TILE + lane][vector % 3u];
    now = push[(after + vector / 3u) * TILE + lane][vector % 3u];
  }
  let step = lane_at(instance, 2u * min(shape, u_stand.modes), 2u * (u_stand.modes + 2u));
  let at = lane_at(instance, shape, u_stand.shapes);
  let start = vec4f(b_state[at], was, now);
  var to = vec2f(dot(b_step[step], start), dot(b_step[step + LANES], start));
  if (u_stand.points > 0u) {
    let response = excess_response(instance, shape);
    to += (response.xy + response.zw) * b_state[excess_at(instance, shape)].x;
  }
  b_state[at] = clamp(to, vec2f(-MOST), vec2f(MOST));
}

// The strongest dynamic wind on any cell, (m/s)².
fn strongest_push(lane: u32, after: u32) -> f32 {
  var most = 0.0;
  for (var cell = 0u; cell < CELLS; cell++) {
    most = max(most, length(push[(after + cell) * TILE + lane].xyz));
  }
  return most;
}

// Moments of four weighted segments, turned as where the step ends, less those at rest: see `PosedForces`. Four at a time
// share what they read.
fn turn_four(instance: u32, point: u32, lane: u32, after: u32) {
  var ra = vec3f(0.0); var rb = vec3f(0.0); var rc = vec3f(0.0); var rd = vec3f(0.0);
  for (var shape = 0u; shape < u_stand.shapes; shape++) {
    let amount = b_state[lane_at(instance, shape, u_stand.shapes)].x;
    let row = turn_row(shape) + point;
    ra += amount * b_plant[row].xyz;
    rb += amount * b_plant[row + 1u].xyz;
    rc += amount * b_plant[row + 2u].xyz;
    rd += amount * b_plant[row + 3u].xyz;
  }
  b_push[moment_at(instance, point)] = gained(ra, point, lane, after);
  b_push[moment_at(instance, point + 1u)] = gained(rb, point + 1u, lane, after);
  b_push[moment_at(instance, point + 2u)] = gained(rc, point + 2u, lane, after);
  b_push[moment_at(instance, point + 3u)] = gained(rd, point + 3u, lane, after);
}

fn gained(r: vec3f, point: u32, lane: u32, after: u32) -> vec4f {
  var force = vec3f(0.0);
  for (var cell = 0u; cell < CELLS; cell++) {
    let drag = b_plant[points_begin() + u_stand.points + point * drags() + cell / 4u][cell % 4u];
    force += drag * push[(after + cell) * TILE + lane].xyz;
  }
  let chord = b_plant[points_begin() + point].xyz;
  let still = cross(chord, force);
  return vec4f(moments(chord, r, force, still) - still, 0.0);
}

// What the forces on the posed shape change in the steps of four oscillators: the twin of `ModalMotion._posed`.
fn exceed_four(instance: u32, shape: u32, strongest: f32) {
  let last = u_stand.shapes - 1u;
  let rows = vec4u(dual_row(shape), dual_row(min(shape + 1u, last)), dual_row(min(shape + 2u, last)), dual_row(min(shape + 3u, last)));
  var found = vec4f(0.0);
  for (var point = 0u; point < u_stand.points; point++) {
    let moment = b_push[moment_at(instance, point)].xyz;
    found += vec4f(
      dot(b_plant[rows.x + point].xyz, moment),
      dot(b_plant[rows.y + point].xyz, moment),
      dot(b_plant[rows.z + point].xyz, moment),
      dot(b_plant[rows.w + point].xyz, moment),
    );
  }
  exceed(instance, shape, strongest, found.x);
  exceed(instance, shape + 1u, strongest, found.y);
  exceed(instance, shape + 2u, strongest, found.z);
  exceed(instance, shape + 3u, strongest, found.w);
}

fn exceed(instance: u32, shape: u32, strongest: f32, found: f32) {
  if (shape >= u_stand.shapes) { return; }
  let response = excess_response(instance, shape);
  let firm = 1.0 + (response.x + response.z) * b_plant[turn_row(shape)].w * strongest;
  let at = excess_at(instance, shape);
  let before = b_state[at].x;
  let change = clamp((found - before) * (firm / (1.0 + firm * (firm - 1.0))), -MOST, MOST);
  b_state[at] = vec2f(before + change, 0.0);
  let amount = lane_at(instance, shape, u_stand.shapes);
  b_state[amount] = clamp(b_state[amount] + response.zw * change, vec2f(-MOST), vec2f(MOST));
}

// What a unit of excess at the start of a step and at its end adds to an amount and its rate: two of each.
fn excess_response(instance: u32, shape: u32) -> vec4f {
  let row = select(shape, u_stand.modes + 1u, shape >= u_stand.modes);
  let step = lane_at(instance, 2u * row, 2u * (u_stand.modes + 2u));
  let amount = b_step[step];
  let rate = b_step[step + LANES];
  return vec4f(amount.z, rate.z, amount.w, rate.w);
}

// Where the points begin in b_plant; and the turns of them by a shape, and behind the shapes the duals of static vectors.
fn points_begin() -> u32 { return (2u + u_stand.modes) * CELLS; }
fn turn_row(shape: u32) -> u32 { return points_begin() + (1u + drags() + shape) * u_stand.points; }

fn dual_row(shape: u32) -> u32 {
  return turn_row(select(shape, u_stand.shapes + shape - u_stand.modes, shape >= u_stand.modes));
}

// Rows of four cells.
fn drags() -> u32 { return (CELLS + 3u) / 4u; }

fn excess_at(instance: u32, shape: u32) -> u32 {
  return (u_stand.shapes + u_stand.modes) * u_stand.lanes + lane_at(instance, shape, u_stand.shapes);
}

fn moment_at(instance: u32, point: u32) -> u32 {
  return CELLS * u_stand.lanes + lane_at(instance, point, u_stand.points);
}

// What a mode feels of its force at the start and at the end of the step: see `oscillator.banded` and `Steps.more`.
fn admitted(instance: u32, mode: u32, was: f32, now: f32) -> vec2f {
  let step = 2u * (u_stand.modes + 2u) * u_stand.lanes + lane_at(instance, 2u * mode, 2u * u_stand.modes);
  let at = u_stand.shapes * u_stand.lanes + lane_at(instance, mode, u_stand.modes);
  let before = b_state[at];
  let off = vec3f(before.x - now, before.y, was - now);
  let to_slow = b_step[step];
  let after = vec2f(now + dot(to_slow.xyz, off), dot(b_step[step + LANES].xyz, off));
  b_state[at] = after;
  return vec2f(was, now) + to_slow.w * vec2f(before.y, after.y);
}
