// Leaves: cards with the outline of their species, where the deform pass has put them.
// include "render/wgsl/frame.wgsl"
// include "render/wgsl/instance.wgsl"
// include "render/wgsl/deform.wgsl"
// include "render/wgsl/leaf_elements.wgsl"
// include "render/wgsl/leaf_outline.wgsl"
// include "render/wgsl/light.wgsl"
// include "render/wgsl/cast.wgsl"
// include "render/wgsl/velocity.wgsl"

@group(3) @binding(0) var<storage, read> b_foliage: array<LitLeaf>;
@group(3) @binding(1) var<storage, read> b_foliage_before: array<LitLeaf>;  // in the frame before, in the same order

struct CardCorner {
  place: u32,    // of the leaf among the elements
  world: vec3f,
  uv: vec2f,
  kind: u32,
};

fn corner_at(vertex: u32, slot: u32) -> CardCorner {
  let corners = u32(u_mesh.style.y);
  let place = slot * u_mesh.count.w + vertex / corners;
  let leaf = b_foliage[place];
  let kind = kind_of(leaf);
  let corner = card_at_corner(kind, vertex % corners);
  let world = leaf.foot.xyz + (corner.x - 0.5) * leaf.across.xyz + corner.y * leaf.along.xyz;
  return CardCorner(place, world, vec2f(corner.x, 1.0 - corner.y), kind);
}

// How wide a leaf may be seen, m.
fn leaf_width(place: u32) -> f32 {
  let leaf = b_foliage[place];
  return length(leaf.across.xyz) + length(leaf.along.xyz);
}

// Few numbers go from corner to corner: there are more triangles of leaves than of all else. The light is looked up.
struct Card {
  @builtin(position) position: vec4f,
  @location(0) uv: vec2f,
  @location(1) @interpolate(flat) place: u32,
  @location(2) shadow: vec3f,  // place in the shadow map
};

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> Card {
  let corner = corner_at(vertex, slot);
  let n = light_normal_of(b_foliage[corner.place]);
  return Card(u_frame.view_proj * vec4f(corner.world, 1.0), corner.uv, corner.place, in_shadow_map(corner.world, n));
}

struct CardShadow {
  @builtin(position) position: vec4f,
  @location(0) uv: vec2f,
  @location(1) @interpolate(flat) kind: u32,
};

@vertex
fn vs_shadow(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> CardShadow {
  let corner = corner_at(vertex, slot);
  return CardShadow(u_frame.light_proj * vec4f(corner.world, 1.0), corner.uv, corner.kind);
}

@fragment
fn fs_shadow(in: CardShadow) -> @location(0) f32 {
  let depth = cast_depth(in.position.z);
  if (is_beside(in.uv) || textureSampleLevel(t_leaf, smp_leaf, in.uv, in.kind, 1.0).a < 0.5) {
    discard;
  }
  return depth;
}

@vertex
fn vs_planar(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> CardShadow {
  let corner = corner_at(vertex, slot);
  return CardShadow(on_ground(corner.world), corner.uv, corner.kind);
}

@fragment
fn fs_planar(in: CardShadow) -> @location(0) vec4f {
  if (is_beside(in.uv) || textureSampleLevel(t_leaf, smp_leaf, in.uv, in.kind, 1.0).a < 0.5) {
    discard;
  }
  return vec4f(1.0);
}

// Sharpened to one pixel, so that multisampled coverage has no halo.
fn sharpened(alpha: f32, slope: f32) -> f32 {
  return clamp((alpha - 0.5) / max(slope, 1e-4) + 0.5, 0.0, 1.0);
}

// A leaf is flat: where a pixel of it was, its place on the card tells.
fn card_before(place: u32, uv: vec2f) -> vec3f {
  let card = b_foliage_before[place];
  return seen_before(card.foot.xyz + (uv.x - 0.5) * card.across.xyz + (1.0 - uv.y) * card.along.xyz);
}

// Light that a point of a leaf sends to the camera, by its shade in the picture of its card and its place in the shadow map.
fn leaf_light(leaf: LitLeaf, pattern: f32, mapped: vec3f) -> vec3f {
  let light = light_of(leaf);
  let shade = lit_or(mapped, own_light_of(leaf));
  return select(pattern, 1.0, is_painted(leaf)) * (light.sky + light.sun * shade) + light.gleam * shade + light.added;
}

@fragment
fn fs_view(in: Card) -> Seen {
  let leaf = b_foliage[in.place];
  // Finer than a pixel by a level: four samples share it, and boughs do not blur into giant leaves.
  let texel = textureSampleBias(t_leaf, smp_leaf, in.uv, kind_of(leaf), -1.0);
  let alpha = sharpened(texel.a, fwidth(texel.a));
  if (alpha < 0.02 || is_beside(in.uv) || !is_covered(alpha, in.position.xy)) {
    discard;
  }
  return Seen(vec4f(leaf_light(leaf, texel.r, in.shadow), alpha), velocity_of(in.position, card_before(in.place, in.uv)));
}
