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

fn leaf_facet(a: CardCorner, b: CardCorner, c: CardCorner) -> LeafFacet {
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

fn see_card(place: u32, a: CardCorner, b: CardCorner, c: CardCorner, first: u32, step: u32) {
  let own = leaf_facet(a, b, c);
  let f = own.f;
  for (var k = first; k < pixels_of(f); k += step) {
    let pixel = pixel_of(f, k);
    let shares = shares_at(f, pixel);
    let depth = depth_at(f, shares);
    if (!is_within(shares) || !may_be_seen(pixel, depth)) {
      continue;
    }
    let middle = vec2f(pixel) + 0.5;
    let away = middle - f.at.xy;
    let uv = own.uv + own.across * away.x + own.down * away.y;
    let texel = textureSampleLevel(t_leaf, smp_leaf, uv, a.kind, own.level);
    let slope = abs(alpha_at(uv + own.across, a.kind, own.level) - texel.a) + abs(alpha_at(uv + own.down, a.kind, own.level) - texel.a);
    let alpha = sharpened(texel.a, slope);
    if (alpha < 0.02 || is_beside(uv) || !is_covered(alpha, middle)) {
      continue;
    }
    if (LIT) {
      let leaf = b_foliage[place];
      let world = a.world + shares.x * (b.world - a.world) + shares.y * (c.world - a.world);
      let light = leaf_light(leaf, texel.r, in_shadow_map(world, light_normal_of(leaf)));
      colour(pixel, light, velocity_of(vec4f(middle, 0.0, 1.0), card_before(place, uv)));
    } else {
      cover(pixel, depth);
    }
  }
}

// Every `step`th pixel of a leaf.
fn see_leaf(place: u32, first: u32, step: u32) {
  let corners = u32(u_mesh.style.y);
  let b = corner_at(place * corners + 1u, 0u);
  let c = corner_at(place * corners + 2u, 0u);
  see_card(place, corner_at(place * corners, 0u), b, c, first, step);
  if (corners == 4u) {
    see_card(place, c, b, corner_at(place * corners + 3u, 0u), first, step);
  }
}

fn is_large(place: u32) -> bool {
  let first = place * u32(u_mesh.style.y);
  return pixels_of(leaf_facet(corner_at(first, 0u), corner_at(first + 1u, 0u), corner_at(first + 2u, 0u)).f) > LARGE;
}

@compute @workgroup_size(64)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let place = workgroup_number(groups) * TEAM + thread;
  if (place < b_counted[0].y) {
    if (is_large(place)) {
      leave(place);
    } else {
      see_leaf(place, 0u, 1u);
    }
  }
  workgroupBarrier();
  for (var k = 0u; k < atomicLoad(&w_count); k++) {
    see_leaf(w_large[k], thread, TEAM);
  }
}
