// Leaves for the impostor atlas, which is lit later.
// include "render/wgsl/frame.wgsl"
// include "render/wgsl/leaf_cards.wgsl"
// include "render/wgsl/leaf_outline.wgsl"
// include "render/wgsl/leaf_shading.wgsl"
// include "render/wgsl/plant_shading.wgsl"

struct Card {
  @builtin(position) position: vec4f,
  @location(0) uv: vec2f,
  @location(1) @interpolate(flat) place: u32,
  @location(2) @interpolate(flat) across: vec3f,
  @location(3) @interpolate(flat) along: vec3f,
  @location(4) @interpolate(flat) kind: u32,
  @location(5) @interpolate(flat) random: u32,
  @location(6) @interpolate(flat) small: f32,
};

@vertex
fn vs_atlas(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> Card {
  let corner = leaf_corner(vertex, slot);
  return Card(
    u_frame.view_proj * vec4f(corner.world, 1.0), corner.uv, corner.place, corner.across, corner.along, corner.kind, corner.random,
    corner.small,
  );
}

@fragment
fn fs_atlas(in: Card) -> AtlasTexel {
  let leaf = b_foliage[in.place];
  let texel = textureSample(t_leaf, smp_leaf, in.uv, min(in.kind, STEM - 1u));
  let outline = textureSampleLevel(t_leaf, smp_leaf, in.uv, min(in.kind, STEM - 1u), 0.0).a;  // mipmaps are a haze
  if (outline + in.small < 0.5 || is_beside(in.uv)) {
    discard;
  }
  let light = light_of(leaf);
  let slope = (texel.gb * 2.0 - 1.0) * 0.9;
  let own = normalize(cross(in.across, in.along) + slope.x * in.across + slope.y * in.along);
  let side = own * select(-1.0, 1.0, dot(own, u_frame.eye.xyz) > 0.0);
  let n = light_normal(side, crown_normal_of(leaf));
  return AtlasTexel(vec4f(light.albedo * texel.r * card_tint(in.random), 1.0), vec4f(n * 0.5 + 0.5, light.sky.x));
}
