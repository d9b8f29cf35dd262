// The shadows of leaves that the deform pass has put in their places.
// include "core/workgroups.wgsl"
// include "render/wgsl/elements.wgsl"
// include "render/wgsl/leaves.wgsl"
// include "render/wgsl/splat.wgsl"

fn splat_card(a: CardCorner, b: CardCorner, c: CardCorner) {
  let f = facet(on_shadow_map(a.world), on_shadow_map(b.world), on_shadow_map(c.world));
  for (var y = f.low.y; y <= f.high.y; y++) {
    for (var x = f.low.x; x <= f.high.x; x++) {
      let shares = shares_at(f, vec2i(x, y));
      if (is_covered_by(shares)) {
        let uv = a.uv + shares.x * (b.uv - a.uv) + shares.y * (c.uv - a.uv);
        if (!is_beside(uv) && textureSampleLevel(t_leaf, smp_leaf, uv, a.kind, 1.0).a >= 0.5) {
          darken(f, vec2i(x, y), shares);
        }
      }
    }
  }
}

@compute @workgroup_size(64)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let place = workgroup_number(groups) * THREADS + thread;
  if (place >= b_parts[0].y) {
    return;
  }
  let corners = u32(u_mesh.style.y);
  let first = place * corners;
  let b = corner_at(first + 1u, 0u);
  let c = corner_at(first + 2u, 0u);
  splat_card(corner_at(first, 0u), b, c);
  if (corners == 4u) {
    splat_card(c, b, corner_at(first + 3u, 0u));
  }
}
