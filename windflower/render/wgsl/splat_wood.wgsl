// The shadows of branches: from the sun a tube looks like a band that faces it.
// include "render/wgsl/cast_splat.wgsl"
// include "render/wgsl/tubes.wgsl"

const RINGS = 2u;  // of a band along a segment

// Both rims of a segment's band, t along it from 0 to 1.
struct Rims {
  left: vec3f,
  right: vec3f,
};

fn rims_at(limb: Limb, t: f32) -> Rims {
  let instance = b_instances[bitcast<u32>(limb.facts.z)];
  let grown = thickness(instance.turn.w);
  let least = 0.5 * grown * pixel_at(limb.frame, instance, u_frame.eye.xyz);
  var frame = limb.frame;
  frame.base.w *= grown;
  frame.tip.w *= grown;
  let away = turned_back(instance, u_frame.sun.xyz);
  let left = band_corner(frame, t, -1.0, away, least).point;
  let right = band_corner(frame, t, 1.0, away, least).point;
  return Rims(to_world(instance, left), to_world(instance, right));
}

fn cast_facet(f: Facet, first: u32, step: u32) {
  for (var k = first; k < pixels_of(f); k += step) {
    let texel = pixel_of(f, k);
    let shares = shares_at(f, texel);
    if (is_within(shares)) {
      darken(f, texel, shares);
    }
  }
}

// Every `step`th texel of a segment.
fn cast_limb(place: u32, first: u32, step: u32) {
  let limb = b_limbs[place];
  var before = rims_at(limb, 0.0);
  for (var ring = 1u; ring <= RINGS; ring++) {
    let next = rims_at(limb, f32(ring) / f32(RINGS));
    cast_facet(shadow_facet(before.left, before.right, next.left), first, step);
    cast_facet(shadow_facet(next.left, before.right, next.right), first, step);
    before = next;
  }
}

fn is_large(place: u32) -> bool {
  let limb = b_limbs[place];
  let base = rims_at(limb, 0.0);
  return pixels_of(shadow_facet(base.left, base.right, rims_at(limb, 1.0).left)) > LARGE;
}

@compute @workgroup_size(64)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let place = workgroup_number(groups) * TEAM + thread;
  if (place < b_counted[0].y) {
    if (is_large(place)) {
      leave(place);
    } else {
      cast_limb(place, 0u, 1u);
    }
  }
  workgroupBarrier();
  for (var k = 0u; k < atomicLoad(&w_count); k++) {
    cast_limb(w_large[k], thread, TEAM);
  }
}
