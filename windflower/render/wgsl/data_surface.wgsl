// Data of sheets: blades of broad leaves, flags, signs.
// include "render/wgsl/data.wgsl"
// include "render/wgsl/surface.wgsl"

struct SheetPoint {
  @builtin(position) position: vec4f,
  @location(0) world: vec3f,
  @location(1) normal: vec3f,
  @location(2) uv: vec2f,
  @location(3) @interpolate(flat) number: u32,
  @location(4) other: vec3f,
  @location(5) @interpolate(flat) label: u32,
};

@vertex
fn vs_data(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> SheetPoint {
  let sheet = sheet_at(vertex, slot);
  let instance = b_instances[slot];
  let then = seen_before(to_world(instance, grid_corner_before(slot, b_vertices[vertex]).point));
  let position = shown(u_frame.view_proj * vec4f(sheet.world, 1.0), slot);
  return SheetPoint(position, sheet.world, sheet.normal, sheet.uv, sheet.number, then, instance.id.z);
}

@fragment
fn fs_data(in: SheetPoint, @builtin(front_facing) front: bool) -> Data {
  let sheet = Sheet(in.position, in.world, in.normal, in.uv, in.number, vec4f(0.0), in.other);
  let colour = albedo_of(sheet, front);
  let part = select(SHEET, LEAF, is_blade());
  return data_of(Fact(in.position, in.other, normalize(in.normal), u_frame.eye.xyz - in.world, colour, in.label, part, 0.0));
}
