// Pixels of 64 triangles, shared by the 64 threads of a workgroup: each thread sets up a triangle, then all go through all pixels.
//
// However different triangles are in size, no thread waits for another; and a corner is not worked out for every pixel.
// include "render/wgsl/splat.wgsl"

const THREADS = 64u;

var<workgroup> w_facets: array<Facet, THREADS>;
var<workgroup> w_ends: array<u32, THREADS>;  // pixels of a triangle and of all before it

struct SharedPixel {
  facet: u32,     // the thread that has set up its triangle
  pixel: vec2i,
  shares: vec2f,  // see `shares_at`
};

// Share out the pixels of this thread's triangle. All threads of a workgroup call it once.
fn share(f: Facet, thread: u32) {
  w_facets[thread] = f;
  w_ends[thread] = pixels_of(f);
  workgroupBarrier();
  for (var step = 1u; step < THREADS; step *= 2u) {
    var sum = w_ends[thread];
    if (thread >= step) {
      sum += w_ends[thread - step];
    }
    workgroupBarrier();
    w_ends[thread] = sum;
    workgroupBarrier();
  }
}

fn shared_pixels() -> u32 {
  return w_ends[THREADS - 1u];
}

fn shared_pixel(number: u32) -> SharedPixel {
  var facet = 0u;
  for (var half = THREADS / 2u; half > 0u; half /= 2u) {
    facet += select(0u, half, w_ends[facet + half - 1u] <= number);
  }
  let f = w_facets[facet];
  let pixel = pixel_of(f, number + pixels_of(f) - w_ends[facet]);
  return SharedPixel(facet, pixel, shares_at(f, pixel));
}
