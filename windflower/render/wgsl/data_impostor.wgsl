// Data of the cards of far plants.
// include "render/wgsl/data.wgsl"
// include "render/wgsl/impostor.wgsl"

@group(2) @binding(4) var t_wood: texture_2d_array<f32>;  // share of wood in what the views show, times coverage

struct FarPoint {
  @builtin(position) position: vec4f,
  @location(0) world: vec3f,
  @location(1) uv: vec2f,
  @location(2) @interpolate(flat) layer: vec4u,
  @location(3) @interpolate(flat) weight: vec4f,
  @location(4) @interpolate(flat) count: u32,
  @location(5) @interpolate(flat) tint: vec3f,
  @location(6) @interpolate(flat) turn: vec2f,
  @location(7) other: vec3f,
  @location(8) @interpolate(flat) label: u32,
  @location(9) @interpolate(flat) fade: f32,
};

@vertex
fn vs_data(@builtin(vertex_index) vertex: u32, @builtin(instance_index) number: u32) -> FarPoint {
  let slot = slot_of(number);
  let instance = b_instances[slot];
  let card = card_at(vertex, slot, normalize(u_frame.eye.xyz - to_world(instance, u_far.middle.xyz)));
  let position = select(nowhere(), u_frame.view_proj * vec4f(card.world, 1.0), card.facts.x > 0.0);
  return FarPoint(
    position, card.world, card.uv, card.layer, card.weight, card.count, card.tint, card.turn, card.before, instance.id.z,
    card.facts.x,
  );
}

fn wood_share(card: Card) -> f32 {
  var sum = 0.0;
  for (var k = 0u; k < card.count; k++) {
    sum += card.weight[k] * textureSampleLevel(t_wood, smp_atlas, card.uv, card.layer[k], 0.0).r;
  }
  return sum;
}

@fragment
fn fs_data(in: FarPoint) -> Data {
  var card: Card;
  card.uv = in.uv;
  card.layer = in.layer;
  card.weight = in.weight;
  card.count = in.count;
  let colour = seen_colour(card);  // of the finest level, whose coverage is hardly blurred
  if (grown(colour.a, in.fade) < 0.5) {
    discard;
  }
  let own = seen_normal(card).xyz / colour.a * 2.0 - 1.0;
  let n = turned_to_world(in.turn, own / max(length(own), 1e-6));
  let part = select(LEAF, WOOD, wood_share(card) > 0.5 * colour.a);
  return data_of(Fact(in.position, in.other, n, u_frame.eye.xyz - in.world, colour.rgb / colour.a * in.tint, in.label, part, 0.0));
}
