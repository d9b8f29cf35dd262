// Triangles of leaves as kernels number them: those of the cards of one leaf follow one another.
// include "render/wgsl/leaves.wgsl"
// include "render/wgsl/splat.wgsl"

struct LeafTriangle {
  place: u32,    // of the leaf among the elements
  vertex: u32,   // the first of its three
  exists: bool,  // the last workgroup has threads to spare
};

fn leaf_triangle(number: u32) -> LeafTriangle {
  let corners = u32(u_mesh.style.y);
  let each = corners - 2u;  // triangles of a card
  let place = number / (each * cards_of_leaf());
  let own = number % (each * cards_of_leaf());
  return LeafTriangle(place, own / each * corners + own % each, place < b_counted[0].y);
}

fn corner_number(own: LeafTriangle, corner: u32) -> LeafCorner {
  return corner_of(b_foliage[own.place], own.place, own.vertex + corner, b_counted[0].z == 1u);
}

// Where a corner was in the picture of the frame before.
fn corner_before(own: LeafTriangle, corner: u32) -> vec3f {
  return seen_before(corner_of(b_foliage_before[own.place], own.place, own.vertex + corner, b_counted[0].z == 1u).world);
}
