// Leaves: cards with the outline of their species.
// include "render/wgsl/frame.wgsl"
// include "render/wgsl/noise.wgsl"
// include "render/wgsl/deform.wgsl"
// include "render/wgsl/paint.wgsl"
// include "render/wgsl/plant_shading.wgsl"
// include "render/wgsl/light.wgsl"

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
  let placed = card_corner(leaf_frame(slot, leaf, instance), corner - vec2f(0.5, 0.0));
  var out: Card;
  out.world = to_world(instance, placed.point);
  out.normal = turned(instance, placed.normal);
  out.crown = turned(instance, (placed.point - u_mesh.crown.xyz) / u_mesh.crown.w);
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

// Light is worked out at the corners: a leaf is small, and there are far more pixels of leaves than corners.
struct LitCard {
  @builtin(position) position: vec4f,
  @location(0) uv: vec2f,
  @location(1) @interpolate(flat) kind: u32,
  @location(2) @interpolate(flat) tint: vec3f,     // factor on the texture, and what is painted over it
  @location(3) @interpolate(flat) paint: vec3f,
  @location(4) shadow: vec3f,                      // place in the shadow map
  @location(5) sun: vec3f,                         // light of the sun that it gives back if nothing is in between
  @location(6) sky: vec3f,
  @location(7) shine: vec3f,
  @location(8) @interpolate(flat) left: vec3f,     // by the air, see `Air`
  @location(9) @interpolate(flat) added: vec3f,
};

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> LitCard {
  let card = card_at(vertex, slot);
  let eye = normalize(u_frame.eye.xyz - card.world);
  let side = card.normal * select(-1.0, 1.0, dot(card.normal, eye) > 0.0);  // the one that is seen
  let n = light_normal(side, card.crown);
  let toward = max(dot(n, u_frame.sun.xyz), 0.0);
  let through = max(-dot(side, u_frame.sun.xyz), 0.0) * 0.5 + 0.12;
  let shine = 0.05 * pow(max(dot(reflect(-u_frame.sun.xyz, side), eye), 0.0), 12.0);
  let air = air_before(card.world);
  var out: LitCard;
  out.position = u_frame.view_proj * vec4f(card.world, 1.0);
  if (b_instances[slot].id.y == STRAIN || b_instances[slot].id.y == KINDS) {
    out.position = vec4f(0.0, 0.0, -1.0, 1.0);  // leaves would hide the wood
  }
  out.uv = card.uv;
  out.kind = card.kind;
  out.tint = card.tint.rgb * (1.0 - card.paint.a);
  out.paint = card.paint.rgb * card.paint.a;
  out.shadow = in_shadow_map(card.world, n);
  let sun = sunshine(card.world);
  out.sun = sun * (toward * 0.85 + through * vec3f(1.05, 1.15, 0.45));
  out.sky = sky_light(n) * inside_crown(card.tint.w);
  out.shine = sun * shine;
  out.left = air.left;
  out.added = air.added;
  return out;
}

@vertex
fn vs_atlas(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> Card {
  var out = card_at(vertex, slot);
  out.position = u_frame.view_proj * vec4f(out.world, 1.0);
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

// Part of the crown's own normal makes it read as a volume and not as confetti.
fn light_normal(side: vec3f, crown: vec3f) -> vec3f {
  return normalize(mix(side, crown, 0.6));
}

// Sharpened to one pixel, so that multisampled coverage has no halo.
fn sharpened(alpha: f32, slope: f32) -> f32 {
  return clamp((alpha - 0.5) / max(slope, 1e-4) + 0.5, 0.0, 1.0);
}

@fragment
fn fs_view(in: LitCard) -> @location(0) vec4f {
  // Finer than a pixel by a level: four samples share it, and boughs do not blur into giant leaves.
  let texel = textureSampleBias(t_leaf, smp_leaf, in.uv, in.kind, -1.0);
  let alpha = sharpened(texel.a, fwidth(texel.a));
  if (alpha < 0.02) {
    discard;
  }
  let shade = quickly_lit(in.shadow);
  let colour = (texel.rgb * in.tint + in.paint) * (in.sky + in.sun * shade) + in.shine * shade;
  return vec4f(colour * in.left + in.added, alpha);
}

// For the impostor atlas, which is lit later.
@fragment
fn fs_atlas(in: Card, @builtin(front_facing) front: bool) -> AtlasTexel {
  let texel = textureSample(t_leaf, smp_leaf, in.uv, in.kind);
  if (texel.a < 0.5) {
    discard;
  }
  let albedo = mix(in.tint.rgb * texel.rgb, in.paint.rgb, in.paint.a);
  let n = light_normal(normalize(in.normal) * select(-1.0, 1.0, front), in.crown);
  return AtlasTexel(vec4f(albedo, 1.0), vec4f(n * 0.5 + 0.5, in.tint.w));
}
