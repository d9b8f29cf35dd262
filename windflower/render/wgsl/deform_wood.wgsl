// Deform pass, wood: the frames of all segments of a block, once a frame.
// include "render/wgsl/deform.wgsl"
// include "render/wgsl/elements.wgsl"
// include "render/wgsl/wood_elements.wgsl"

@group(3) @binding(0) var<storage, read_write> b_limbs: array<Limb>;

// How much wider wood of this radius is drawn, where only some of the twigs are: see twig_widths.py.
fn drawn_width(radius: f32) -> f32 {
  return 1.0 + u_mesh.style.y * (1.0 - smoothstep(u_mesh.style.z, u_mesh.style.w, radius));
}

@compute @workgroup_size(64)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let place = workgroup_number(groups) * THREADS + thread;
  let element = element_at(place, u_mesh.parts.x);
  if (element.last || element.slot >= arrayLength(&b_instances) || place >= arrayLength(&b_limbs)) {
    return;
  }
  let segment = b_segments[element.own];
  let strain = vec2f(strain_of(element.slot, segment.node.z), strain_of(element.slot, segment.node.w));
  let frame = segment_frame(element.slot, segment);
  let wide = drawn_width(0.5 * (frame.base.w + frame.tip.w));
  let width = select(-wide, wide, element.own >= u_mesh.parts.y);
  b_limbs[place] = Limb(frame, vec4f(strain, bitcast<f32>(element.slot), width));
}
