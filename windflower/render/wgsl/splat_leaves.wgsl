// The shadows of leaves that the deform pass has put in their places.
// include "render/wgsl/cast_splat.wgsl"
// include "render/wgsl/leaf_triangles.wgsl"

// A triangle over the texels of the map.
struct CastFacet {
  f: Facet,
  uv: vec2f,      // at its first corner
  second: vec2f,  // of the other corners, less that
  third: vec2f,
  kind: u32,
  small: f32,
};

var<workgroup> w_waiting: array<CastFacet, AT_ONCE>;  // for a team
var<workgroup> w_count: array<atomic<u32>, 1>;        // of these

// Visit every so many texels of a triangle.
fn cast_facet(own: CastFacet, first: u32, step: u32) {
  for (var k = first; k < pixels_of(own.f); k += step) {
    let texel = pixel_of(own.f, k);
    let shares = shares_at(own.f, texel);
    let uv = own.uv + shares.x * own.second + shares.y * own.third;
    if (is_within(shares) && !is_empty(CardShadow(vec4f(0.0), uv, own.kind, own.small))) {
      darken(own.f, texel, shares);
    }
  }
}

fn cast_triangle(own: LeafTriangle) {
  let corners = corners_of(own);
  let f = shadow_facet(corners.a.world, corners.b.world, corners.c.world);
  let uv = corners.a.uv;
  let facet = CastFacet(f, uv, corners.b.uv - uv, corners.c.uv - uv, corners.a.kind, corners.a.small);
  if (pixels_of(f) > FEW) {
    w_waiting[atomicAdd(&w_count[0], 1u)] = facet;
  } else {
    cast_facet(facet, 0u, 1u);
  }
}

@compute @workgroup_size(64)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let number = workgroup_number(groups);
  let run = run_of(number, thread);
  let first = (number - run.begin) * LEAVES;
  let each = triangles_of_leaf(run.how);
  for (var begin = 0u; begin < LEAVES * each; begin += AT_ONCE) {
    if (thread == 0u) {
      atomicStore(&w_count[0], 0u);
    }
    workgroupBarrier();
    let triangle = begin + thread;
    let own = first + triangle / each;
    if (triangle < LEAVES * each && own < run.count) {
      cast_triangle(leaf_triangle(run.first + own, triangle % each));
    }
    workgroupBarrier();
    for (var k = thread / CREW; k < atomicLoad(&w_count[0]); k += AT_ONCE / CREW) {
      cast_facet(w_waiting[k], thread % CREW, CREW);
    }
    workgroupBarrier();
  }
}
