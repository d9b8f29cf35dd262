// Large triangles of leaves in the view: a few near leaves have most of all pixels, and would keep a few threads busy for
// long. They are queued in parts, and workgroups take one part after the other, as soon as each has time.
// include "render/wgsl/seen_leaves.wgsl"

const PART = 64u;    // tiles, one for each thread of a workgroup
const SLOTS = 512u;  // queues, one for each of the dispatches of a pass, as in splat_kernels.py

struct Queued {
  place: u32,   // see `LeafTriangle`
  vertex: u32,
  how: u32,     // see `Run`
  part: u32,
};

struct Queues {
  count: array<atomic<u32>, SLOTS>,
  next: array<atomic<u32>, SLOTS>,
  parts: array<Queued>,
};

@group(1) @binding(0) var<storage, read_write> b_large: Queues;

// The queue of this dispatch.
fn slot() -> u32 {
  return b_runs[0].count;
}

// Tiles of the picture that a triangle may reach: the first, and how many.
struct Tiles {
  first: vec2u,
  size: vec2u,
};

fn tiles_of(f: Facet) -> Tiles {
  let first = vec2u(f.low) / SEEN_TILE;
  return Tiles(first, vec2u(f.low + f.size - 1) / SEEN_TILE - first + 1u);
}

// Queue a triangle; false where there is no room.
fn is_queued(leaf: LeafFacet) -> bool {
  let size = tiles_of(leaf.f).size;
  let parts = (size.x * size.y + PART - 1u) / PART;
  let first = atomicAdd(&b_large.count[slot()], parts);
  if (first + parts > arrayLength(&b_large.parts)) {
    atomicSub(&b_large.count[slot()], parts);
    return false;
  }
  for (var part = 0u; part < parts; part++) {
    b_large.parts[first + part] = Queued(leaf.place, leaf.vertex, p_how, part);
  }
  return true;
}
