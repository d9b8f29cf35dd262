// The shadows of far plants.
// include "render/wgsl/cast_splat.wgsl"
// include "render/wgsl/impostor.wgsl"
// include "render/wgsl/card_splat.wgsl"

fn cast_card(slot: u32, first: u32) {
  let corners = card_corners(slot, u_frame.sun.xyz);
  let f = card_facet(on_shadow_map(corners.a.world), on_shadow_map(corners.b.world), on_shadow_map(corners.c.world), u_frame.shadow.xx);
  for (var k = first; k < pixels_of(f); k += TEAM) {
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

@compute @workgroup_size(64)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let own = member(groups, thread);
  if (own.place < b_counted[0].y && is_card(slot_of(own.place))) {
    cast_card(slot_of(own.place), own.number);
  }
}
