// Elements of a block of posed plants: each segment, or each leaf, of each plant that the block draws.
//
// A deform pass works them out once a frame, and every render pass reads them. Where all plants of a block are alike, the
// elements of a slot follow those of the slot before; where they differ, `b_parts` has a row for each run of elements.
// include "core/workgroups.wgsl"

@group(3) @binding(1) var<storage, read> b_parts: array<vec4u>;  // of the first: rows, elements in all. Then slot, first, count, place of a run

const THREADS = 64u;

struct Element {
  slot: u32,
  own: u32,   // its number in the mesh
  last: bool, // no such element: the last workgroup has threads to spare
};

// The element of a place in the buffer; `each` is how many elements a slot has where all are alike.
fn element_at(place: u32, each: u32) -> Element {
  let rows = b_parts[0].x;
  if (rows == 0u) {
    return Element(place / each, place % each, false);
  }
  var low = 1u;
  var high = rows;
  while (low < high) {
    let middle = (low + high + 1u) / 2u;
    if (b_parts[middle].w <= place) { low = middle; } else { high = middle - 1u; }
  }
  let part = b_parts[low];
  let own = place - part.w;
  return Element(part.x, part.y + own, own >= part.z);
}
