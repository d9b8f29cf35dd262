// Deform pass, leaves of the frame before: where their cards were, for velocities. Their light is not asked for.
// include "render/wgsl/elements.wgsl"
// include "render/wgsl/leaf_places.wgsl"

@group(3) @binding(0) var<storage, read_write> b_foliage: array<LitLeaf>;

@compute @workgroup_size(64)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let place = workgroup_number(groups) * THREADS + thread;
  let element = element_at(place, u_mesh.count.w);
  if (element.last || element.slot >= arrayLength(&b_instances) || place >= arrayLength(&b_foliage)) {
    return;
  }
  let instance = b_instances[element.slot];
  let leaf = b_leaves[element.own];
  let frame = leaf_frame(element.slot, leaf, instance);
  let place_then = place_of(frame, leaf, instance);
  let facts = packed_facts(vec3f(0.0, 1.0, 0.0), 0.0, false, frame.card.y);
  b_foliage[place] = LitLeaf(place_then.foot, vec4u(place_then.turn, facts, leaf.number), vec4u(0u), vec4u(0u));
}
