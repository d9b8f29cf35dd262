// Angles of all leaves of the chosen instances: the twin of `LeafMotion.angles`. An invocation takes one leaf.
// include "core/quaternions.wgsl"
// include "motion/leaves/flutter.wgsl"
// include "motion/places.wgsl"

override THREADS: u32 = 64u;

struct Leaf {
  turn: vec4f,       // quaternion x, y, z, w from the leaf's frame to the plant's, at rest
  exposure: f32,     // wind at the leaf over that at the crown
  loose: f32,        // 1 for a single leaf, less for one that stands for several
};

@group(0) @binding(0) var<uniform> u_flutter: Flutter;
@group(0) @binding(1) var<storage, read> b_leaf: array<Leaf>;
@group(0) @binding(2) var<storage, read> b_slot: array<u32>;           // the instance in each slot
@group(0) @binding(3) var<storage, read> b_place: array<Place>;        // of instances
@group(0) @binding(4) var<storage, read> b_air: array<vec4f>;          // instances: wind over the crown, m/s
@group(0) @binding(5) var<storage, read_write> b_angle: array<vec4f>;  // slots x leaves

@compute @workgroup_size(THREADS)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let leaves = u_flutter.turns.w;
  if (id.x >= leaves) { return; }
  let instance = b_slot[id.y];
  let air = clamp(b_air[instance].xyz, vec3f(-1e6), vec3f(1e6));
  let wind = turned_to_plant(b_place[instance].yaw, air);
  let leaf = b_leaf[id.x];
  let key = key_of(u_flutter.turns.y, instance, id.x);
  b_angle[id.y * leaves + id.x] = leaf_angles(u_flutter, key, back(leaf.turn, wind) * leaf.exposure, leaf.loose);
}
