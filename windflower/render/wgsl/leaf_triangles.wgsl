// Triangles of leaves as kernels number them, card by card.
//
// Leaves of many blocks lie in one buffer, each block's in a run of their own. A workgroup takes some of one run, and each of
// its threads works out one of their triangles: the few pixels of most it visits itself, the others wait for teams.
// include "render/wgsl/leaves.wgsl"
// include "render/wgsl/splat.wgsl"

const LEAVES = 8u;    // of a workgroup, as in drawn_leaves.py
const CREW = 32u;     // threads that share a triangle
const AT_ONCE = 64u;  // triangles, one of each thread
const FEW = 4u;       // pixels

// The leaves of a block.
struct Run {
  first: u32,  // place of its first leaf; of the first row: number of runs
  count: u32,  // of the first row: see `slot` in large_leaves.wgsl
  how: u32,    // which of `u_cards` they have, and `FELL` and `STILL`
  begin: u32,  // the first of its workgroups
};

const FELL = 256u;   // leaves that came off
const STILL = 512u;  // leaves that are where they were in the frame before

@group(3) @binding(3) var<storage, read> b_runs: array<Run>;

var<workgroup> w_run: array<Run, 1>;
var<private> p_how = 0u;  // of the run of this workgroup

// The run of which a workgroup takes some leaves, found by all of its threads; none is left for the last few.
fn run_of(number: u32, thread: u32) -> Run {
  for (var row = thread + 1u; row <= b_runs[0].first; row += AT_ONCE) {
    let run = b_runs[row];
    if (number >= run.begin && number - run.begin < (run.count + LEAVES - 1u) / LEAVES) {
      w_run[0] = run;
    }
  }
  let run = workgroupUniformLoad(&w_run[0]);
  p_how = run.how;
  p_cards = run.how & 255u;
  return run;
}

struct LeafTriangle {
  place: u32,   // of the leaf among the elements
  vertex: u32,  // the first of its three
};

struct LeafCorners {
  a: LeafCorner,
  b: LeafCorner,
  c: LeafCorner,
};

// Of a leaf that has this of `u_cards`.
fn triangles_of_leaf(how: u32) -> u32 {
  return (u32(u_cards[how & 255u].style.x) - 2u) * cards_of(how & 255u);
}

fn leaf_triangle(place: u32, number: u32) -> LeafTriangle {
  let corners = u32(u_cards[p_cards].style.x);
  let each = corners - 2u;  // triangles of a card
  return LeafTriangle(place, number / each * corners + number % each);
}

fn has_fallen() -> bool {
  return (p_how & FELL) != 0u;
}

fn corners_of(own: LeafTriangle) -> LeafCorners {
  let leaf = b_foliage[own.place];
  return LeafCorners(
    corner_of(leaf, own.place, own.vertex, has_fallen()),
    corner_of(leaf, own.place, own.vertex + 1u, has_fallen()),
    corner_of(leaf, own.place, own.vertex + 2u, has_fallen()),
  );
}

// The leaf in the frame before.
fn leaf_before(place: u32) -> LitLeaf {
  if ((p_how & STILL) != 0u) {
    return b_foliage[place];
  }
  return b_foliage_before[place];
}

// Where a corner was in the picture of the frame before.
fn corner_before(own: LeafTriangle, corner: u32) -> vec3f {
  return seen_before(corner_of(leaf_before(own.place), own.place, own.vertex + corner, has_fallen()).world);
}
