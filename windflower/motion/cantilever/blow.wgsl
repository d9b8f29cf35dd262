// How axes of each band follow the wind: the twin of `CantileverMotion.step`. An invocation takes one instance.
// include "wind/slabs.wgsl"
// include "mechanics/shelter.wgsl"

const BANDS = 3u;  // as in motion/cantilever/branches.py
const MOST = 1e6;  // m/s
override THREADS: u32 = 64u;
override CELLS: u32 = 1u;     // of the crown
override SLABS: bool = true;  // the wind comes from slabs; otherwise from given velocities

struct Stand {
  count: u32,
  steps: u32,       // in this dispatch
  begin: u32,       // the clock when the count of steps is ring.x; see rhythm.wgsl
  tick: u32,        // what a step adds to it …
  rest: f32,        // … and what less than 1 it adds besides
  exponent: f32,    // of streamlining: from 10 m/s on, drag falls as speed^-exponent …
  least: f32,       // … down to this share
  depth: f32,       // -ln of the crown's porosity; 0 if it gives no shelter
  low: vec4f,       // corner of the wind's grid, m; w: the slab, from the first, when the clock stands at ring.x
  pace: vec4f,      // grid points per m; w: slabs per step
  grid: vec4u,      // points along x, y, z
  ring: vec4u,      // a count of steps; where in the ring the first slab is; slabs in the ring
  area: vec4f,      // x: drag area of all cells, m²
};

struct Instance {
  place: vec4f,     // m; w: scale
  turn: vec4f,      // cos and sin of yaw; 1/stiffness
  rhythm: vec4u,    // factor on rhythms, in parts of 256; number; steps taken; clock
};

@group(0) @binding(0) var<uniform> u_stand: Stand;
@group(0) @binding(1) var<storage, read> b_step: array<vec4f>;            // count x bands x 2 rows
@group(0) @binding(2) var<storage, read> b_plant: array<vec4f>;           // cells x (centre, spread²), (area)
@group(0) @binding(3) var<storage, read> b_wind: array<vec4f>;            // slabs x nx x ny x nz; or steps x cells x count; m/s
@group(0) @binding(4) var<storage, read_write> b_instance: array<Instance>;
@group(0) @binding(5) var<storage, read_write> b_push: array<vec4f>;      // count x cells, (m/s)²
@group(0) @binding(6) var<storage, read_write> b_lean: array<vec4f>;      // count x bands x cells x (lean, rate)
@group(0) @binding(7) var<storage, read_write> b_air: array<vec4f>;       // count: mean wind over the cells, m/s

@compute @workgroup_size(THREADS)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) numbers: vec3u) {
  let instance = id.x + id.y * numbers.x * THREADS;
  if (instance >= u_stand.count) { return; }
  let mine = b_instance[instance];
  let taken = mine.rhythm.z - u_stand.ring.x;
  var mean = vec3f(0.0);
  for (var k = 0u; k < u_stand.steps; k++) {
    mean = mean_air(mine, instance, taken + k, k);
    let along = mean / max(length(mean), 1e-20);
    let column = whole_column(along);
    let relative = relative_speed(along, column);
    for (var cell = 0u; cell < CELLS; cell++) {
      var left = 1.0;
      if (CELLS > 1u && u_stand.depth > 0.0 && length(mean) > 0.0) {
        left = exp(-column * columns(along, cell).x) * relative;
      }
      let push = dynamic_wind(air_at(mine, cell, instance, taken + k, k) * left);
      follow(instance, cell, push);
    }
  }
  let now = taken + u_stand.steps;
  b_instance[instance].rhythm.z = mine.rhythm.z + u_stand.steps;
  b_instance[instance].rhythm.w = u_stand.begin + now * u_stand.tick + u32(f32(now) * u_stand.rest);
  b_air[instance] = vec4f(to_world(mine, mean), 0.0);
}

fn to_world(mine: Instance, v: vec3f) -> vec3f {
  return vec3f(mine.turn.x * v.x + mine.turn.y * v.z, v.y, mine.turn.x * v.z - mine.turn.y * v.x);
}

fn to_plant(mine: Instance, v: vec3f) -> vec3f {
  return vec3f(mine.turn.x * v.x - mine.turn.y * v.z, v.y, mine.turn.y * v.x + mine.turn.x * v.z);
}

// The wind at a cell at the end of a step, in the plant's frame: the dispatch's step k, the submission's step `taken`.
fn air_at(mine: Instance, cell: u32, instance: u32, taken: u32, k: u32) -> vec3f {
  var air = vec3f(0.0);
  if (SLABS) {
    let probe = mine.place.xyz + to_world(mine, b_plant[2u * cell].xyz) * mine.place.w;
    air = in_slabs(probe, u_stand.low.w + f32(taken + 1u) * u_stand.pace.w);
  } else {
    air = b_wind[(k * CELLS + cell) * u_stand.count + instance].xyz;
  }
  return clamp(to_plant(mine, air), vec3f(-MOST), vec3f(MOST));
}

fn mean_air(mine: Instance, instance: u32, taken: u32, k: u32) -> vec3f {
  var sum = vec3f(0.0);
  for (var cell = 0u; cell < CELLS; cell++) {
    sum += air_at(mine, cell, instance, taken, k);
  }
  return sum / f32(CELLS);
}

// Optical depth of a unit of column.
fn whole_column(along: vec3f) -> f32 {
  var whole = 0.0;
  for (var cell = 0u; cell < CELLS; cell++) {
    whole += columns(along, cell).y * b_plant[2u * cell + 1u].x;
  }
  return u_stand.depth * u_stand.area.x / max(whole, 1e-20);
}

// What brings the mean square of the cells' shares to 1.
fn relative_speed(along: vec3f, column: f32) -> f32 {
  var square = 0.0;
  for (var cell = 0u; cell < CELLS; cell++) {
    square += exp(-2.0 * column * columns(along, cell).x) * b_plant[2u * cell + 1u].x;
  }
  return inverseSqrt(max(square / u_stand.area.x, 1e-20));
}

// w = s(|v|) |v| v of what reaches a cell.
fn dynamic_wind(v: vec3f) -> vec3f {
  let speed = length(v);
  let streamlined = max(pow(max(speed, 10.0) / 10.0, -u_stand.exponent), u_stand.least);
  return v * (speed * streamlined);
}

// The lean of each band goes on under a push that goes from the one before to this one.
fn follow(instance: u32, cell: u32, push: vec3f) {
  let at = instance * CELLS + cell;
  let before = b_push[at].xyz;
  b_push[at] = vec4f(push, 0.0);
  for (var band = 0u; band < BANDS; band++) {
    let step = (instance * BANDS + band) * 2u;
    let a = b_step[step];
    let b = b_step[step + 1u];
    let mine = ((instance * BANDS + band) * CELLS + cell) * 2u;
    let lean = b_lean[mine].xyz;
    let rate = b_lean[mine + 1u].xyz;
    b_lean[mine] = vec4f(a.x * lean + a.y * rate + a.z * before + a.w * push, 0.0);
    b_lean[mine + 1u] = vec4f(b.x * lean + b.y * rate + b.z * before + b.w * push, 0.0);
  }
}
