// The shadows of far plants.
// include "render/wgsl/cast_splat.wgsl"
// include "render/wgsl/impostor.wgsl"
// include "render/wgsl/card_splat.wgsl"

fn darken_card(corners: CardCorners, thread: u32) {
  let f = card_facet(on_shadow_map(corners.a.world), on_shadow_map(corners.b.world), on_shadow_map(corners.c.world), u_frame.shadow.xx);
  for (var k = thread; k < pixels_of(f); k += THREADS) {
    let texel = pixel_of(f, k);
    let shares = shares_at(f, texel);
    if (is_on_card(shares)) {
      let card = card_between(corners, shares, texel);
      if (covers(card, seen_colour(card).a)) {
        darken(f, texel, shares);
      }
    }
  }
}

@compute @workgroup_size(THREADS)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let place = workgroup_number(groups);
  let slot = slot_of(place);
  let corners = card_corners(slot, u_frame.sun.xyz, thread);
  if (place < b_counted[0].y && is_card(slot)) {
    darken_card(corners, thread);
  }
}
