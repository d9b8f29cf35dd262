// Triangles of leaves as kernels number them, card by card.
// include "render/wgsl/leaves.wgsl"
// include "render/wgsl/splat.wgsl"

struct LeafTriangle {
  place: u32,   // of the leaf among the elements
  vertex: u32,  // the first of its three
};

fn triangles_of_leaf() -> u32 {
  return (u32(u_mesh.style.y) - 2u) * cards_of_leaf();
}

fn leaf_triangle(place: u32, number: u32) -> LeafTriangle {
  let corners = u32(u_mesh.style.y);
  let each = corners - 2u;  // triangles of a card
  return LeafTriangle(place, number / each * corners + number % each);
}

fn corner_number(own: LeafTriangle, corner: u32) -> LeafCorner {
  return corner_of(b_foliage[own.place], own.place, own.vertex + corner, b_counted[0].z == 1u);
}

// Where a corner was in the picture of the frame before.
fn corner_before(own: LeafTriangle, corner: u32) -> vec3f {
  return seen_before(corner_of(b_foliage_before[own.place], own.place, own.vertex + corner, b_counted[0].z == 1u).world);
}
