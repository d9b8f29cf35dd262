// One step, or several, of all oscillators of a stand: wind -> push -> modes and static vectors.
//
// The twin of `ModalMotion.step`. A workgroup takes a group of LANES instances through all steps of a dispatch;
// instances do not know of one another, so no workgroup waits for another. Arrays are laid out group by group, lanes
// fastest; within a workgroup, a thread has its lane, and the threads of a lane share out cells and shapes.
// include "mechanics/shelter.wgsl"
// include "wind/slabs.wgsl"

const LANES = 32u;
const THREADS = 128u;
const ROWS = THREADS / LANES;
const MOST = 1e15;  // no amount goes beyond, so that no pose is ever infinite

override CELLS: u32 = 1u;     // of the crown
override SLABS: bool = true;  // the wind comes from slabs; otherwise from given velocities

struct Stand {
  modes: u32,
  shapes: u32,      // modes + 3 cells
  steps: u32,       // in this dispatch
  lanes: u32,       // instances, filled up to whole groups
  exponent: f32,    // of streamlining: from 10 m/s on, drag falls as speed^-exponent …
  least: f32,       // … down to this share
  depth: f32,       // -ln of the crown's porosity; 0 if it gives no shelter
  area: f32,        // drag area of all cells, m²
  low: vec4f,       // corner of the wind's grid, m; w: the slab, from the first, when the clock stands at ring.x
  pace: vec4f,      // grid points per m; w: slabs per step
  grid: vec4u,      // points along x, y, z
  ring: vec4u,      // a clock; where in the ring the first slab is; slabs in the ring
};

struct Place {
  position: vec4f,  // m; w: scale
  turn: vec4f,      // cos and sin of yaw
};

@group(0) @binding(0) var<uniform> u_stand: Stand;
@group(0) @binding(1) var<storage, read> b_place: array<Place>;
@group(0) @binding(2) var<storage, read> b_step: array<vec4f>;        // groups x (modes + 1) x 2 rows x lanes
@group(0) @binding(3) var<storage, read> b_plant: array<vec4f>;       // cells x (centre, spread²), (area, press); modes x cells projections
@group(0) @binding(4) var<storage, read> b_wind: array<vec4f>;        // slabs x nx x ny x nz; or steps x cells x lanes; m/s
@group(0) @binding(5) var<storage, read_write> b_clock: array<u32>;   // groups: steps taken
@group(0) @binding(6) var<storage, read_write> b_state: array<vec2f>; // groups x shapes x lanes: amount, rate
@group(0) @binding(7) var<storage, read_write> b_push: array<vec4f>;  // groups x cells x lanes, (m/s)²
@group(0) @binding(8) var<storage, read_write> b_air: array<vec4f>;   // lanes: mean wind over the cells, m/s

var<workgroup> wind: array<vec4f, CELLS * LANES>;       // m/s, in the plant's frame; w: shelter
var<workgroup> column: array<f32, CELLS * LANES>;       // drag area in each cell's column
var<workgroup> push: array<vec4f, 2u * CELLS * LANES>;  // before and after a step, in turns

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) number: vec3u,
  @builtin(num_workgroups) numbers: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let group = number.x + number.y * numbers.x;
  if (group * LANES >= u_stand.lanes) { return; }
  let lane = thread % LANES;
  let row = thread / LANES;
  let instance = group * LANES + lane;
  let place = b_place[instance];
  let clock = b_clock[group];
  var mean = vec3f(0.0);
  for (var cell = row; cell < CELLS; cell += ROWS) {
    push[cell * LANES + lane] = b_push[(group * CELLS + cell) * LANES + lane];
  }
  for (var k = 0u; k < u_stand.steps; k++) {
    let before = (k % 2u) * CELLS;
    let after = CELLS - before;
    for (var cell = row; cell < CELLS; cell += ROWS) {
      wind[cell * LANES + lane] = vec4f(air_at(place, cell, instance, clock, k), 1.0);
    }
    workgroupBarrier();
    mean = mean_wind(lane);
    if (CELLS > 1u && u_stand.depth > 0.0) { shelter(mean, row, lane); }
    for (var cell = row; cell < CELLS; cell += ROWS) {
      push[(after + cell) * LANES + lane] = dynamic_wind(wind[cell * LANES + lane], b_plant[2u * cell + 1u].yzw);
    }
    workgroupBarrier();
    for (var shape = row; shape < u_stand.shapes; shape += ROWS) {
      advance(group, shape, lane, before, after);
    }
    workgroupBarrier();
  }
  let last = (u_stand.steps % 2u) * CELLS;
  for (var cell = row; cell < CELLS; cell += ROWS) {
    b_push[(group * CELLS + cell) * LANES + lane] = push[(last + cell) * LANES + lane];
  }
  if (row == 0u) { b_air[instance] = vec4f(to_world(place, mean), 0.0); }
  if (thread == 0u) { b_clock[group] = clock + u_stand.steps; }
}

fn to_world(place: Place, v: vec3f) -> vec3f {
  return vec3f(place.turn.x * v.x + place.turn.y * v.z, v.y, place.turn.x * v.z - place.turn.y * v.x);
}

fn to_plant(place: Place, v: vec3f) -> vec3f {
  return vec3f(place.turn.x * v.x - place.turn.y * v.z, v.y, place.turn.y * v.x + place.turn.x * v.z);
}

// The wind at a cell at the end of the dispatch's step k, in the plant's frame.
fn air_at(place: Place, cell: u32, instance: u32, clock: u32, k: u32) -> vec3f {
  if (!SLABS) {
    return to_plant(place, b_wind[(k * CELLS + cell) * u_stand.lanes + instance].xyz);
  }
  let probe = place.position.xyz + to_world(place, b_plant[2u * cell].xyz) * place.position.w;
  let slab = u_stand.low.w + f32(clock + k + 1u - u_stand.ring.x) * u_stand.pace.w;
  return to_plant(place, in_slabs(probe, slab));
}

fn mean_wind(lane: u32) -> vec3f {
  var sum = vec3f(0.0);
  for (var cell = 0u; cell < CELLS; cell++) {
    sum += wind[cell * LANES + lane].xyz;
  }
  return sum / f32(CELLS);
}

// Leave the factor on the wind at each cell in the w of `wind`.
fn shelter(mean: vec3f, row: u32, lane: u32) {
  let speed = length(mean);
  let along = mean / max(speed, 1e-20);
  for (var cell = row; cell < CELLS; cell += ROWS) {
    let found = columns(along, cell);
    wind[cell * LANES + lane].w = found.x;
    column[cell * LANES + lane] = found.y;
  }
  workgroupBarrier();
  var whole = 0.0;
  for (var cell = 0u; cell < CELLS; cell++) {
    whole += column[cell * LANES + lane] * b_plant[2u * cell + 1u].x;
  }
  let depth = u_stand.depth * u_stand.area / whole;
  var square = 0.0;
  for (var cell = 0u; cell < CELLS; cell++) {
    square += exp(-2.0 * depth * wind[cell * LANES + lane].w) * b_plant[2u * cell + 1u].x;
  }
  workgroupBarrier();
  let relative = inverseSqrt(square / u_stand.area);
  for (var cell = row; cell < CELLS; cell += ROWS) {
    let left = exp(-depth * wind[cell * LANES + lane].w) * relative;
    wind[cell * LANES + lane].w = select(1.0, left, speed > 0.0);
  }
}

// w = s(|v|) |v| v of what reaches a cell; on a sheet's patch (|n·v| + λ |v - (n·v) n|) (n·v) n. `press` is n (1 + λ)
// there, and 0 elsewhere.
fn dynamic_wind(reaching: vec4f, press: vec3f) -> vec4f {
  let size = length(press);
  if (size > 0.0) {
    let n = press / size;
    let free = clamp(reaching.xyz, vec3f(-1e6), vec3f(1e6));
    let across = dot(n, free);
    return vec4f(n * ((abs(across) + (size - 1.0) * length(free - across * n)) * across), 0.0);
  }
  let v = clamp(reaching.xyz * reaching.w, vec3f(-1e6), vec3f(1e6));
  let speed = length(v);
  let streamlined = max(pow(max(speed, 10.0) / 10.0, -u_stand.exponent), u_stand.least);
  return vec4f(v * (speed * streamlined), 0.0);
}

// The step of one oscillator under a force that goes from the one before to the one after (eq. 8, 16).
fn advance(group: u32, shape: u32, lane: u32, before: u32, after: u32) {
  var was = 0.0;
  var now = 0.0;
  if (shape < u_stand.modes) {
    for (var cell = 0u; cell < CELLS; cell++) {
      let projection = b_plant[2u * CELLS + shape * CELLS + cell].xyz;
      was += dot(projection, push[(before + cell) * LANES + lane].xyz);
      now += dot(projection, push[(after + cell) * LANES + lane].xyz);
    }
  } else {
    let vector = shape - u_stand.modes;
    was = push[(before + vector / 3u) * LANES + lane][vector % 3u];
    now = push[(after + vector / 3u) * LANES + lane][vector % 3u];
  }
  let step = (group * (u_stand.modes + 1u) + min(shape, u_stand.modes)) * 2u * LANES + lane;
  let at = (group * u_stand.shapes + shape) * LANES + lane;
  let start = vec4f(b_state[at], was, now);
  let to = vec2f(dot(b_step[step], start), dot(b_step[step + LANES], start));
  b_state[at] = clamp(to, vec2f(-MOST), vec2f(MOST));
}
