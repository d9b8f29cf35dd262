// The shadows of branches: from the sun a tube looks like a band that faces it.
// include "core/workgroups.wgsl"
// include "render/wgsl/elements.wgsl"
// include "render/wgsl/tubes.wgsl"
// include "render/wgsl/splat.wgsl"

const RINGS = 2u;  // of a band along a segment

fn splat_facet(a: vec3f, b: vec3f, c: vec3f) {
  let f = facet(a, b, c);
  for (var y = f.low.y; y <= f.high.y; y++) {
    for (var x = f.low.x; x <= f.high.x; x++) {
      let shares = shares_at(f, vec2i(x, y));
      if (is_covered_by(shares)) {
        darken(f, vec2i(x, y), shares);
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
  let limb = b_limbs[place];
  let instance = b_instances[bitcast<u32>(limb.facts.z)];
  let grown = thickness(instance.turn.w);
  let least = 0.5 * grown * pixel_at(limb.frame, instance, u_frame.eye.xyz);
  var frame = limb.frame;
  frame.base.w *= grown;
  frame.tip.w *= grown;
  let away = turned_back(instance, u_frame.sun.xyz);
  var left = vec3f(0.0);
  var right = vec3f(0.0);
  for (var ring = 0u; ring <= RINGS; ring++) {
    let t = f32(ring) / f32(RINGS);
    let next_left = on_shadow_map(to_world(instance, band_corner(frame, t, -1.0, away, least).point));
    let next_right = on_shadow_map(to_world(instance, band_corner(frame, t, 1.0, away, least).point));
    if (ring > 0u) {
      splat_facet(left, right, next_left);
      splat_facet(next_left, right, next_right);
    }
    left = next_left;
    right = next_right;
  }
}
