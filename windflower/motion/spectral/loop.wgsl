// Where a loop has come to, for every instance of a stand: amounts and rates of all shapes, and the wind.
//
// The twin of `LoopMotion.amount` and `LoopMotion.air`. Between samples the curve is the cubic that has their values
// and slopes, or a straight line, as printed. A workgroup takes a group of LANES instances; the threads of a lane share out the shapes.
// include "core/workgroups.wgsl"
// include "motion/device/lanes.wgsl"

const THREADS = 128u;
const ROWS = THREADS / LANES;

struct Loop {
  shapes: u32,   // modes + 3 cells
  samples: u32,  // in a period
  lanes: u32,    // instances, filled up to whole groups
  turn: f32,     // how much of the period is over
  pace: f32,     // samples a second
  straight: u32, // 1 for straight lines between samples
};

struct Instance {
  ahead: f32,    // share of the period
  softness: f32, // 1/stiffness
  heading: u32,
};

@group(0) @binding(0) var<uniform> u_loop: Loop;
@group(0) @binding(1) var<storage, read> b_instance: array<Instance>;  // lanes
@group(0) @binding(2) var<storage, read> b_table: array<vec2f>;        // headings x samples x (shapes + 3 of the wind): value, slope
@group(0) @binding(3) var<storage, read_write> b_state: array<vec2f>;  // groups x shapes x lanes: amount, rate
@group(0) @binding(4) var<storage, read_write> b_air: array<vec4f>;    // lanes: mean wind over the crown, m/s

@compute @workgroup_size(THREADS)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let instance = workgroup_number(groups) * LANES + thread % LANES;
  if (instance >= u_loop.lanes) { return; }
  let row = thread / LANES;
  let mine = b_instance[instance];
  let place = fract(u_loop.turn + mine.ahead) * f32(u_loop.samples);
  let before = min(u32(place), u_loop.samples - 1u);
  let columns = u_loop.shapes + 3u;
  let heading = mine.heading * u_loop.samples;
  let first = (heading + before) * columns;
  let second = (heading + (before + 1u) % u_loop.samples) * columns;
  let share = place - f32(before);
  for (var shape = row; shape < u_loop.shapes; shape += ROWS) {
    let value = between(b_table[first + shape], b_table[second + shape], share) * mine.softness;
    b_state[lane_at(instance, shape, u_loop.shapes)] = vec2f(value.x, value.y * u_loop.pace);
  }
  if (row == 0u) {
    var air = vec3f(0.0);
    for (var k = 0u; k < 3u; k++) {
      let column = u_loop.shapes + k;
      air[k] = between(b_table[first + column], b_table[second + column], share).x;
    }
    b_air[instance] = vec4f(air, 0.0);
  }
}

// Value and slope, per sample, of the cubic, or the straight line, from one sample to the next.
fn between(a: vec2f, b: vec2f, x: f32) -> vec2f {
  let rise = b.x - a.x;
  if (u_loop.straight == 1u) { return vec2f(a.x + x * rise, rise); }
  let bend = a.y + b.y - 2.0 * rise;
  let lean = rise - a.y;
  // a + a' x + (lean - bend) x² + bend x³
  let value = a.x + x * (a.y + x * ((lean - bend) + x * bend));
  let slope = a.y + x * (2.0 * (lean - bend) + x * 3.0 * bend);
  return vec2f(value, slope);
}
