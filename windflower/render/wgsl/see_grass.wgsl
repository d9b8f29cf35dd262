// Blades of grass in the view, by a kernel: as see_leaves.wgsl does it.
// include "render/wgsl/grass.wgsl"
// include "render/wgsl/seen_splat.wgsl"
// include "render/wgsl/strips.wgsl"

const NEAR = vec2f(6.0, 18.0);  // m within which blades have four segments, and two

fn rows_at(away: f32) -> u32 {
  return select(select(1u, 2u, away < NEAR.y), 4u, away < NEAR.x);
}

// List the triangles of a blade, if any may be seen.
fn list_blade(number: u32) {
  let grown = b_grown[number];
  let tall = grown.root.w;
  if (tall > 0.0 && may_ball_be_seen(grown.root.xyz, 1.1 * tall + 4.0 * grown.lean.w, 4u)) {
    let rows = rows_at(grown.air.w);
    list_strip(number, rows, 2u * rows - 1u);
  }
}

fn corner_seen(own: StripTriangle, corner: u32) -> vec4f {
  return in_picture(corner_of(b_grown[own.number], corner_in(own, corner), rows_in(own), u_frame.eye.xyz).world);
}

fn strip_facet(own: StripTriangle) -> StripFacet {
  let p = corner_seen(own, 0u);
  let q = corner_seen(own, 1u);
  let r = corner_seen(own, 2u);
  var found: StripFacet;
  if (min(p.w, min(q.w, r.w)) >= IN_FRONT) {
    found = StripFacet(facet(p.xyz, q.xyz, r.xyz, u_frame.viewport.xy), own, 1.0, 1.0, 1.0);
  }
  return found;
}

// Light and velocity of a pixel.
fn light_up(own: StripTriangle, pixel: vec2i) {
  let shares = shares_at(strip_facet(own).f, pixel);
  let rows = rows_in(own);
  let a = blade_corner(own.number, corner_in(own, 0u), rows);
  let b = blade_corner(own.number, corner_in(own, 1u), rows);
  let c = blade_corner(own.number, corner_in(own, 2u), rows);
  var blade = a;
  blade.position = vec4f(vec2f(pixel) + 0.5, 0.0, 1.0);
  blade.world += shares.x * (b.world - a.world) + shares.y * (c.world - a.world);
  blade.normal += shares.x * (b.normal - a.normal) + shares.y * (c.normal - a.normal);
  blade.colour += shares.x * (b.colour - a.colour) + shares.y * (c.colour - a.colour);
  blade.light += shares.x * (b.light - a.light) + shares.y * (c.light - a.light);
  blade.before += shares.x * (b.before - a.before) + shares.y * (c.before - a.before);
  colour(pixel, blade_light(blade), velocity_of(blade.position, blade.before));
}

fn see_pixel(strip: StripFacet, pixel: vec2i) {
  let shares = shares_at(strip.f, pixel);
  let depth = depth_at(strip.f, shares);
  if (!is_within(shares) || !may_be_seen(pixel, depth) || !is_covered(cover_at(strip, shares), vec2f(pixel) + 0.5)) {
    return;
  }
  if (!LIT) {
    cover(pixel, depth);
  } else if (!is_noted(strip.own, pixel)) {
    light_up(strip.own, pixel);
  }
}

// Visit every so many rows of pixels of a triangle: most pixels about a long and thin one are not its own.
fn see(strip: StripFacet, first: u32, step: u32) {
  for (var row = first; row < u32(strip.f.size.y); row += step) {
    let y = strip.f.low.y + i32(row);
    let span = span_of(strip.f, y);
    for (var x = span.x; x <= span.y; x++) {
      see_pixel(strip, vec2i(x, y));
    }
  }
}

fn see_triangle(number: u32) {
  let strip = strip_facet(w_triangles[number]);
  if (pixels_of(strip.f) == 0u) {
    return;
  }
  if (u32(strip.f.size.y) > FEW) {
    w_waiting[atomicAdd(&w_count[1], 1u)] = strip;
  } else {
    see(strip, 0u, 1u);
  }
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) thread: u32) {
  if (thread < 3u) {
    atomicStore(&w_count[thread], 0u);
  }
  workgroupBarrier();
  let blade = group.x * STRIPS + thread;
  if (blade < u_ground.each.x) {
    list_blade(group.y * u_ground.each.x + blade);
  }
  workgroupBarrier();
  if (thread == 0u) {
    w_all[0] = atomicLoad(&w_count[0]);
  }
  let all_of_them = workgroupUniformLoad(&w_all[0]);
  for (var begin = 0u; begin < all_of_them; begin += AT_ONCE) {
    if (begin + thread < all_of_them) {
      see_triangle(begin + thread);
    }
    workgroupBarrier();
    for (var k = thread / TEAM; k < atomicLoad(&w_count[1]); k += AT_ONCE / TEAM) {
      see(w_waiting[k], thread % TEAM, TEAM);
    }
    workgroupBarrier();
    if (LIT) {
      for (var k = thread; k < min(atomicLoad(&w_count[2]), HITS); k += AT_ONCE) {
        let hit = w_hits[k];
        light_up(hit.own, vec2i(vec2u(hit.pixel & 0xffffu, hit.pixel >> 16u)));
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
