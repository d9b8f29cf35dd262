// Leaves for the impostor atlas, which is lit later.
// include "render/wgsl/frame.wgsl"
// include "render/wgsl/noise.wgsl"
// include "render/wgsl/deform.wgsl"
// include "render/wgsl/leaf_outline.wgsl"
// include "render/wgsl/paint.wgsl"
// include "render/wgsl/plant_shading.wgsl"

struct Card {
  @builtin(position) position: vec4f,
  @location(0) normal: vec3f,
  @location(1) uv: vec2f,
  @location(2) @interpolate(flat) tint: vec4f,   // colour of this leaf; openness
  @location(3) crown: vec3f,     // normal of the crown here
  @location(4) @interpolate(flat) kind: u32,
};

@vertex
fn vs_atlas(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> Card {
  let corners = u32(u_mesh.style.y);
  let leaf = b_leaves[vertex / corners];
  let instance = b_instances[slot];
  let kind = leaf_kind(leaf, instance);
  let corner = card_at_corner(kind, vertex % corners);
  let placed = card_corner(leaf_frame(slot, leaf, instance), corner - vec2f(0.5, 0.0));
  let own = own_tint(instance);
  let tint = vec2f(mix(hash(leaf.number * 7u + 1u), own.x, 0.35), mix(hash(leaf.number * 7u + 2u), own.y, 0.45));
  return Card(
    u_frame.view_proj * vec4f(to_world(instance, placed.point), 1.0),
    turned(instance, placed.normal),
    vec2f(corner.x, 1.0 - corner.y),
    vec4f(season_colour(u_mesh.season, leaf_key(instance, leaf)) * leaf_tint(tint), leaf.open),
    turned(instance, (placed.point - u_mesh.crown.xyz) / u_mesh.crown.w),
    kind,
  );
}

@fragment
fn fs_atlas(in: Card, @builtin(front_facing) front: bool) -> AtlasTexel {
  let texel = textureSample(t_leaf, smp_leaf, in.uv, in.kind);
  if (texel.a < 0.5 || is_beside(in.uv)) {
    discard;
  }
  let n = light_normal(normalize(in.normal) * select(-1.0, 1.0, front), in.crown);
  return AtlasTexel(vec4f(in.tint.rgb * texel.rgb, 1.0), vec4f(n * 0.5 + 0.5, in.tint.w));
}
