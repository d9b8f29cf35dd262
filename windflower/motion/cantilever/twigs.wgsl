// The fast small motion of twigs, added to posed nodes in place: the twin of `Twigs.turn` and `Twigs.add`. A workgroup
// takes one plant: from the tips down nodes become chords, which are turned, and from the roots up they are summed again.
// include "motion/rhythm.wgsl"

const LIMIT = 2.38;  // as in motion/poses.py
const MOST = 0.35;   // as in motion/cantilever/twigs.py
override THREADS: u32 = 64u;

struct Level {
  nodes: u32,
  slots: u32,
  depths: u32,      // how many there are, that of the roots included
  seed: u32,        // scrambled
  clock: u32,
  swing: f32,
  exponent: f32,    // of streamlining: from 10 m/s on, drag falls as speed^-exponent …
  least: f32,       // … down to this share
};

struct Node {
  id: vec4u,        // node, its parent, turns of its rhythm, its axis
  bend: array<vec4f, 3>,
};

@group(0) @binding(0) var<uniform> u_level: Level;
@group(0) @binding(1) var<storage, read> b_begin: array<u32>;           // depths + 1: where each begins in b_node
@group(0) @binding(2) var<storage, read> b_node: array<Node>;           // by depth
@group(0) @binding(3) var<storage, read> b_slot: array<u32>;            // the instance in each slot
@group(0) @binding(4) var<storage, read> b_instance: array<vec4f>;      // cos and sin of yaw; 1/stiffness
@group(0) @binding(5) var<storage, read> b_air: array<vec4f>;           // instances: wind over the crown, m/s
@group(0) @binding(6) var<storage, read_write> b_points: array<vec4f>;  // slots x nodes

@compute @workgroup_size(THREADS)
fn main(
  @builtin(workgroup_id) number: vec3u,
  @builtin(num_workgroups) numbers: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let slot = number.x + number.y * numbers.x;
  if (slot >= u_level.slots) { return; }
  let first = slot * u_level.nodes;
  let instance = b_slot[slot];
  let push = pushed(instance);
  for (var depth = u_level.depths - 1u; depth > 0u; depth--) {
    let end = b_begin[depth + 1u];
    for (var k = b_begin[depth] + thread; k < end; k += THREADS) {
      let id = b_node[k].id;
      let chord = b_points[first + id.x].xyz - b_points[first + id.y].xyz;
      b_points[first + id.x] = vec4f(placed(chord, turn(k, id, instance, push)), b_points[first + id.x].w);
    }
    storageBarrier();
  }
  for (var depth = 1u; depth < u_level.depths; depth++) {
    let end = b_begin[depth + 1u];
    for (var k = b_begin[depth] + thread; k < end; k += THREADS) {
      let id = b_node[k].id;
      b_points[first + id.x] += vec4f(b_points[first + id.y].xyz, 0.0);
    }
    storageBarrier();
  }
}

// The dynamic wind in the plant's frame, over its stiffness.
fn pushed(instance: u32) -> vec3f {
  let mine = b_instance[instance];
  let air = clamp(b_air[instance].xyz, vec3f(-1e6), vec3f(1e6));
  let wind = vec3f(mine.x * air.x - mine.y * air.z, air.y, mine.y * air.x + mine.x * air.z);
  let speed = length(wind);
  let streamlined = max(pow(max(speed, 10.0) / 10.0, -u_level.exponent), u_level.least);
  return wind * (speed * streamlined * mine.z);
}

fn turn(k: u32, id: vec4u, instance: u32, push: vec3f) -> vec3f {
  let bend = b_node[k].bend;
  let r = vec3f(dot(bend[0].xyz, push), dot(bend[1].xyz, push), dot(bend[2].xyz, push));
  let beat = u_level.swing * sine_of(id.z, key_of(u_level.seed, instance, id.w), u_level.clock);
  let turned = clamp(r * beat, vec3f(-1e9), vec3f(1e9));
  return turned * (MOST / max(length(turned), MOST));
}

// d turned by r, as in rotated.wgsl.
fn placed(d: vec3f, r: vec3f) -> vec3f {
  let square = dot(r, r);
  let soft = 1.0 + square / (LIMIT * LIMIT);
  let h = r * (0.5 * inverseSqrt(soft));
  let across = cross(h, d);
  return d + (across + cross(h, across)) * (2.0 / (1.0 + square / (4.0 * soft)));
}
