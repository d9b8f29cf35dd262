// Cards of far plants in the view, by a kernel.
// include "render/wgsl/seen_splat.wgsl"
// include "render/wgsl/impostor.wgsl"
// include "render/wgsl/card_splat.wgsl"

// Whether a card may be in the picture.
fn is_in_picture(slot: u32) -> bool {
  let instance = b_instances[slot];
  let p = u_frame.view_proj * vec4f(to_world(instance, u_far.middle.xyz), 1.0);
  let rim = 3.0 * u_far.middle.w * instance.place.w / u_frame.viewport.z / u_frame.viewport.y;  // at a distance of 1
  return p.w > IN_FRONT && all(abs(p.xy) < vec2f(p.w + rim));
}

// Whether it may be seen, for all that is known.
fn may_card_be_seen(slot: u32, centre: vec3f) -> bool {
  return may_ball_be_seen(centre, 2.0 * u_far.middle.w * b_instances[slot].place.w, 8u);
}

fn see(given: CardCorners, centre: vec3f, thread: u32) {
  var corners = given;
  let a = in_picture(corners.a.world);
  let b = in_picture(corners.b.world);
  let c = in_picture(corners.c.world);
  if (min(a.w, min(b.w, c.w)) < IN_FRONT) {
    return;
  }
  if (LIT) {
    let air = air_before(centre);
    corners.a.left = air.left;
    corners.a.added = air.added;
  }
  let f = card_facet(a.xyz, b.xyz, c.xyz, u_frame.viewport.xy);
  for (var k = thread; k < pixels_of(f); k += THREADS) {
    let pixel = pixel_of(f, k);
    let shares = shares_at(f, pixel);
    let depth = depth_at(f, shares);
    if (!is_on_card(shares) || !may_be_seen(pixel, depth)) {
      continue;
    }
    let card = card_between(corners, shares, pixel);
    let own = seen_colour(card);
    if (!is_card_seen(card, own.a)) {
      continue;
    }
    if (LIT) {
      colour(pixel, card_light(card, own), velocity_of(card.position, card.before));
    } else {
      cover(pixel, depth);
    }
  }
}

@compute @workgroup_size(THREADS)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let place = workgroup_number(groups);
  let slot = slot_of(place);
  let centre = to_world(b_instances[slot], u_far.middle.xyz);
  let corners = card_corners(slot, normalize(u_frame.eye.xyz - centre), thread);
  if (place < b_counted[0].y && is_card(slot) && is_in_picture(slot) && may_card_be_seen(slot, centre)) {
    see(corners, centre, thread);
  }
}
