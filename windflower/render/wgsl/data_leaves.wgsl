// Data of leaves: of their outlines, without a soft rim.
// include "render/wgsl/data.wgsl"
// include "render/wgsl/leaves.wgsl"

struct LeafPoint {
  @builtin(position) position: vec4f,
  @location(0) world: vec3f,
  @location(1) uv: vec2f,
  @location(2) other: vec3f,
  @location(3) @interpolate(flat) place: u32,
  @location(4) @interpolate(flat) random: u32,
  @location(5) @interpolate(flat) kind: u32,
  @location(6) @interpolate(flat) small: f32,
  @location(7) @interpolate(flat) upper: vec3f,  // normal of the upper side
};

@vertex
fn vs_data(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> LeafPoint {
  let corner = leaf_corner(vertex, slot);
  let then = corner_of(b_foliage_before[corner.place], corner.place, vertex, is_fallen(slot));
  return LeafPoint(
    u_frame.view_proj * vec4f(corner.world, 1.0), corner.world, corner.uv, seen_before(then.world), corner.place,
    corner.random, corner.kind, corner.small, cross(corner.across, corner.along),
  );
}

// Unlit colour of a point, as in `leaf_light`.
fn leaf_albedo(leaf: vec3f, tone: f32, kind: u32, random: u32, is_upper: bool) -> vec3f {
  if (kind == STEM) {
    return stem_colour(leaf);
  }
  let green = leaf * tone * card_tint(random);
  let under = mix(green, vec3f(dot(green, vec3f(0.25, 0.55, 0.2))) * vec3f(1.25, 1.32, 1.2), u_cards[p_cards].style.y);
  return select(under, green, is_upper);
}

// Whether a leaf is there: within its outline. Needles are finer than the samples of a pixel, so where samples are averaged, so
// many of them show needles as these cover of the pixel; other needles others.
fn is_there(in: LeafPoint, outline: f32, cover: f32) -> bool {
  if (FOOTPRINT > 1.0 && u_cards[p_cards].style.z > 0.0 && in.kind != STEM) {
    return cover > threshold(in.position.xy + vec2f(vec2u(in.random, in.random >> 8u) & vec2u(63u)));
  }
  return outline + in.small >= 0.5;
}

@fragment
fn fs_data(in: LeafPoint) -> Data {
  let n = facet_normal(in.world);
  let picture = min(in.kind, STEM - 1u);
  let outline = textureSampleLevel(t_leaf, smp_leaf, in.uv, picture, 0.0).a;
  let texel = textureSampleGrad(t_leaf, smp_leaf, in.uv, picture, dpdx(in.uv) * FOOTPRINT, dpdy(in.uv) * FOOTPRINT);
  if (is_beside(in.uv) || !is_there(in, outline, texel.a)) {
    discard;
  }
  let leaf = b_foliage[in.place];
  let toward = u_frame.eye.xyz - in.world;
  let colour = leaf_albedo(light_of(leaf).albedo, texel.r, in.kind, in.random, dot(in.upper, toward) > 0.0);
  return data_of(Fact(in.position, in.other, n, toward, colour, leaf.more.z, LEAF, 0.0));
}
