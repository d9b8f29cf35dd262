// Turns of flat springs summed from parent to child: the twin of `Chains.walk`. A workgroup walks one plant, depth by depth.
// include "core/quaternions.wgsl"
// include "core/workgroups.wgsl"
// include "motion/cantilever/instance.wgsl"
// include "motion/grains.wgsl"
// include "motion/rhythm.wgsl"

const SOFTEST = 0.5;
const LARGEST = 1e9;   // as in motion/cantilever/chains.py
const QUICKER = 256u;  // as in motion/cantilever/cantilever_motion.py
override THREADS: u32 = 64u;
override CELLS: u32 = 1u;

struct Level {
  nodes: u32,
  slots: u32,
  depths: u32,       // how many there are, that of the roots included
  seed: u32,         // scrambled
  swing: f32,
  apart: u32,        // how far segments of an axis begin from one another, in 2^-16 turns
  beta: f32,         // exponent of noise, below 0 for sines
  share: array<vec4f, 2>,  // of each octave of noise
};

struct Node {
  chord: vec3f,      // to the segment's tip, and at a root its place, m
  limit: f32,        // sine of the largest angle
  node: u32,         // its place in the pose …
  parent: u32,       // … and its parent's
  band: u32,
  turns: u32,        // of its rhythm
  number: u32,       // of the node
  axis: u32,
};

@group(0) @binding(0) var<uniform> u_level: Level;
@group(0) @binding(1) var<storage, read> b_begin: array<u32>;           // depths + 1: where each begins in b_node
@group(0) @binding(2) var<storage, read> b_node: array<Node>;           // by depth
@group(0) @binding(3) var<storage, read> b_bend: array<vec4f>;          // nodes x (weight, cells) x 3 rows; w: of the vector v of v ×
@group(0) @binding(4) var<storage, read> b_slot: array<u32>;            // the instance in each slot
@group(0) @binding(5) var<storage, read> b_instance: array<Instance>;
@group(0) @binding(6) var<storage, read> b_lean: array<vec4f>;          // count x bands x cells x (lean, rate)
@group(0) @binding(7) var<storage, read_write> b_frame: array<vec4f>;   // slots x nodes
@group(0) @binding(8) var<storage, read_write> b_points: array<vec4f>;  // slots x nodes

// The walk over the depths stands in every kernel that takes one: WGSL can be handed no function to call at each node.
@compute @workgroup_size(THREADS)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let slot = workgroup_number(groups);
  if (slot >= u_level.slots) { return; }
  let first = slot * u_level.nodes;
  let instance = b_slot[slot];
  for (var depth = 0u; depth < u_level.depths; depth++) {
    let end = b_begin[depth + 1u];
    for (var k = b_begin[depth] + thread; k < end; k += THREADS) {
      if (depth == 0u) { root(first, k); } else { segment(first, instance, k); }
    }
    storageBarrier();
  }
}

fn root(first: u32, k: u32) {
  let node = b_node[k];
  b_frame[first + node.node] = vec4f(0.0, 0.0, 0.0, 1.0);
  b_points[first + node.node] = vec4f(node.chord, 0.0);
}

fn segment(first: u32, instance: u32, k: u32) {
  let node = b_node[k];
  let carried = b_frame[first + node.parent];
  let bend = limited(bend_of(k, node.band, instance, carried), node.limit);
  let from_rest = 2.0 * length(carried.xyz) + length(bend);
  let a = u_level.swing * sqrt(min(from_rest / node.limit, 1.0));
  let turn = limited(bend * (1.0 + a * beat(node, instance)), node.limit);
  let frame = joined(carried, of_turn(turn));
  b_frame[first + node.node] = frame;
  b_points[first + node.node] = vec4f(b_points[first + node.parent].xyz + turned_by(frame, node.chord), 0.0);
}

// δ/l of eq. 3-6 as a vector, in the frame of the parent.
fn bend_of(k: u32, band: u32, instance: u32, carried: vec4f) -> vec3f {
  let softer = 1.0 / b_instance[instance].place.stiffness;
  let down = back(carried, vec3f(0.0, -1.0, 0.0));
  var row = k * 3u * (CELLS + 1u);
  var bent = product(row, down - vec3f(0.0, -1.0, 0.0));
  var held = dot(axial(row), down);
  for (var cell = 0u; cell < CELLS; cell++) {
    row += 3u;
    let force = back(carried, b_lean[((instance * BANDS + band) * CELLS + cell) * 2u].xyz);
    bent += product(row, force);
    held += dot(axial(row), force);
  }
  return clamp(bent * softer / max(1.0 + held * softer, SOFTEST), vec3f(-LARGEST), vec3f(LARGEST));
}

fn product(row: u32, v: vec3f) -> vec3f {
  return vec3f(dot(b_bend[row].xyz, v), dot(b_bend[row + 1u].xyz, v), dot(b_bend[row + 2u].xyz, v));
}

fn axial(row: u32) -> vec3f {
  return vec3f(b_bend[row].w, b_bend[row + 1u].w, b_bend[row + 2u].w);
}

fn limited(turn: vec3f, limit: f32) -> vec3f {
  return turn * min(1.0, limit / max(length(turn), 1e-15));
}

// The oscillation of a segment: sin(2πf t + b), or the noise in its place.
fn beat(node: Node, instance: u32) -> f32 {
  let mine = b_instance[instance];
  let turns = max(node.turns * mine.quicker / QUICKER, 1u);
  let alone = scrambled(key_of(u_level.seed, mine.number, node.number) + 1u);
  let own = key_of(u_level.seed, mine.number, node.axis);
  let apart = (alone >> 16u) * u_level.apart;
  if (u_level.beta < 0.0) { return sine_of(turns, own + apart, mine.clock); }
  let moment = Moment(mine.clock, mine.periods, 0u);
  let low = lowest_octave(turns);
  var total = 0.0;
  for (var k = 0u; k < OCTAVES; k++) {
    total += u_level.share[k / 4u][k % 4u] * noise_octave(low << k, scrambled(own + k), apart, moment, u_level.beta);
  }
  return total;
}
