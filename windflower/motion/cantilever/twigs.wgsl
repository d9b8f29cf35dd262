// The fast small motion of twigs, added to posed nodes in place: the twin of `Twigs.turn` and `Twigs.add`. A workgroup
// takes one plant: from the tips down nodes become chords, which are turned, and from the roots up they are summed again.
// include "core/workgroups.wgsl"
// include "mechanics/crown.wgsl"
// include "motion/places.wgsl"
// include "motion/poses/path_sums.wgsl"
// include "motion/poses/soft_turn.wgsl"
// include "motion/rhythm.wgsl"

const MOST = 0.35;   // as in motion/cantilever/twigs.py

struct Level {
  crown: Crown,
  nodes: u32,
  slots: u32,
  depths: u32,      // how many there are, that of the roots included
  seed: u32,        // scrambled
  clock: u32,
  swing: f32,
};

struct Twig {
  bend: mat3x3f,    // turn for 1 (m/s)² of dynamic wind, rad
  turns: u32,       // of its rhythm
  axis: u32,
};

@group(0) @binding(0) var<uniform> u_level: Level;
@group(0) @binding(4) var<storage, read> b_twig: array<Twig>;           // by depth, as b_order
@group(0) @binding(5) var<storage, read> b_slot: array<u32>;            // the instance in each slot
@group(0) @binding(6) var<storage, read> b_place: array<Place>;         // of instances
@group(0) @binding(7) var<storage, read> b_air: array<vec4f>;           // instances: wind over the crown, m/s

@compute @workgroup_size(THREADS)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let slot = workgroup_number(groups);
  if (slot >= u_level.slots) { return; }
  let first = slot * u_level.nodes;
  let instance = b_slot[slot];
  let push = pushed(instance);
  for (var depth = u_level.depths - 1u; depth > 0u; depth--) {
    let end = b_begin[depth + 1u];
    for (var k = b_begin[depth] + thread; k < end; k += THREADS) {
      let pair = b_order[k];
      let tip = b_points[first + pair.x];
      let chord = tip.xyz - b_points[first + pair.y].xyz;
      b_points[first + pair.x] = vec4f(turned_softly(chord, turn(k, instance, push)), tip.w);
    }
    storageBarrier();
  }
  add_up(first, u_level.depths, thread);
}

// The dynamic wind in the plant's frame, over its stiffness.
fn pushed(instance: u32) -> vec3f {
  let place = b_place[instance];
  let air = clamp(b_air[instance].xyz, vec3f(-1e6), vec3f(1e6));
  return dynamic_wind(u_level.crown, turned_to_plant(place.yaw, air)) / place.stiffness;
}

fn turn(k: u32, instance: u32, push: vec3f) -> vec3f {
  let twig = b_twig[k];
  let beat = u_level.swing * sine_of(twig.turns, key_of(u_level.seed, instance, twig.axis), u_level.clock);
  let turned = clamp(twig.bend * push * beat, vec3f(-1e9), vec3f(1e9));
  return turned * (MOST / max(length(turned), MOST));
}
