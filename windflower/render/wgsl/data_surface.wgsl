// Data of sheets: blades of broad leaves, flags, signs.
// include "render/wgsl/data.wgsl"
// include "render/wgsl/surface.wgsl"

@fragment
fn fs_data(in: Sheet, @builtin(front_facing) front: bool) -> Data {
  var sheet = in;
  sheet.paint = vec4f(0.0);
  let part = select(SHEET, LEAF, is_blade());
  return data_of(Fact(in.position, in.before, normalize(in.normal), u_frame.eye.xyz - in.world, albedo_of(sheet, front), in.label, part, 0.0));
}
