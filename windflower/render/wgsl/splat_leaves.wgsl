// The shadows of leaves that the deform pass has put in their places.
// include "render/wgsl/cast_splat.wgsl"
// include "render/wgsl/leaves.wgsl"

fn corner_number(place: u32, vertex: u32) -> LeafCorner {
  return corner_of(b_foliage[place], place, vertex, b_counted[0].z == 1u);
}

fn cast_card(a: LeafCorner, b: LeafCorner, c: LeafCorner, first: u32) {
  let f = shadow_facet(a.world, b.world, c.world);
  for (var k = first; k < pixels_of(f); k += TEAM) {
    let texel = pixel_of(f, k);
    let shares = shares_at(f, texel);
    let uv = a.uv + shares.x * (b.uv - a.uv) + shares.y * (c.uv - a.uv);
    if (is_within(shares) && !is_empty(CardShadow(vec4f(0.0), uv, a.kind, a.small))) {
      darken(f, texel, shares);
    }
  }
}

// Every `TEAM`th texel of a leaf.
fn cast_leaf(place: u32, first: u32) {
  let corners = u32(u_mesh.style.y);
  let each = corners - 2u;
  for (var k = 0u; k < each * cards_of_leaf(); k++) {
    let at = k / each * corners + k % each;
    cast_card(corner_number(place, at), corner_number(place, at + 1u), corner_number(place, at + 2u), first);
  }
}

@compute @workgroup_size(64)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let own = member(groups, thread);
  if (own.place < b_counted[0].y) {
    cast_leaf(own.place, own.number);
  }
}
