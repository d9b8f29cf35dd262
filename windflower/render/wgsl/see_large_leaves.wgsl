// Large triangles of leaves in the view: those that see_leaves.wgsl has queued, tile by tile.
// include "render/wgsl/seen_leaves.wgsl"
// include "render/wgsl/large_leaves.wgsl"

const NONE = 0xffffffffu;

var<workgroup> w_queued: array<Queued, 1>;
var<workgroup> w_tiles: array<u32, PART>;   // of this part, those in which the triangle may be seen: x, and y in the upper half
var<workgroup> w_many: array<atomic<u32>, 1>;  // of these

// The next part that nobody has taken; all threads of a workgroup get the same.
fn next_part(thread: u32) -> Queued {
  if (thread == 0u) {
    let number = atomicAdd(&b_large.next[slot()], 1u);
    w_queued[0].vertex = NONE;
    if (number < atomicLoad(&b_large.count[slot()])) {
      w_queued[0] = b_large.parts[number];
    }
    atomicStore(&w_many[0], 0u);
  }
  return workgroupUniformLoad(&w_queued[0]);
}

// List a tile of a part, if the triangle may be seen there.
fn list_tile(leaf: LeafFacet, number: u32) {
  let tiles = tiles_of(leaf.f);
  if (number < tiles.size.x * tiles.size.y) {
    let tile = tiles.first + vec2u(number % tiles.size.x, number / tiles.size.x);
    if (may_tile_show(leaf.f, tile)) {
      w_tiles[atomicAdd(&w_many[0], 1u)] = tile.x | (tile.y << 16u);
    }
  }
}

fn pixel_in(tile: u32, thread: u32) -> vec2i {
  return vec2i(vec2u(tile & 0xffffu, tile >> 16u) * SEEN_TILE + vec2u(thread % SEEN_TILE, thread / SEEN_TILE));
}

fn is_in_box(f: Facet, pixel: vec2i) -> bool {
  return all(pixel >= f.low) && all(pixel < f.low + f.size);
}

// Visit a pixel of each of the tiles that are listed.
fn see_tiles(own: LitFacet, thread: u32) {
  for (var k = 0u; k < atomicLoad(&w_many[0]); k++) {
    let pixel = pixel_in(w_tiles[k], thread);
    if (!is_in_box(own.leaf.f, pixel)) {
      continue;
    }
    let found = shown_at(own.leaf, pixel);
    if (found.shown && LIT) {
      light_pixel(own, pixel);
    } else if (found.shown) {
      cover(pixel, found.depth);
    }
  }
}

@compute @workgroup_size(64)
fn main(@builtin(local_invocation_index) thread: u32) {
  loop {
    let queued = next_part(thread);
    if (queued.vertex == NONE) {
      break;
    }
    p_how = queued.how;
    p_cards = queued.how & 255u;
    let own = LeafTriangle(queued.place, queued.vertex);
    var facet: LitFacet;
    if (LIT) {
      facet = lit_facet(own);
    } else {
      facet.leaf = leaf_facet(own, corners_of(own));
    }
    list_tile(facet.leaf, queued.part * PART + thread);
    workgroupBarrier();
    see_tiles(facet, thread);
    workgroupBarrier();
  }
}
