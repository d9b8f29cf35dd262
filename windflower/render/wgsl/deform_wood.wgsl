// Deform pass, wood: the frames of all segments of a block, once a frame.
// include "render/wgsl/deform.wgsl"
// include "render/wgsl/elements.wgsl"
// include "render/wgsl/wood_elements.wgsl"

@group(3) @binding(0) var<storage, read_write> b_limbs: array<Limb>;

@compute @workgroup_size(64)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let place = workgroup_number(groups) * THREADS + thread;
  let element = element_at(place, u_mesh.parts.x);
  if (element.last || element.slot >= arrayLength(&b_instances) || place >= arrayLength(&b_limbs)) {
    return;
  }
  let segment = b_segments[element.own];
  let strain = vec2f(strain_of(element.slot, segment.node.z), strain_of(element.slot, segment.node.w));
  let width = select(-segment.width.x, segment.width.x, element.own >= u_mesh.parts.y);
  b_limbs[place] = Limb(segment_frame(element.slot, segment), vec4f(strain, bitcast<f32>(element.slot), width));
}
