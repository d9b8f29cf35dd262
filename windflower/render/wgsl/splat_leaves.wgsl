// The shadows of leaves that the deform pass has put in their places.
// include "render/wgsl/cast_splat.wgsl"
// include "render/wgsl/leaves.wgsl"

fn cast_card(a: CardCorner, b: CardCorner, c: CardCorner, first: u32, step: u32) {
  let f = shadow_facet(a.world, b.world, c.world);
  for (var k = first; k < pixels_of(f); k += step) {
    let texel = pixel_of(f, k);
    let shares = shares_at(f, texel);
    let uv = a.uv + shares.x * (b.uv - a.uv) + shares.y * (c.uv - a.uv);
    if (is_within(shares) && !is_beside(uv) && textureSampleLevel(t_leaf, smp_leaf, uv, a.kind, 1.0).a >= 0.5) {
      darken(f, texel, shares);
    }
  }
}

// Every `step`th texel of a leaf.
fn cast_leaf(place: u32, first: u32, step: u32) {
  let corners = u32(u_mesh.style.y);
  let b = corner_at(place * corners + 1u, 0u);
  let c = corner_at(place * corners + 2u, 0u);
  cast_card(corner_at(place * corners, 0u), b, c, first, step);
  if (corners == 4u) {
    cast_card(c, b, corner_at(place * corners + 3u, 0u), first, step);
  }
}

fn is_large(place: u32) -> bool {
  let first = place * u32(u_mesh.style.y);
  return pixels_of(shadow_facet(corner_at(first, 0u).world, corner_at(first + 1u, 0u).world, corner_at(first + 2u, 0u).world)) > LARGE;
}

@compute @workgroup_size(64)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let place = workgroup_number(groups) * TEAM + thread;
  if (place < b_counted[0].y) {
    if (is_large(place)) {
      leave(place);
    } else {
      cast_leaf(place, 0u, 1u);
    }
  }
  workgroupBarrier();
  for (var k = 0u; k < atomicLoad(&w_count); k++) {
    cast_leaf(w_large[k], thread, TEAM);
  }
}
