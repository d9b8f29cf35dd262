// Leaves: cards with the outlines of their species, where the deform pass has put them.
// include "render/wgsl/frame.wgsl"
// include "render/wgsl/instance.wgsl"
// include "render/wgsl/leaf_cards.wgsl"
// include "render/wgsl/leaf_outline.wgsl"
// include "render/wgsl/leaf_shading.wgsl"
// include "render/wgsl/light.wgsl"
// include "render/wgsl/cast.wgsl"
// include "render/wgsl/velocity.wgsl"

@group(3) @binding(1) var<storage, read> b_foliage_before: array<LitLeaf>;  // in the frame before, in the same order

// Few numbers go from corner to corner: there are more triangles of leaves than of all else. The light is looked up.
struct Card {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(perspective, centroid) uv: vec2f,  // the middle of a pixel may lie outside of a leaf smaller than that
  @location(1) @interpolate(flat) place: u32,
  @location(2) shadow: vec3f,  // place in the shadow map
  @location(3) @interpolate(flat) look: vec4u,  // see `packed_look`
  @location(4) before: vec3f,  // see `seen_before`
};

fn look_of(corner: LeafCorner) -> vec4u {
  let crown = crown_normal_of(b_foliage[corner.place]);
  let normal = cross(corner.across, corner.along);
  let eye = normalize(u_frame.eye.xyz - corner.world);
  let sun = vec3f(dot(corner.across, u_frame.sun.xyz), dot(corner.along, u_frame.sun.xyz), dot(normal, u_frame.sun.xyz));
  let half = normalize(u_frame.sun.xyz + 0.999 * eye);  // against the sun, too, there is a direction
  let shine = vec3f(dot(corner.across, half), dot(corner.along, half), dot(normal, half));
  let mirrored = mirrored_by_wax(dot(half, eye));
  return packed_look(sun, shine, dot(normal, crown), dot(normal, eye), mirrored, corner.random, corner.kind, corner.small);
}

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> Card {
  let corner = leaf_corner(vertex, slot);
  let crown = crown_normal_of(b_foliage[corner.place]);
  var out = Card(u_frame.view_proj * vec4f(corner.world, 1.0), corner.uv, corner.place, in_shadow_map(corner.world, crown), look_of(corner), vec3f(0.0));
  if (OVER_TIME) {
    out.before = seen_before(corner_of(b_foliage_before[corner.place], corner.place, vertex, is_fallen(slot)).world);
  }
  return out;
}

struct CardShadow {
  @builtin(position) position: vec4f,
  @location(0) uv: vec2f,
  @location(1) @interpolate(flat) kind: u32,
  @location(2) @interpolate(flat) small: f32,
};

@vertex
fn vs_shadow(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> CardShadow {
  let corner = leaf_corner(vertex, slot);
  return CardShadow(u_frame.light_proj * vec4f(corner.world, 1.0), corner.uv, corner.kind, corner.small);
}

@vertex
fn vs_planar(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> CardShadow {
  let corner = leaf_corner(vertex, slot);
  return CardShadow(on_ground(corner.world), corner.uv, corner.kind, corner.small);
}

fn is_empty(in: CardShadow) -> bool {
  if (in.small >= 0.5) {
    return is_beside(in.uv);
  }
  let alpha = textureSampleLevel(t_leaf, smp_leaf, in.uv, min(in.kind, STEM - 1u), 0.0).a;
  return is_beside(in.uv) || alpha + in.small < 0.5;
}

@fragment
fn fs_shadow(in: CardShadow) -> @location(0) f32 {
  let depth = cast_depth(in.position.z);
  if (is_empty(in)) {
    discard;
  }
  return depth;
}

@fragment
fn fs_planar(in: CardShadow) -> @location(0) vec4f {
  if (is_empty(in)) {
    discard;
  }
  return vec4f(1.0);
}

// Sharpened to one pixel, so that multisampled coverage has no halo.
fn sharpened(alpha: f32, slope: f32) -> f32 {
  return clamp((alpha - 0.5) / max(slope, 1e-4) + 0.5, 0.0, 1.0);
}

struct SeenLeaf {
  @location(0) light: vec4f,
  @location(1) velocity: vec2f,
  @builtin(sample_mask) samples: u32,
};

// Share of a pixel that a leaf covers, by a texel of its picture, how that changes from pixel to pixel, and its mipmap. An
// outline is as sharp as a pixel where it is coarser than those; to sharpen a finer one would lose its thin parts.
fn leaf_cover(alpha: f32, slope: f32, level: f32, look: vec4u) -> f32 {
  return mix(sharpened(alpha, slope), alpha, fineness(level)) + smallness_in(look);
}

// How much finer than pixels a picture is seen, 0 to 1; needles are in any case.
fn fineness(level: f32) -> f32 {
  return select(smoothstep(0.0, 1.0, level), 1.0, u_cards[p_cards].style.z > 0.0);
}

// Mipmap of a leaf's picture: finer than a pixel by a level, since four samples share a pixel, and boughs should not blur into
// giant leaves. `across` and `down` are changes of the place in the picture from pixel to pixel.
fn leaf_level(across: vec2f, down: vec2f) -> f32 {
  let side = vec2f(textureDimensions(t_leaf));
  return max(log2(max(max(length(across * side), length(down * side)), 1e-6)) - 1.0, 0.0);
}

// Whether it is seen at a pixel that has one sample; leaves one behind another differ.
fn is_leaf_covered(cover: f32, look: vec4u, pixel: vec2f) -> bool {
  return is_covered(cover, pixel + vec2f(vec2u(look.z >> 8u, look.z >> 16u) & vec2u(63u)));
}

@fragment
fn fs_view(in: Card) -> SeenLeaf {
  let leaf = b_foliage[in.place];
  let kind = kind_in(in.look);
  let level = leaf_level(dpdx(in.uv), dpdy(in.uv));
  let texel = textureSampleLevel(t_leaf, smp_leaf, in.uv, min(kind, STEM - 1u), level);
  let alpha = leaf_cover(texel.a, fwidth(texel.a), level, in.look);
  let samples = select(some_samples(min(alpha, 1.0), in.look.z), 15u, OVER_TIME);
  if (samples == 0u || is_beside(in.uv) || !is_leaf_covered(alpha, in.look, in.position.xy)) {
    discard;
  }
  let shade = lit_or(in.shadow, own_light_of(leaf));
  let colour = leaf_light(leaf, texel.rgb, in.look, shade);
  return SeenLeaf(vec4f(colour, 1.0), velocity_of(in.position, in.before), samples);
}

// Leaves of a web page's first picture: lit as a whole, without veins and gloss, by a shader that is soon compiled.
@fragment
fn fs_plain(in: Card) -> Seen {
  let leaf = b_foliage[in.place];
  let kind = kind_in(in.look);
  let alpha = textureSampleLevel(t_leaf, smp_leaf, in.uv, min(kind, STEM - 1u), 0.0).a + smallness_in(in.look);
  if (alpha < 0.5 || is_beside(in.uv)) {
    discard;
  }
  let light = light_of(leaf);
  let toward = abs(unpack4x8snorm(in.look.x).z);
  let crown = max(dot(crown_normal_of(leaf), u_frame.sun.xyz), 0.0);
  let sun = light.sun * lit_or(in.shadow, own_light_of(leaf)) * mix(toward, crown, VOLUME);
  let albedo = select(light.albedo, stem_colour(light.albedo), kind == LEAF_STEM);
  return Seen(vec4f(0.9 * albedo * (light.sky + sun) + light.added, 1.0), vec2f(0.0));
}
