// Leaves: cards with the outline of their species.
// include "frame.wgsl"
// include "noise.wgsl"
// include "deform.wgsl"
// include "paint.wgsl"
// include "portrait.wgsl"
// include "light.wgsl"

@group(2) @binding(3) var t_leaf: texture_2d_array<f32>;
@group(2) @binding(4) var smp_leaf: sampler;

struct Card {
  @builtin(position) position: vec4f,
  @location(0) world: vec3f,
  @location(1) normal: vec3f,
  @location(2) uv: vec2f,
  @location(3) @interpolate(flat) tint: vec4f,   // colour of this leaf; openness
  @location(4) crown: vec3f,     // normal of the crown here
  @location(5) @interpolate(flat) kind: u32,
  @location(6) paint: vec4f,
};

fn card_at(vertex: u32, slot: u32) -> Card {
  let number = vertex / 4u;
  let corner = vec2f(f32(vertex & 1u), f32((vertex >> 1u) & 1u));
  let leaf = b_leaves[number];
  let instance = b_instances[slot];
  let surface = leaf_point(slot, leaf, corner - vec2f(0.5, 0.0), instance);
  var out: Card;
  out.world = to_world(instance, surface.world);
  out.normal = turned(instance, surface.normal);
  out.crown = turned(instance, (surface.world - u_mesh.crown.xyz) / u_mesh.crown.w);
  out.uv = vec2f(corner.x, 1.0 - corner.y);
  out.kind = leaf_kind(leaf, instance);
  // Neighbouring trees differ as neighbouring leaves do.
  let own = own_tint(instance);
  let tint = vec2f(mix(hash(leaf.number * 7u + 1u), own.x, 0.35), mix(hash(leaf.number * 7u + 2u), own.y, 0.45));
  out.tint = vec4f(season_colour(u_mesh.season, leaf_key(instance, leaf)) * leaf_tint(tint), leaf.open);
  out.paint = painted(instance, 0.0);
  if (instance.id.w == FALLEN) {  // under the open sky
    out.crown = vec3f(0.0, 1.0, 0.0);
    out.tint.w = 1.0;
  }
  return out;
}

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> Card {
  var out = card_at(vertex, slot);
  out.position = u_frame.view_proj * vec4f(out.world, 1.0);
  if (b_instances[slot].id.y == STRAIN || b_instances[slot].id.y == KINDS) {
    out.position = vec4f(0.0, 0.0, -1.0, 1.0);  // leaves would hide the wood
  }
  return out;
}

struct CardShadow {
  @builtin(position) position: vec4f,
  @location(0) uv: vec2f,
  @location(1) @interpolate(flat) kind: u32,
};

@vertex
fn vs_shadow(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> CardShadow {
  let card = card_at(vertex, slot);
  return CardShadow(u_frame.light_proj * vec4f(card.world, 1.0), card.uv, card.kind);
}

@fragment
fn fs_shadow(in: CardShadow) {
  if (textureSampleLevel(t_leaf, smp_leaf, in.uv, in.kind, 1.0).a < 0.5) {
    discard;
  }
}

@vertex
fn vs_planar(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> CardShadow {
  let card = card_at(vertex, slot);
  return CardShadow(on_ground(card.world), card.uv, card.kind);
}

@fragment
fn fs_planar(in: CardShadow) -> @location(0) vec4f {
  if (textureSampleLevel(t_leaf, smp_leaf, in.uv, in.kind, 1.0).a < 0.5) {
    discard;
  }
  return vec4f(1.0);
}

struct Look {
  albedo: vec3f,
  card: vec3f,       // the side of the card that is seen
  normal: vec3f,     // what light falls on
};

fn look_at(in: Card, texel: vec4f, front: bool) -> Look {
  let card = normalize(in.normal) * select(-1.0, 1.0, front);
  // Part of the crown's own normal makes it read as a volume and not as confetti.
  let natural = in.tint.rgb * texel.rgb;
  return Look(mix(natural, in.paint.rgb, in.paint.a), card, normalize(mix(card, in.crown, 0.6)));
}

// Sharpened to one pixel, so that multisampled coverage has no halo.
fn sharpened(alpha: f32, slope: f32) -> f32 {
  return clamp((alpha - 0.5) / max(slope, 1e-4) + 0.5, 0.0, 1.0);
}

@fragment
fn fs_view(in: Card, @builtin(front_facing) front: bool) -> @location(0) vec4f {
  let texel = textureSample(t_leaf, smp_leaf, in.uv, in.kind);
  let alpha = sharpened(texel.a, fwidth(texel.a));
  if (alpha < 0.02) {
    discard;
  }
  let look = look_at(in, texel, front);
  let n = look.normal;
  let shade = sunlit_quickly(in.world, n);
  let toward = max(dot(n, u_frame.sun.xyz), 0.0);
  let through = max(-dot(look.card, u_frame.sun.xyz), 0.0) * 0.5 + 0.12;
  let shine = 0.05 * pow(max(dot(reflect(-u_frame.sun.xyz, look.card), normalize(u_frame.eye.xyz - in.world)), 0.0), 12.0);
  let direct = u_frame.sun_colour.rgb * shade * (look.albedo * (toward * 0.85 + through * vec3f(1.05, 1.15, 0.45)) + shine);
  return vec4f(hazed(direct + look.albedo * sky_light(n) * inside_crown(in.tint.w), in.world), alpha);
}

// For a portrait of the plant, which is lit later.
@fragment
fn fs_portrait(in: Card, @builtin(front_facing) front: bool) -> Portrait {
  let texel = textureSample(t_leaf, smp_leaf, in.uv, in.kind);
  if (texel.a < 0.5) {
    discard;
  }
  let look = look_at(in, texel, front);
  return Portrait(vec4f(look.albedo, 1.0), vec4f(look.normal * 0.5 + 0.5, in.tint.w));
}
