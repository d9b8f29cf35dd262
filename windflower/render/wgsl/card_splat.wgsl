// Cards of far plants as kernels see them: parallelograms, each with a workgroup of its own.
//
// Seen from the sun, or where few triangles are to be drawn, cards are hundreds of pixels high.
// include "render/wgsl/impostor.wgsl"
// include "render/wgsl/splat.wgsl"

// Three corners of a card; the fourth lies opposite to the first.
struct CardCorners {
  a: Card,
  b: Card,
  c: Card,
};

// Whether a plant is shown as a card at all.
fn is_card(slot: u32) -> bool {
  let instance = b_instances[slot];
  return shown(instance, to_world(instance, u_far.middle.xyz)) > 0.0;
}

const THREADS = 256u;

var<workgroup> w_corners: array<Card, 3>;

// All threads of a workgroup call it once.
fn card_corners(slot: u32, toward: vec3f, thread: u32) -> CardCorners {
  if (thread < 3u) {
    w_corners[thread] = card_at(thread, slot, toward);
  }
  workgroupBarrier();
  return CardCorners(w_corners[0], w_corners[1], w_corners[2]);
}

// As `facet`, over all of the parallelogram.
fn card_facet(a: vec3f, b: vec3f, c: vec3f, size: vec2f) -> Facet {
  var f = facet(a, b, c, size);
  let d = b + c - a;
  let low = clamp(ceil(min(min(a.xy, b.xy), min(c.xy, d.xy)) - 0.5), vec2f(0.0), size);
  let high = clamp(floor(max(max(a.xy, b.xy), max(c.xy, d.xy)) - 0.5), vec2f(-1.0), size - 1.0);
  f.low = vec2i(low);
  f.size = max(vec2i(high - low) + 1, vec2i(0));
  return f;
}

fn is_on_card(shares: vec2f) -> bool {
  return all(shares >= vec2f(0.0)) && all(shares <= vec2f(1.0));
}

// What an interpolated vertex would be in the middle of a pixel.
fn card_between(corners: CardCorners, shares: vec2f, pixel: vec2i) -> Card {
  var card = corners.a;
  card.position = vec4f(vec2f(pixel) + 0.5, 0.0, 1.0);
  card.uv += shares.x * (corners.b.uv - corners.a.uv) + shares.y * (corners.c.uv - corners.a.uv);
  card.world += shares.x * (corners.b.world - corners.a.world) + shares.y * (corners.c.world - corners.a.world);
  card.before += shares.x * (corners.b.before - corners.a.before) + shares.y * (corners.c.before - corners.a.before);
  return card;
}
