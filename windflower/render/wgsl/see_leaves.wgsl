// Leaves in the view, by a kernel; large triangles are left to see_large_leaves.wgsl.
//
// The second time only those pixels are noted in which a leaf is seen; then the workgroup lights all of them, each thread one.
// Lit where they are found, they would come one by one, and most threads would wait.
// include "render/wgsl/seen_leaves.wgsl"
// include "render/wgsl/large_leaves.wgsl"

// A pixel that is to be lit.
struct Hit {
  place: u32,   // see `LeafTriangle`
  vertex: u32,
  pixel: u32,   // x, and y in the upper half
};

const HITS = 256u;
const LARGE = 256u;  // pixels of a triangle from which others share them

var<workgroup> w_leaves: array<u32, LEAVES>;            // those that may be seen
var<workgroup> w_waiting: array<LeafFacet, AT_ONCE>;    // for a team
var<workgroup> w_hits: array<Hit, HITS>;
var<workgroup> w_count: array<atomic<u32>, 3>;          // of each of these
var<workgroup> w_triangles: array<u32, 1>;              // of all leaves that may be seen

// Note a pixel for the workgroup; what finds no room is lit at once.
fn note(own: LeafTriangle, pixel: vec2i) {
  let number = atomicAdd(&w_count[2], 1u);
  if (number < HITS) {
    w_hits[number] = Hit(own.place, own.vertex, u32(pixel.x) | (u32(pixel.y) << 16u));
  } else {
    light_pixel(lit_facet(own), pixel);
  }
}

fn see_pixel(leaf: LeafFacet, pixel: vec2i) {
  let found = shown_at(leaf, pixel);
  if (!found.shown) {
    return;
  }
  if (LIT) {
    note(LeafTriangle(leaf.place, leaf.vertex), pixel);
  } else {
    cover(pixel, found.depth);
  }
}

// Visit every so many pixels of a triangle.
fn see(leaf: LeafFacet, first: u32, step: u32) {
  for (var k = first; k < pixels_of(leaf.f); k += step) {
    see_pixel(leaf, pixel_of(leaf.f, k));
  }
}

// Work out a triangle of the leaves that may be seen.
fn see_triangle(number: u32) {
  let each = triangles_of_leaf(p_how);
  let own = leaf_triangle(w_leaves[number / each], number % each);
  let leaf = leaf_facet(own, corners_of(own));
  let pixels = pixels_of(leaf.f);
  if (pixels > LARGE && is_queued(leaf)) {
    return;
  }
  if (pixels > FEW) {
    w_waiting[atomicAdd(&w_count[1], 1u)] = leaf;
  } else {
    see(leaf, 0u, 1u);
  }
}

fn may_leaf_be_seen(place: u32) -> bool {
  let foot = b_foliage[place].foot;
  return foot.w > 0.0 && may_ball_be_seen(foot.xyz, foot.w * u_cards[p_cards].tight.z, 3u);
}

@compute @workgroup_size(64)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  if (thread < 3u) {
    atomicStore(&w_count[thread], 0u);
  }
  let number = workgroup_number(groups);
  let run = run_of(number, thread);
  let own = (number - run.begin) * LEAVES + thread;
  if (thread < LEAVES && own < run.count && may_leaf_be_seen(run.first + own)) {
    w_leaves[atomicAdd(&w_count[0], 1u)] = run.first + own;
  }
  workgroupBarrier();
  if (thread == 0u) {
    w_triangles[0] = atomicLoad(&w_count[0]) * triangles_of_leaf(run.how);
  }
  let triangles = workgroupUniformLoad(&w_triangles[0]);
  for (var begin = 0u; begin < triangles; begin += AT_ONCE) {
    if (begin + thread < triangles) {
      see_triangle(begin + thread);
    }
    workgroupBarrier();
    for (var k = thread / CREW; k < atomicLoad(&w_count[1]); k += AT_ONCE / CREW) {
      see(w_waiting[k], thread % CREW, CREW);
    }
    workgroupBarrier();
    if (LIT) {
      for (var k = thread; k < min(atomicLoad(&w_count[2]), HITS); k += AT_ONCE) {
        let hit = w_hits[k];
        let pixel = vec2i(vec2u(hit.pixel & 0xffffu, hit.pixel >> 16u));
        light_pixel(lit_facet(LeafTriangle(hit.place, hit.vertex)), pixel);
      }
      workgroupBarrier();
    }
    if (thread == 0u) {
      atomicStore(&w_count[1], 0u);
      atomicStore(&w_count[2], 0u);
    }
    workgroupBarrier();
  }
}
