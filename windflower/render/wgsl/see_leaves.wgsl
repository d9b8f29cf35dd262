// Leaves in the view, by a kernel.
//
// The second time a team only notes which pixels its leaf is seen in; then the workgroup lights all of them, each thread one.
// Lit where they are found, they would come one by one, and most threads would wait.
// include "render/wgsl/seen_splat.wgsl"
// include "render/wgsl/leaf_triangles.wgsl"

// A triangle over the pixels of the picture.
struct LeafFacet {
  f: Facet,
  uv: vec2f,        // at its first corner
  across: vec2f,    // how it changes from pixel to pixel
  down: vec2f,
  level: f32,       // mipmap
  picture: u32,
  look: vec4u,      // see `packed_look`
};

fn leaf_facet(own: LeafTriangle) -> LeafFacet {
  let a = corner_number(own, 0u);
  let b = corner_number(own, 1u);
  let c = corner_number(own, 2u);
  let p = in_picture(a.world);
  let q = in_picture(b.world);
  let r = in_picture(c.world);
  var found: LeafFacet;
  if (min(p.w, min(q.w, r.w)) < IN_FRONT) {
    return found;
  }
  found.f = facet(p.xyz, q.xyz, r.xyz, u_frame.viewport.xy);
  found.uv = a.uv;
  let second = b.uv - a.uv;
  let third = c.uv - a.uv;
  found.across = second * found.f.to_second.x + third * found.f.to_third.x;
  found.down = second * found.f.to_second.y + third * found.f.to_third.y;
  let side = vec2f(textureDimensions(t_leaf));
  let texels = max(length(found.across * side), length(found.down * side));
  found.level = max(log2(max(texels, 1e-6)) - 1.0, 0.0);
  found.picture = min(a.kind, STEM - 1u);
  found.look = look_of(a);
  return found;
}

fn uv_at(leaf: LeafFacet, pixel: vec2i) -> vec2f {
  let away = vec2f(pixel) + 0.5 - leaf.f.at.xy;
  return leaf.uv + leaf.across * away.x + leaf.down * away.y;
}

fn texel_at(leaf: LeafFacet, uv: vec2f) -> vec4f {
  return textureSampleLevel(t_leaf, smp_leaf, uv, leaf.picture, leaf.level);
}

// Whether a pixel within a triangle shows the leaf.
fn shows(leaf: LeafFacet, pixel: vec2i) -> bool {
  let uv = uv_at(leaf, pixel);
  let alpha = texel_at(leaf, uv).a;
  let slope = abs(texel_at(leaf, uv + leaf.across).a - alpha) + abs(texel_at(leaf, uv + leaf.down).a - alpha);
  let share = leaf_cover(alpha, slope, leaf.look);
  return share >= 0.02 && !is_beside(uv) && is_leaf_covered(share, leaf.look, vec2f(pixel) + 0.5);
}

// Light and velocity of a pixel.
fn light_up(own: LeafTriangle, pixel: vec2i) {
  let facet = leaf_facet(own);
  let shares = shares_at(facet.f, pixel);
  let leaf = b_foliage[own.place];
  let a = corner_number(own, 0u).world;
  let world = a + shares.x * (corner_number(own, 1u).world - a) + shares.y * (corner_number(own, 2u).world - a);
  let shade = lit_or(in_shadow_map(world, crown_normal_of(leaf)), own_light_of(leaf));
  let p = corner_before(own, 0u);
  let before = p + shares.x * (corner_before(own, 1u) - p) + shares.y * (corner_before(own, 2u) - p);
  let light = leaf_light(leaf, texel_at(facet, uv_at(facet, pixel)).rgb, facet.look, shade);
  colour(pixel, light, velocity_of(vec4f(vec2f(pixel) + 0.5, 0.0, 1.0), before));
}

// A pixel that is to be lit.
struct Hit {
  place: u32,   // see `LeafTriangle`
  vertex: u32,
  pixel: u32,   // x, and y in the upper half
};

const HITS = 512u;

var<workgroup> w_hits: array<Hit, HITS>;
var<workgroup> w_count: array<atomic<u32>, 1>;

// Note a pixel for the workgroup; what finds no room is lit at once.
fn note(own: LeafTriangle, pixel: vec2i) {
  let number = atomicAdd(&w_count[0], 1u);
  if (number < HITS) {
    w_hits[number] = Hit(own.place, own.vertex, u32(pixel.x) | (u32(pixel.y) << 16u));
  } else {
    light_up(own, pixel);
  }
}

// Every `TEAM`th pixel of a triangle.
fn see(own: LeafTriangle, first: u32) {
  let leaf = leaf_facet(own);
  for (var k = first; k < pixels_of(leaf.f); k += TEAM) {
    let pixel = pixel_of(leaf.f, k);
    let shares = shares_at(leaf.f, pixel);
    let depth = depth_at(leaf.f, shares);
    if (is_within(shares) && may_be_seen(pixel, depth) && shows(leaf, pixel)) {
      if (LIT) {
        note(own, pixel);
      } else {
        cover(pixel, depth);
      }
    }
  }
}

@compute @workgroup_size(64)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  if (thread == 0u) {
    atomicStore(&w_count[0], 0u);
  }
  workgroupBarrier();
  let own = member(groups, thread);
  if (own.place < b_counted[0].y) {
    for (var k = 0u; k < triangles_of_leaf(); k++) {
      see(leaf_triangle(own.place, k), own.number);
    }
  }
  workgroupBarrier();
  for (var k = thread; k < min(atomicLoad(&w_count[0]), HITS); k += 64u) {
    let hit = w_hits[k];
    light_up(LeafTriangle(hit.place, hit.vertex), vec2i(vec2u(hit.pixel & 0xffffu, hit.pixel >> 16u)));
  }
}
