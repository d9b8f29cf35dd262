// Twigs in the view, by a kernel: as see_leaves.wgsl does it. They are bands that face the camera.
// include "render/wgsl/seen_splat.wgsl"
// include "render/wgsl/strips.wgsl"
// include "render/wgsl/tubes.wgsl"

const LONG = 24.0;  // pixels from which a twig's bend is seen

// List the triangles of a twig, if any may be seen.
fn list_twig(place: u32) {
  let limb = b_limbs[place];
  if (limb.facts.w <= 0.0) {
    return;
  }
  let instance = b_instances[bitcast<u32>(limb.facts.z)];
  let base = to_world(instance, limb.frame.base.xyz);
  let tip = to_world(instance, limb.frame.tip.xyz);
  let pixel = distance(tip, u_frame.eye.xyz) * u_frame.viewport.z;
  let long = distance(base, tip);
  let wide = 2.0 * max(limb.frame.base.w, limb.frame.tip.w) * instance.place.w * (1.0 + limb.frame.normal_base.w) * limb.facts.w;
  if (may_ball_be_seen(0.5 * (base + tip), 0.7 * long + wide + pixel, 4u)) {
    let rows = select(1u, 2u, long > LONG * pixel);
    list_strip(place, rows, 2u * rows);
  }
}

fn vertex_of(own: StripTriangle, corner: u32) -> TubeVertex {
  let number = corner_in(own, corner);
  return TubeVertex(0u, f32(number / 2u) / f32(rows_in(own)), select(0.0, 3.1415927, number % 2u == 1u));
}

fn corner_of_twig(own: StripTriangle, corner: u32) -> Wood {
  return wood_of(own.number, vertex_of(own, corner), camera(), 0.0);
}

fn strip_facet(own: StripTriangle) -> StripFacet {
  let a = corner_of_twig(own, 0u);
  let b = corner_of_twig(own, 1u);
  let c = corner_of_twig(own, 2u);
  let p = in_picture(a.world);
  let q = in_picture(b.world);
  let r = in_picture(c.world);
  var found: StripFacet;
  if (min(p.w, min(q.w, r.w)) >= IN_FRONT) {
    found = StripFacet(facet(p.xyz, q.xyz, r.xyz, u_frame.viewport.xy), own, a.cover.x, b.cover.x, c.cover.x);
  }
  return found;
}

// Light and velocity of a pixel.
fn light_up(own: StripTriangle, pixel: vec2i) {
  let shares = shares_at(strip_facet(own).f, pixel);
  let a = twig_of(corner_of_twig(own, 0u));
  let b = twig_of(corner_of_twig(own, 1u));
  let c = twig_of(corner_of_twig(own, 2u));
  var twig = a;
  twig.position = vec4f(vec2f(pixel) + 0.5, 0.0, 1.0);
  twig.sky += shares.x * (b.sky - a.sky) + shares.y * (c.sky - a.sky);
  twig.sun += shares.x * (b.sun - a.sun) + shares.y * (c.sun - a.sun);
  twig.shadow += shares.x * (b.shadow - a.shadow) + shares.y * (c.shadow - a.shadow);
  twig.before += shares.x * (b.before - a.before) + shares.y * (c.before - a.before);
  colour(pixel, twig_light(twig), velocity_of(twig.position, twig.before));
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
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  if (thread < 3u) {
    atomicStore(&w_count[thread], 0u);
  }
  workgroupBarrier();
  let place = workgroup_number(groups) * STRIPS + thread;
  if (place < b_counted[0].y) {
    list_twig(place);
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
