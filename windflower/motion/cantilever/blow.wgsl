// How axes of each band follow the wind: the twin of `CantileverMotion.step`. An invocation takes one instance.
// include "core/workgroups.wgsl"
// include "motion/cantilever/instance.wgsl"
// include "motion/grains.wgsl"
// include "mechanics/shelter.wgsl"

const MOST = 1e6;  // m/s
override THREADS: u32 = 64u;

struct Stand {
  count: u32,
  steps: u32,       // in this dispatch
  begin: u32,       // the clock at the first of the winds; see rhythm.wgsl
  tick: u32,        // what a step adds to it …
  crown: Crown,
  rest: f32,        // … and what less than 1 it adds besides
  first: u32,       // steps that had been taken at the first of the winds
  periods: u32,     // that went before begin; see grains.wgsl
};

@group(0) @binding(0) var<uniform> u_stand: Stand;
@group(0) @binding(1) var<storage, read> b_wind: array<vec4f>;            // steps x cells x count, m/s
// 2: b_plant
@group(0) @binding(3) var<storage, read> b_step: array<vec4f>;            // count x bands x 2 rows
@group(0) @binding(4) var<storage, read_write> b_instance: array<Instance>;
@group(0) @binding(5) var<storage, read_write> b_push: array<vec4f>;      // count x cells, (m/s)²
@group(0) @binding(6) var<storage, read_write> b_lean: array<vec4f>;      // count x bands x cells x (lean, rate)
@group(0) @binding(7) var<storage, read_write> b_air: array<vec4f>;       // count: mean wind over the cells, m/s

@compute @workgroup_size(THREADS)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let instance = workgroup_number(groups) * THREADS + thread;
  if (instance >= u_stand.count) { return; }
  let mine = b_instance[instance];
  let taken = mine.steps - u_stand.first;
  var mean = vec3f(0.0);
  for (var k = 0u; k < u_stand.steps; k++) {
    mean = mean_air(mine.place, instance, taken + k);
    let along = mean / max(length(mean), 1e-20);
    let column = whole_column(along);
    let relative = relative_speed(along, column);
    for (var cell = 0u; cell < CELLS; cell++) {
      var left = 1.0;
      if (CELLS > 1u && u_stand.crown.depth > 0.0 && length(mean) > 0.0) {
        left = exp(-column * columns(along, cell).x) * relative;
      }
      let push = dynamic_wind(u_stand.crown, air_at(mine.place, cell, instance, taken + k) * left);
      follow(instance, cell, push);
    }
  }
  let now = taken + u_stand.steps;
  b_instance[instance].steps = mine.steps + u_stand.steps;
  let gone = now * u_stand.tick;
  let ticked = u_stand.begin + gone;
  let clock = ticked + u32(f32(now) * u_stand.rest);
  b_instance[instance].clock = clock;
  b_instance[instance].periods = u_stand.periods + high_product(now, u_stand.tick) + u32(ticked < gone) + u32(clock < ticked);
  b_air[instance] = vec4f(turned_to_world(mine.place.yaw, mean), 0.0);
}

// The wind at a cell at the end of a step, in the plant's frame.
fn air_at(place: Place, cell: u32, instance: u32, step: u32) -> vec3f {
  let air = b_wind[(step * CELLS + cell) * u_stand.count + instance].xyz;
  return clamp(turned_to_plant(place.yaw, air), vec3f(-MOST), vec3f(MOST));
}

fn mean_air(place: Place, instance: u32, step: u32) -> vec3f {
  var sum = vec3f(0.0);
  for (var cell = 0u; cell < CELLS; cell++) {
    sum += air_at(place, cell, instance, step);
  }
  return sum / f32(CELLS);
}

// Optical depth of a unit of column.
fn whole_column(along: vec3f) -> f32 {
  var whole = 0.0;
  for (var cell = 0u; cell < CELLS; cell++) {
    whole += columns(along, cell).y * cell_area(cell);
  }
  return u_stand.crown.depth * u_stand.crown.area / max(whole, 1e-20);
}

// What brings the mean square of the cells' shares to 1.
fn relative_speed(along: vec3f, column: f32) -> f32 {
  var square = 0.0;
  for (var cell = 0u; cell < CELLS; cell++) {
    square += exp(-2.0 * column * columns(along, cell).x) * cell_area(cell);
  }
  return inverseSqrt(max(square / u_stand.crown.area, 1e-20));
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
