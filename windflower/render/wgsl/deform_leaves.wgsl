// Deform pass, leaves: where the cards of a block are, and the light on them, once a frame.
// include "render/wgsl/deform.wgsl"
// include "render/wgsl/elements.wgsl"
// include "render/wgsl/leaf_places.wgsl"
// include "render/wgsl/leaf_elements.wgsl"
// include "render/wgsl/paint.wgsl"
// include "render/wgsl/plant_shading.wgsl"
// include "render/wgsl/light.wgsl"

@group(3) @binding(0) var<storage, read_write> b_foliage: array<LitLeaf>;

fn lit_leaf(slot: u32, leaf: Leaf) -> LitLeaf {
  let instance = b_instances[slot];
  let fallen = instance.id.w == FALLEN;
  let frame = leaf_frame(slot, leaf, instance);
  let middle = card_corner(frame, vec2f(0.0, 0.5));
  let world = to_world(instance, middle.point);
  let eye = normalize(u_frame.eye.xyz - world);
  let normal = turned(instance, middle.normal);
  let side = normal * select(-1.0, 1.0, dot(normal, eye) > 0.0);  // the one that is seen
  let crown = select(turned(instance, (middle.point - u_mesh.crown.xyz) / u_mesh.crown.w), vec3f(0.0, 1.0, 0.0), fallen);
  let n = light_normal(side, crown);
  let toward = max(dot(n, u_frame.sun.xyz), 0.0);
  let through = max(-dot(side, u_frame.sun.xyz), 0.0) * 0.5 + 0.12;
  let shine = 0.05 * pow(max(dot(reflect(-u_frame.sun.xyz, side), eye), 0.0), 12.0);
  let air = air_before(world);
  // Neighbouring trees differ as neighbouring leaves do.
  let own = own_tint(instance);
  let tint = vec2f(mix(hash(leaf.number * 7u + 1u), own.x, 0.35), mix(hash(leaf.number * 7u + 2u), own.y, 0.45));
  let paint = painted(instance, 0.0);
  let natural = season_colour(u_mesh.season, leaf_key(instance, leaf)) * leaf_tint(tint);
  let albedo = mix(natural, paint.rgb, paint.a) * air.left;
  let sky = albedo * sky_light(n) * inside_crown(select(leaf.open, 1.0, fallen));
  let beam = sunshine(world);
  let sun = albedo * beam * (toward * 0.85 + through * vec3f(1.05, 1.15, 0.45));
  let gleam = beam * shine * air.left;
  let card = card_of(frame, instance);
  // Normals of crowns are as long as the leaf is far from its crown's middle, 1 at the surface.
  let lit = select(crown_shade(crown), 1.0, fallen);
  let facts = packed_facts(n, lit, paint.a > 0.0, leaf_kind(leaf, instance));
  return LitLeaf(
    vec4f(card.foot.xyz, bitcast<f32>(facts)),
    vec4f(card.across.xyz, bitcast<f32>(pack2x16float(sky.rg))),
    vec4f(card.along.xyz, bitcast<f32>(pack2x16float(vec2f(sky.b, sun.r)))),
    vec4u(pack2x16float(sun.gb), pack2x16float(gleam.rg), pack2x16float(vec2f(gleam.b, air.added.r)), pack2x16float(air.added.gb)),
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
