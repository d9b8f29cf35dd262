// Strips of triangles that a workgroup puts into the view, long and thin: blades of grass, twigs.
// include "render/wgsl/splat.wgsl"

const STRIPS = 64u;   // of a workgroup, one of each thread, as in sward.py and deformed.py
const MOST = 448u;    // triangles of all of them
const AT_ONCE = 64u;  // triangles, one of each thread
const FEW = 3u;       // rows of pixels of a triangle that its thread visits alone
const HITS = 256u;

struct StripTriangle {
  number: u32,  // of the strip
  first: u32,   // of its three corners, and the strip's segments in the upper half
};

// A triangle over the pixels of the picture, and how much of a pixel it covers at its corners.
struct StripFacet {
  f: Facet,
  own: StripTriangle,
  cover_a: f32,
  cover_b: f32,
  cover_c: f32,
};

// A pixel that is to be lit.
struct Hit {
  own: StripTriangle,
  pixel: u32,   // x, and y in the upper half
};

var<workgroup> w_triangles: array<StripTriangle, MOST>;
var<workgroup> w_waiting: array<StripFacet, AT_ONCE>;  // for a team
var<workgroup> w_hits: array<Hit, HITS>;
var<workgroup> w_count: array<atomic<u32>, 3>;         // of each of these
var<workgroup> w_all: array<u32, 1>;                   // triangles

fn rows_in(own: StripTriangle) -> u32 {
  return own.first >> 16u;
}

fn corner_in(own: StripTriangle, corner: u32) -> u32 {
  return (own.first & 0xffffu) + corner;
}

// List the triangles of a strip of so many segments.
fn list_strip(number: u32, rows: u32, triangles: u32) {
  let place = atomicAdd(&w_count[0], triangles);
  for (var k = 0u; k < triangles; k++) {
    w_triangles[place + k] = StripTriangle(number, k | (rows << 16u));
  }
}

// Note a pixel for the workgroup; false where there is no room.
fn is_noted(own: StripTriangle, pixel: vec2i) -> bool {
  let number = atomicAdd(&w_count[2], 1u);
  if (number < HITS) {
    w_hits[number] = Hit(own, u32(pixel.x) | (u32(pixel.y) << 16u));
  }
  return number < HITS;
}

fn cover_at(strip: StripFacet, shares: vec2f) -> f32 {
  return strip.cover_a + shares.x * (strip.cover_b - strip.cover_a) + shares.y * (strip.cover_c - strip.cover_a);
}
