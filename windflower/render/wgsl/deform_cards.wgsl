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
  let card = card_of(leaf_frame(element.slot, b_leaves[element.own], instance), instance);
  b_foliage[place] = LitLeaf(card.foot, card.across, card.along, vec4u(0u));
}
