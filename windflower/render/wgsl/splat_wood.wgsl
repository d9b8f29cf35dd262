// The shadows of branches: from the sun a tube looks like a band that faces it.
// include "render/wgsl/cast_splat.wgsl"
// include "render/wgsl/shared_pixels.wgsl"
// include "render/wgsl/tubes.wgsl"

const RINGS = 2u;  // of a band along a segment; as in deformed.py, with two triangles each

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

// One of the triangles of a segment's band.
fn wood_facet(place: u32, number: u32) -> Facet {
  let limb = b_limbs[place];
  let ring = number / 2u;
  let before = rims_at(limb, f32(ring) / f32(RINGS));
  let next = rims_at(limb, f32(ring + 1u) / f32(RINGS));
  return shadow_facet(select(next.right, before.left, number % 2u == 0u), before.right, next.left);
}

@compute @workgroup_size(64)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let number = workgroup_number(groups) * THREADS + thread;
  let place = number / (2u * RINGS);
  var f: Facet;
  if (place < b_counted[0].y) {
    f = wood_facet(place, number % (2u * RINGS));
  }
  share(f, thread);
  for (var k = thread; k < shared_pixels(); k += THREADS) {
    let at = shared_pixel(k);
    if (is_within(at.shares)) {
      darken(w_facets[at.facet], at.pixel, at.shares);
    }
  }
}
