// Deform pass, leaves: where the leaves of a block are, and the light on them, once a frame.
// include "render/wgsl/deform.wgsl"
// include "render/wgsl/elements.wgsl"
// include "render/wgsl/leaf_places.wgsl"
// include "render/wgsl/leaf_elements.wgsl"
// include "render/wgsl/paint.wgsl"
// include "render/wgsl/plant_shading.wgsl"
// include "render/wgsl/light.wgsl"

@group(3) @binding(0) var<storage, read_write> b_foliage: array<LitLeaf>;

// Colour of a leaf's upper side: trees differ, and on each its branches and twigs; neighbours have neighbouring numbers.
fn leaf_colour(instance: Instance, leaf: Leaf) -> vec3f {
  let own = own_tint(instance);
  let branch = hash((leaf.number >> 8u) * 7u + instance.id.x * 61u + 3u);
  let twig = vec2f(hash((leaf.number >> 4u) * 7u + 1u), hash((leaf.number >> 4u) * 7u + 2u));
  let tint = leaf_tint(vec2f(mix(twig.x, own.x, 0.35), mix(0.5 * (twig.y + branch), own.y, 0.45)));
  // A branch turns early or late as a whole, and its leaves about it.
  let alone = season_colour(u_mesh.season, leaf_key(instance, leaf));
  let together = season_colour(u_mesh.season, key_of(u_mesh.flutter.turns.y, instance.id.x, 0x10000u + (leaf.number >> 7u)));
  return mix(alone, together, 0.5) * tint;
}

fn lit_leaf(slot: u32, leaf: Leaf) -> LitLeaf {
  let instance = b_instances[slot];
  let fallen = instance.id.w == FALLEN;
  let frame = leaf_frame(slot, leaf, instance);
  let world = to_world(instance, frame.foot.xyz);
  let bent = turned(instance, unpack4x8snorm(leaf.bent).xyz);
  let n = select(normalize(bent), vec3f(0.0, 1.0, 0.0), fallen);
  let open = select(leaf.open, 1.0, fallen);
  let air = air_before(world);
  let paint = painted(instance, 0.0);
  let albedo = mix(leaf_colour(instance, leaf), paint.rgb, paint.a) * air.left;
  let lit = select(crown_shade(place_in_crown(n, open)), 1.0, fallen);
  let beam = sunshine(world);
  let sun = beam * past_undrawn(lit);
  let around = sky_light(n) * inside_crown(open) + thrown_by_leaves(beam, lit) * f32(!fallen);
  let sky = select(around, vec3f(open), instance.id.y == ATLAS);
  let place = place_of(frame, leaf, instance);
  let facts = packed_facts(n, lit, paint.a > 0.0, frame.card.y);
  return LitLeaf(
    place.foot,
    vec4u(place.turn, facts, leaf.number),
    vec4u(pack2x16float(albedo.rg), pack2x16float(vec2f(albedo.b, sky.r)), pack2x16float(sky.gb), pack2x16float(sun.rg)),
    vec4u(pack2x16float(vec2f(sun.b, air.added.r)), pack2x16float(air.added.gb), instance.id.z, 0u),
  );
}

@compute @workgroup_size(64)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let place = workgroup_number(groups) * THREADS + thread;
  let element = element_at(place, u_mesh.count.w);
  if (element.last || element.slot >= arrayLength(&b_instances) || place >= arrayLength(&b_foliage)) {
    return;
  }
  b_foliage[place] = lit_leaf(element.slot, b_leaves[element.own]);
}
