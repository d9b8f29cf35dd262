// Leaves in the view, by a kernel.
// include "render/wgsl/seen_splat.wgsl"
// include "render/wgsl/leaves.wgsl"

struct LeafFacet {
  f: Facet,
  uv: vec2f,        // at its first corner
  across: vec2f,    // how it changes from pixel to pixel
  down: vec2f,
  level: f32,       // mipmap
};

fn corner_number(place: u32, vertex: u32) -> LeafCorner {
  return corner_of(b_foliage[place], place, vertex, b_counted[0].z == 1u);
}

// Where a corner was in the picture of the frame before.
fn corner_before(place: u32, vertex: u32) -> vec3f {
  return seen_before(corner_of(b_foliage_before[place], place, vertex, b_counted[0].z == 1u).world);
}

fn leaf_facet(a: LeafCorner, b: LeafCorner, c: LeafCorner) -> LeafFacet {
  let p = in_picture(a.world);
  let q = in_picture(b.world);
  let r = in_picture(c.world);
  var found: LeafFacet;
  if (min(p.w, min(q.w, r.w)) < IN_FRONT) {
    return found;
  }
  found.f = facet(p.xyz, q.xyz, r.xyz, u_frame.viewport.xy);
  found.uv = a.uv;
  let second = b.uv - a.uv;
  let third = c.uv - a.uv;
  found.across = second * found.f.to_second.x + third * found.f.to_third.x;
  found.down = second * found.f.to_second.y + third * found.f.to_third.y;
  let side = vec2f(textureDimensions(t_leaf));
  let texels = max(length(found.across * side), length(found.down * side));
  found.level = max(log2(max(texels, 1e-6)) - 1.0, 0.0);
  return found;
}

fn alpha_at(uv: vec2f, kind: u32, level: f32) -> f32 {
  return textureSampleLevel(t_leaf, smp_leaf, uv, kind, level).a;
}

// A triangle of a leaf's cards, from this vertex on.
fn see_card(place: u32, vertex: u32, first: u32) {
  let a = corner_number(place, vertex);
  let b = corner_number(place, vertex + 1u);
  let c = corner_number(place, vertex + 2u);
  let own = leaf_facet(a, b, c);
  let f = own.f;
  let look = look_of(a);
  let picture = min(a.kind, STEM - 1u);
  for (var k = first; k < pixels_of(f); k += TEAM) {
    let pixel = pixel_of(f, k);
    let shares = shares_at(f, pixel);
    let depth = depth_at(f, shares);
    if (!is_within(shares) || !may_be_seen(pixel, depth)) {
      continue;
    }
    let middle = vec2f(pixel) + 0.5;
    let away = middle - f.at.xy;
    let uv = own.uv + own.across * away.x + own.down * away.y;
    let texel = textureSampleLevel(t_leaf, smp_leaf, uv, picture, own.level);
    let slope = abs(alpha_at(uv + own.across, picture, own.level) - texel.a) + abs(alpha_at(uv + own.down, picture, own.level) - texel.a);
    let cover_here = leaf_cover(texel.a, slope, look);
    if (cover_here < 0.02 || is_beside(uv) || !is_leaf_covered(cover_here, look, middle)) {
      continue;
    }
    if (LIT) {
      let leaf = b_foliage[place];
      let world = a.world + shares.x * (b.world - a.world) + shares.y * (c.world - a.world);
      let shade = lit_or(in_shadow_map(world, crown_normal_of(leaf)), own_light_of(leaf));
      let p = corner_before(place, vertex);
      let before = p + shares.x * (corner_before(place, vertex + 1u) - p) + shares.y * (corner_before(place, vertex + 2u) - p);
      colour(pixel, leaf_light(leaf, texel.rgb, look, shade), velocity_of(vec4f(middle, 0.0, 1.0), before));
    } else {
      cover(pixel, depth);
    }
  }
}

// Every `TEAM`th pixel of a leaf.
fn see_leaf(place: u32, first: u32) {
  let corners = u32(u_mesh.style.y);
  let each = corners - 2u;
  for (var k = 0u; k < each * cards_of_leaf(); k++) {
    see_card(place, k / each * corners + k % each, first);
  }
}

@compute @workgroup_size(64)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let own = member(groups, thread);
  if (own.place < b_counted[0].y) {
    see_leaf(own.place, own.number);
  }
}
