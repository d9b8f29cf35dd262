// The shadows of far plants: a workgroup for each card, as they are large on the map.
// include "core/workgroups.wgsl"
// include "render/wgsl/elements.wgsl"
// include "render/wgsl/impostor.wgsl"
// include "render/wgsl/splat.wgsl"

@compute @workgroup_size(64)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let slot = workgroup_number(groups);
  if (slot >= b_parts[0].y) {
    return;
  }
  var card = card_at(0u, slot, u_frame.sun.xyz);
  if (card.facts.x <= 0.0) {
    return;
  }
  let second = card_at(1u, slot, u_frame.sun.xyz);
  let third = card_at(2u, slot, u_frame.sun.xyz);
  let first = card.uv;
  let f = facet(on_shadow_map(card.world), on_shadow_map(second.world), on_shadow_map(third.world));
  // It goes on beyond the triangle to a parallelogram.
  let fourth = on_shadow_map(second.world + third.world - card.world).xy;
  let low = max(min(f.low, vec2i(floor(fourth))), vec2i(0));
  let high = min(max(f.high, vec2i(ceil(fourth))), vec2i(i32(u_frame.shadow.x) - 1));
  if (f.high.x < 0 && f.high.y < 0 || any(high < low)) {
    return;
  }
  let wide = u32(high.x - low.x + 1);
  let count = wide * u32(high.y - low.y + 1);
  for (var k = thread; k < count; k += THREADS) {
    let texel = low + vec2i(i32(k % wide), i32(k / wide));
    let shares = shares_at(f, texel);
    if (all(shares >= vec2f(0.0)) && all(shares <= vec2f(1.0))) {
      card.uv = first + shares.x * (second.uv - first) + shares.y * (third.uv - first);
      card.position = vec4f(vec2f(texel) + 0.5, 0.0, 1.0);
      if (covers(card, seen_colour(card).a)) {
        darken(f, texel, shares);
      }
    }
  }
}
