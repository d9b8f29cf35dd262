// The shadows of leaves that the deform pass has put in their places.
// include "render/wgsl/cast_splat.wgsl"
// include "render/wgsl/shared_pixels.wgsl"
// include "render/wgsl/leaf_triangles.wgsl"

// What texels know of a triangle beside its `Facet`.
struct LeafCut {
  uv: vec2f,      // at its first corner
  second: vec2f,  // how it differs at the others
  third: vec2f,
  kind: u32,      // as in `LeafCorner`
  small: f32,
};

var<workgroup> w_cuts: array<LeafCut, THREADS>;

@compute @workgroup_size(64)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let own = leaf_triangle(workgroup_number(groups) * THREADS + thread);
  var f: Facet;
  if (own.exists) {
    let a = corner_number(own, 0u);
    let b = corner_number(own, 1u);
    let c = corner_number(own, 2u);
    f = shadow_facet(a.world, b.world, c.world);
    w_cuts[thread] = LeafCut(a.uv, b.uv - a.uv, c.uv - a.uv, a.kind, a.small);
  }
  share(f, thread);
  for (var k = thread; k < shared_pixels(); k += THREADS) {
    let at = shared_pixel(k);
    let cut = w_cuts[at.facet];
    let uv = cut.uv + at.shares.x * cut.second + at.shares.y * cut.third;
    if (is_within(at.shares) && !is_empty(CardShadow(vec4f(0.0), uv, cut.kind, cut.small))) {
      darken(w_facets[at.facet], at.pixel, at.shares);
    }
  }
}
