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
  for (var k = 0u; k + 2u < corners; k++) {
    let at = place * corners + k;
    see_card(place, corner_at(at, 0u), corner_at(at + 1u, 0u), corner_at(at + 2u, 0u), first, step);
  }
}

@compute @workgroup_size(64)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  begin_splats(thread);
  let place = workgroup_number(groups) * TEAM + thread;
  var own = place < b_counted[0].y;
  if (own && leaf_width(place) > WIDE * u_frame.viewport.z * distance(b_foliage[place].foot.xyz, u_frame.eye.xyz)) {
    leave(place);
    own = false;
  }
  workgroupBarrier();
  // First one's own, then together those that are large.
  for (var k = select(1u, 0u, own); k <= atomicLoad(&w_count); k++) {
    let alone = k == 0u;
    see_leaf(select(w_large[max(k, 1u) - 1u], place, alone), select(thread, 0u, alone), select(TEAM, 1u, alone));
  }
}
