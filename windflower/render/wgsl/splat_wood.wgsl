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
  let frame = as_drawn(limb, grown);
  let away = turned_back(instance, u_frame.sun.xyz);
  let left = band_corner(frame, t, -1.0, away, least).point;
  let right = band_corner(frame, t, 1.0, away, least).point;
  return Rims(to_world(instance, left), to_world(instance, right));
}

fn cast_facet(f: Facet, first: u32) {
  for (var k = first; k < pixels_of(f); k += TEAM) {
    let texel = pixel_of(f, k);
    let shares = shares_at(f, texel);
    if (is_within(shares)) {
      darken(f, texel, shares);
    }
  }
}

// Every `TEAM`th texel of a segment.
fn cast_limb(place: u32, first: u32) {
  let limb = b_limbs[place];
  var before: Rims;
  for (var ring = 0u; ring <= RINGS; ring++) {
    let next = rims_at(limb, f32(ring) / f32(RINGS));
    if (ring == 0u) {
      before = next;
      continue;
    }
    for (var k = 0u; k < 2u; k++) {
      cast_facet(shadow_facet(select(next.right, before.left, k == 0u), before.right, next.left), first);
    }
    before = next;
  }
}

@compute @workgroup_size(64)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let own = member(groups, thread);
  if (own.place < b_counted[0].y) {
    cast_limb(own.place, own.number);
  }
}
