// Pixels of leaves in the view: which of them show a leaf, and their light.
// include "render/wgsl/seen_splat.wgsl"
// include "render/wgsl/leaf_triangles.wgsl"

// A triangle over the pixels of the picture.
struct LeafFacet {
  f: Facet,
  uv: vec2f,        // at its first corner
  across: vec2f,    // how it changes from pixel to pixel
  down: vec2f,
  level: f32,       // mipmap
  random: u32,      // as in `packed_look`, and its last number
  kind: u32,
  place: u32,       // see `LeafTriangle`
  vertex: u32,
};

fn leaf_facet(own: LeafTriangle, corners: LeafCorners) -> LeafFacet {
  let p = in_picture(corners.a.world);
  let q = in_picture(corners.b.world);
  let r = in_picture(corners.c.world);
  var found: LeafFacet;
  if (min(p.w, min(q.w, r.w)) < IN_FRONT) {
    return found;
  }
  found.f = facet(p.xyz, q.xyz, r.xyz, u_frame.viewport.xy);
  found.uv = corners.a.uv;
  let second = corners.b.uv - corners.a.uv;
  let third = corners.c.uv - corners.a.uv;
  found.across = second * found.f.to_second.x + third * found.f.to_third.x;
  found.down = second * found.f.to_second.y + third * found.f.to_third.y;
  found.level = leaf_level(found.across, found.down);
  let look = packed_look(vec3f(0.0), vec3f(0.0), 0.0, 0.0, 0.0, corners.a.random, corners.a.kind, corners.a.small);
  found.random = look.z;
  found.kind = look.w;
  found.place = own.place;
  found.vertex = own.vertex;
  return found;
}

fn uv_at(leaf: LeafFacet, pixel: vec2i) -> vec2f {
  let away = vec2f(pixel) + 0.5 - leaf.f.at;
  return leaf.uv + leaf.across * away.x + leaf.down * away.y;
}

fn texel_at(leaf: LeafFacet, uv: vec2f) -> vec4f {
  return textureSampleLevel(t_leaf, smp_leaf, uv, min(leaf.kind & 255u, STEM - 1u), leaf.level);
}

// Whether a pixel within a triangle shows the leaf.
fn shows(leaf: LeafFacet, pixel: vec2i) -> bool {
  let uv = uv_at(leaf, pixel);
  let look = vec4u(0u, 0u, leaf.random, leaf.kind);
  if (is_beside(uv)) {
    return false;
  }
  if (smallness_in(look) >= 1.0) {
    return true;
  }
  let alpha = texel_at(leaf, uv).a;
  var slope = 0.0;
  if (fineness(leaf.level) < 1.0) {
    slope = abs(texel_at(leaf, uv + leaf.across).a - alpha) + abs(texel_at(leaf, uv + leaf.down).a - alpha);
  }
  let share = leaf_cover(alpha, slope, leaf.level, look);
  if (!OVER_TIME) {
    return (some_samples(min(share, 1.0), leaf.random) & 1u) == 1u;
  }
  return share >= 0.02 && is_leaf_covered(share, look, vec2f(pixel) + 0.5);
}

// What all pixels of a triangle share that are lit.
struct LitFacet {
  leaf: LeafFacet,
  world: mat3x3f,   // its corners
  before: mat3x3f,  // see `corner_before`
  look: vec4u,
};

fn lit_facet(own: LeafTriangle) -> LitFacet {
  let corners = corners_of(own);
  let world = mat3x3f(corners.a.world, corners.b.world, corners.c.world);
  let before = mat3x3f(corner_before(own, 0u), corner_before(own, 1u), corner_before(own, 2u));
  return LitFacet(leaf_facet(own, corners), world, before, look_of(corners.a));
}

// A point of a triangle, by the shares of its second and third corner.
fn within(corners: mat3x3f, shares: vec2f) -> vec3f {
  return corners[0] + shares.x * (corners[1] - corners[0]) + shares.y * (corners[2] - corners[0]);
}

// Light and velocity of a pixel.
fn light_pixel(own: LitFacet, pixel: vec2i) {
  let shares = shares_at(own.leaf.f, pixel);
  let leaf = b_foliage[own.leaf.place];
  let shade = lit_or(in_shadow_map(within(own.world, shares), crown_normal_of(leaf)), own_light_of(leaf));
  let light = leaf_light(leaf, texel_at(own.leaf, uv_at(own.leaf, pixel)).rgb, own.look, shade);
  colour(pixel, light, velocity_of(vec4f(vec2f(pixel) + 0.5, 0.0, 1.0), within(own.before, shares)));
}

// Whether a pixel of a triangle shows the leaf, for all that is known, and how far away it is.
struct Shown {
  shown: bool,
  depth: f32,
};

fn shown_at(leaf: LeafFacet, pixel: vec2i) -> Shown {
  let shares = shares_at(leaf.f, pixel);
  let depth = depth_at(leaf.f, shares);
  return Shown(is_within(shares) && may_be_seen(pixel, depth) && shows(leaf, pixel), depth);
}
