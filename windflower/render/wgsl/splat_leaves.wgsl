// The shadows of leaves that the deform pass has put in their places.
// include "render/wgsl/cast_splat.wgsl"
// include "render/wgsl/leaf_triangles.wgsl"

fn cast_triangle(own: LeafTriangle, first: u32) {
  let a = corner_number(own, 0u);
  let b = corner_number(own, 1u);
  let c = corner_number(own, 2u);
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

@compute @workgroup_size(64)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let own = member(groups, thread);
  if (own.place < b_counted[0].y) {
    for (var k = 0u; k < triangles_of_leaf(); k++) {
      cast_triangle(leaf_triangle(own.place, k), own.number);
    }
  }
}
