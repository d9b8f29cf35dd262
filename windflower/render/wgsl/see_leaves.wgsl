// Leaves in the view, by a kernel.
//
// The second time only those pixels are noted in which a leaf is seen; then the workgroup lights all of them, each thread one.
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
  random: u32,      // as in `packed_look`, and its last number
  kind: u32,
  place: u32,       // see `LeafTriangle`
  vertex: u32,
};

fn leaf_facet(own: LeafTriangle, corners: LeafCorners) -> LeafFacet {
  let p = in_picture(corners.a.world);
  let q = in_picture(corners.b.world);
  let r = in_picture(corners.c.world);
  var found: LeafFacet;
  if (min(p.w, min(q.w, r.w)) < IN_FRONT) {
    return found;
  }
  found.f = facet(p.xyz, q.xyz, r.xyz, u_frame.viewport.xy);
  found.uv = corners.a.uv;
  let second = corners.b.uv - corners.a.uv;
  let third = corners.c.uv - corners.a.uv;
  found.across = second * found.f.to_second.x + third * found.f.to_third.x;
  found.down = second * found.f.to_second.y + third * found.f.to_third.y;
  let side = vec2f(textureDimensions(t_leaf));
  let texels = max(length(found.across * side), length(found.down * side));
  found.level = max(log2(max(texels, 1e-6)) - 1.0, 0.0);
  let look = packed_look(vec3f(0.0), vec3f(0.0), 0.0, 0.0, corners.a.random, corners.a.kind, corners.a.small);
  found.random = look.z;
  found.kind = look.w;
  found.place = own.place;
  found.vertex = own.vertex;
  return found;
}

fn uv_at(leaf: LeafFacet, pixel: vec2i) -> vec2f {
  let away = vec2f(pixel) + 0.5 - leaf.f.at;
  return leaf.uv + leaf.across * away.x + leaf.down * away.y;
}

fn texel_at(leaf: LeafFacet, uv: vec2f) -> vec4f {
  return textureSampleLevel(t_leaf, smp_leaf, uv, min(leaf.kind & 255u, STEM - 1u), leaf.level);
}

// Whether a pixel within a triangle shows the leaf.
fn shows(leaf: LeafFacet, pixel: vec2i) -> bool {
  let uv = uv_at(leaf, pixel);
  let look = vec4u(0u, 0u, leaf.random, leaf.kind);
  if (is_beside(uv)) {
    return false;
  }
  if (smallness_in(look) >= 1.0) {
    return true;
  }
  let alpha = texel_at(leaf, uv).a;
  var slope = 0.0;
  if (u_cards[p_cards].style.z == 0.0) {
    slope = abs(texel_at(leaf, uv + leaf.across).a - alpha) + abs(texel_at(leaf, uv + leaf.down).a - alpha);
  }
  let share = leaf_cover(alpha, slope, look);
  if (!OVER_TIME) {
    return (some_samples(min(share, 1.0), leaf.random) & 1u) == 1u;
  }
  return share >= 0.02 && is_leaf_covered(share, look, vec2f(pixel) + 0.5);
}

// Light and velocity of a pixel.
fn light_up(own: LeafTriangle, pixel: vec2i) {
  let corners = corners_of(own);
  let facet = leaf_facet(own, corners);
  let shares = shares_at(facet.f, pixel);
  let leaf = b_foliage[own.place];
  let a = corners.a.world;
  let world = a + shares.x * (corners.b.world - a) + shares.y * (corners.c.world - a);
  let shade = lit_or(in_shadow_map(world, crown_normal_of(leaf)), own_light_of(leaf));
  let p = corner_before(own, 0u);
  let before = p + shares.x * (corner_before(own, 1u) - p) + shares.y * (corner_before(own, 2u) - p);
  let light = leaf_light(leaf, texel_at(facet, uv_at(facet, pixel)).rgb, look_of(corners.a), shade);
  colour(pixel, light, velocity_of(vec4f(vec2f(pixel) + 0.5, 0.0, 1.0), before));
}

// A pixel that is to be lit.
struct Hit {
  place: u32,   // see `LeafTriangle`
  vertex: u32,
  pixel: u32,   // x, and y in the upper half
};

const HITS = 256u;
const LARGE = 128u;  // pixels from which a triangle is looked at tile by tile

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
    light_up(own, pixel);
  }
}

fn see_pixel(leaf: LeafFacet, pixel: vec2i) {
  let shares = shares_at(leaf.f, pixel);
  let depth = depth_at(leaf.f, shares);
  if (is_within(shares) && may_be_seen(pixel, depth) && shows(leaf, pixel)) {
    if (LIT) {
      note(LeafTriangle(leaf.place, leaf.vertex), pixel);
    } else {
      cover(pixel, depth);
    }
  }
}

// Visit every so many pixels of a triangle.
fn see(leaf: LeafFacet, first: u32, step: u32) {
  for (var k = first; k < pixels_of(leaf.f); k += step) {
    see_pixel(leaf, pixel_of(leaf.f, k));
  }
}

// The same of a large one, without tiles in which it is not seen.
fn see_in_tiles(leaf: LeafFacet, first: u32, step: u32) {
  let end = leaf.f.low + leaf.f.size;
  let last = vec2u(end - 1) / SEEN_TILE;
  for (var y = u32(leaf.f.low.y) / SEEN_TILE; y <= last.y; y++) {
    for (var x = u32(leaf.f.low.x) / SEEN_TILE; x <= last.x; x++) {
      if (!may_tile_show(leaf.f, vec2u(x, y))) {
        continue;
      }
      for (var k = first; k < SEEN_TILE * SEEN_TILE; k += step) {
        let pixel = vec2i(vec2u(x, y) * SEEN_TILE + vec2u(k % SEEN_TILE, k / SEEN_TILE));
        if (all(pixel >= leaf.f.low) && all(pixel < end)) {
          see_pixel(leaf, pixel);
        }
      }
    }
  }
}

// Work out a triangle of the leaves that may be seen.
fn see_triangle(number: u32) {
  let each = triangles_of_leaf(p_how);
  let own = leaf_triangle(w_leaves[number / each], number % each);
  let leaf = leaf_facet(own, corners_of(own));
  let pixels = pixels_of(leaf.f);
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
      if (pixels_of(w_waiting[k].f) > LARGE) {
        see_in_tiles(w_waiting[k], thread % CREW, CREW);
      } else {
        see(w_waiting[k], thread % CREW, CREW);
      }
    }
    workgroupBarrier();
    if (LIT) {
      for (var k = thread; k < min(atomicLoad(&w_count[2]), HITS); k += AT_ONCE) {
        let hit = w_hits[k];
        light_up(LeafTriangle(hit.place, hit.vertex), vec2i(vec2u(hit.pixel & 0xffffu, hit.pixel >> 16u)));
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
