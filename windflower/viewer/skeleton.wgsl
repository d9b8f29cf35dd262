// The skeleton as the motion knows it: a line for each segment, from posed node to posed node, in front of everything.
// include "render/wgsl/frame.wgsl"
// include "render/wgsl/noise.wgsl"
// include "render/wgsl/deform.wgsl"
// include "render/wgsl/paint.wgsl"

struct Line {
  @builtin(position) position: vec4f,
  @location(0) colour: vec3f,
};

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> Line {
  let segment = b_segments[vertex / 2u];
  let node = select(segment.node.y, segment.node.z, vertex % 2u == 1u);
  let instance = b_instances[slot];
  let paint = painted(instance, strain_of(slot, segment.node.z));
  let own = mix(vec3f(1.4, 0.9, 0.15), vec3f(0.3, 0.9, 1.4), smoothstep(0.05, 0.005, segment.tangent_a.w));
  let world = to_world(instance, point_of(slot, node));
  return Line(u_frame.view_proj * vec4f(world, 1.0), mix(own, 1.6 * paint.rgb, paint.a));
}

@fragment
fn fs_view(in: Line) -> @location(0) vec4f {
  return vec4f(in.colour, 1.0);
}
