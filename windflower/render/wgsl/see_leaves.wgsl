// Leaves in the view, by a kernel.
// include "render/wgsl/seen_splat.wgsl"
// include "render/wgsl/shared_pixels.wgsl"
// include "render/wgsl/leaf_triangles.wgsl"

// What pixels know of a triangle beside its `Facet`.
struct LeafFacet {
  place: u32,       // see `LeafTriangle`
  vertex: u32,
  uv: vec2f,        // at its first corner
  across: vec2f,    // how it changes from pixel to pixel
  down: vec2f,
  level: f32,       // mipmap
  picture: u32,
  look: vec4u,      // see `packed_look`; without light
};

var<workgroup> w_leaves: array<LeafFacet, THREADS>;

// Set up a triangle.
fn leaf_facet(own: LeafTriangle, thread: u32) -> Facet {
  let a = corner_number(own, 0u);
  let b = corner_number(own, 1u);
  let c = corner_number(own, 2u);
  let p = in_picture(a.world);
  let q = in_picture(b.world);
  let r = in_picture(c.world);
  var f: Facet;
  if (min(p.w, min(q.w, r.w)) < IN_FRONT) {
    return f;
  }
  f = facet(p.xyz, q.xyz, r.xyz, u_frame.viewport.xy);
  let second = b.uv - a.uv;
  let third = c.uv - a.uv;
  let across = second * f.to_second.x + third * f.to_third.x;
  let down = second * f.to_second.y + third * f.to_third.y;
  let side = vec2f(textureDimensions(t_leaf));
  let texels = max(length(across * side), length(down * side));
  let level = max(log2(max(texels, 1e-6)) - 1.0, 0.0);
  w_leaves[thread] = LeafFacet(own.place, own.vertex, a.uv, across, down, level, min(a.kind, STEM - 1u), look_of(a));
  return f;
}

fn alpha_at(uv: vec2f, leaf: LeafFacet) -> f32 {
  return textureSampleLevel(t_leaf, smp_leaf, uv, leaf.picture, leaf.level).a;
}

// Light and velocity of a pixel.
fn light_up(at: SharedPixel, texel: vec3f, look: vec4u, own: LeafTriangle) {
  let leaf = b_foliage[own.place];
  let a = corner_number(own, 0u).world;
  let world = a + at.shares.x * (corner_number(own, 1u).world - a) + at.shares.y * (corner_number(own, 2u).world - a);
  let shade = lit_or(in_shadow_map(world, crown_normal_of(leaf)), own_light_of(leaf));
  let p = corner_before(own, 0u);
  let before = p + at.shares.x * (corner_before(own, 1u) - p) + at.shares.y * (corner_before(own, 2u) - p);
  colour(at.pixel, leaf_light(leaf, texel, look, shade), velocity_of(vec4f(vec2f(at.pixel) + 0.5, 0.0, 1.0), before));
}

fn see(at: SharedPixel) {
  let f = w_facets[at.facet];
  let depth = depth_at(f, at.shares);
  if (!is_within(at.shares) || !may_be_seen(at.pixel, depth)) {
    return;
  }
  let leaf = w_leaves[at.facet];
  let middle = vec2f(at.pixel) + 0.5;
  let away = middle - f.at.xy;
  let uv = leaf.uv + leaf.across * away.x + leaf.down * away.y;
  let texel = textureSampleLevel(t_leaf, smp_leaf, uv, leaf.picture, leaf.level);
  let slope = abs(alpha_at(uv + leaf.across, leaf) - texel.a) + abs(alpha_at(uv + leaf.down, leaf) - texel.a);
  let share_here = leaf_cover(texel.a, slope, leaf.look);
  if (share_here < 0.02 || is_beside(uv) || !is_leaf_covered(share_here, leaf.look, middle)) {
    return;
  }
  if (LIT) {
    light_up(at, texel.rgb, leaf.look, LeafTriangle(leaf.place, leaf.vertex, true));
  } else {
    cover(at.pixel, depth);
  }
}

@compute @workgroup_size(64)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let own = leaf_triangle(workgroup_number(groups) * THREADS + thread);
  var f: Facet;
  if (own.exists) {
    f = leaf_facet(own, thread);
  }
  share(f, thread);
  for (var k = thread; k < shared_pixels(); k += THREADS) {
    see(shared_pixel(k));
  }
}
