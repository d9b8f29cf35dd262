// Triangles of leaves as kernels number them, card by card.
//
// A workgroup takes some leaves, and each of its threads works out one of their triangles: the few pixels of most it visits itself,
// the others wait for teams.
// include "render/wgsl/leaves.wgsl"
// include "render/wgsl/splat.wgsl"

const LEAVES = 8u;    // of a workgroup, as in deformed.py
const CREW = 32u;     // threads that share a triangle
const AT_ONCE = 64u;  // triangles, one of each thread
const FEW = 4u;       // pixels

struct LeafTriangle {
  place: u32,   // of the leaf among the elements
  vertex: u32,  // the first of its three
};

struct LeafCorners {
  a: LeafCorner,
  b: LeafCorner,
  c: LeafCorner,
};

fn triangles_of_leaf() -> u32 {
  return (u32(u_mesh.style.y) - 2u) * cards_of_leaf();
}

fn leaf_triangle(place: u32, number: u32) -> LeafTriangle {
  let corners = u32(u_mesh.style.y);
  let each = corners - 2u;  // triangles of a card
  return LeafTriangle(place, number / each * corners + number % each);
}

fn corners_of(own: LeafTriangle) -> LeafCorners {
  let leaf = b_foliage[own.place];
  let fallen = b_counted[0].z == 1u;
  return LeafCorners(
    corner_of(leaf, own.place, own.vertex, fallen),
    corner_of(leaf, own.place, own.vertex + 1u, fallen),
    corner_of(leaf, own.place, own.vertex + 2u, fallen),
  );
}

// Where a corner was in the picture of the frame before.
fn corner_before(own: LeafTriangle, corner: u32) -> vec3f {
  return seen_before(corner_of(b_foliage_before[own.place], own.place, own.vertex + corner, b_counted[0].z == 1u).world);
}
