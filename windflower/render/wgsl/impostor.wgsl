// Impostors of far plants: one camera-facing card each, showing the nearest views of the atlas, lit by the current light.
// include "render/wgsl/corners.wgsl"
// include "render/wgsl/drift.wgsl"
// include "render/wgsl/instance.wgsl"
// include "render/wgsl/light.wgsl"
// include "render/wgsl/cast.wgsl"
// include "render/wgsl/paint.wgsl"
// include "render/wgsl/plant_shading.wgsl"
// include "render/wgsl/velocity.wgsl"
// include "motion/leaves/flutter.wgsl"
// include "core/yaw.wgsl"

const AZIMUTHS = 12u;  // as in impostor_atlas.py
const ELEVATIONS = 4u;
const SIDE = 128.0;

struct Far {
  middle: vec4f,     // of the card in the plant's own frame, m; w: half its side
  crown: vec4f,      // middle of the crown at rest, m; w: height of the plant
  judge: vec4f,      // the camera by which levels are chosen; w: pixels of a metre at a distance of 1, times the factor
  band: vec4f,       // log2 of the size at which cards take over; octaves that this takes; Hz of leaves; what distances are less
  extent: array<vec4f, 2>,  // how far aside and up the plant reaches in the views of each elevation, 1 at their rims
  flutter: Flutter,
};

@group(2) @binding(0) var<uniform> u_far: Far;
@group(2) @binding(1) var t_albedo: texture_2d_array<f32>;
@group(2) @binding(2) var t_normal: texture_2d_array<f32>;
@group(2) @binding(3) var smp_atlas: sampler;
@group(3) @binding(0) var<storage, read> b_points_before: array<vec4f>;  // `b_points` of the frame before

struct Card {
  @builtin(position) position: vec4f,
  @location(0) world: vec3f,
  @location(1) uv: vec2f,
  @location(2) @interpolate(flat) layer: vec4u,   // the nearest views of the atlas …
  @location(7) @interpolate(flat) weight: vec4f,  // … by how much each counts
  @location(8) @interpolate(flat) count: u32,     // … and how many count at all
  @location(9) @interpolate(flat) left: vec3f,    // by the air between it and the camera, see `Air`
  @location(10) @interpolate(flat) added: vec3f,
  @location(3) @interpolate(flat) tint: vec3f,
  @location(4) @interpolate(flat) facts: vec4f,   // fade; mipmap level; wind speed; a random number
  @location(5) @interpolate(flat) turn: vec2f,    // cos and sin of yaw
  @location(6) @interpolate(flat) paint: vec4f,
  @location(11) before: vec3f,    // see `seen_before`
};

// How much of a plant its card shows: all before the last mesh begins to fade, so that there is never a gap.
fn shown(instance: Instance, centre: vec3f) -> f32 {
  let away = max(distance(centre, u_far.judge.xyz) - u_far.band.w * instance.place.w, 0.5);
  let size = u_far.crown.w * instance.place.w * u_far.judge.w / away;
  return clamp(1.0 + 2.0 * (u_far.band.x - log2(size)) / u_far.band.y, 0.0, 1.0);
}

// How far the middle of the crown has moved, in the plant's own frame: the twin of `motion.details.bowed`.
fn sway(crown: vec3f) -> vec3f {
  let moved = crown - u_far.crown.xyz;
  let rod = max(0.75 * u_far.crown.y, 0.01);
  let lean = moved.xz * inverseSqrt(1.0 + dot(moved.xz, moved.xz) / (rod * rod));
  return vec3f(lean.x, moved.y - rod + sqrt(max(rod * rod - dot(lean, lean), 0.0)), lean.y);
}

struct Views {
  layer: vec4u,
  weight: vec4f,
  count: u32,
};

// The views about a place among those around and up; most places need only one or two, and each costs every pixel.
// The coarser the mipmap level, the narrower the band in which views are blended.
fn nearest_views(place: vec2f, mipmap: f32) -> Views {
  let first = floor(place);
  let band = clamp(0.35 - 0.1 * mipmap, 0.1, 0.35);
  let part = smoothstep(vec2f(0.5 - band), vec2f(0.5 + band), place - first);
  var found = Views(vec4u(0u), vec4f(0.0), 0u);
  for (var k = 0u; k < 4u; k++) {
    let step = vec2u(k & 1u, k >> 1u);
    let weight = select(1.0 - part.x, part.x, step.x == 1u) * select(1.0 - part.y, part.y, step.y == 1u);
    if (weight > 0.0) {
      let around = (u32(first.x) + step.x) % AZIMUTHS;
      found.layer[found.count] = min(u32(first.y) + step.y, ELEVATIONS - 1u) * AZIMUTHS + around;
      found.weight[found.count] = weight;
      found.count += 1u;
    }
  }
  return found;
}

// How much of its card a plant covers, seen from a place among the rings; coarse mipmaps blur over its rim.
fn needed(ring: f32, mipmap: f32) -> vec2f {
  let low = u32(ring);
  let high = min(low + 1u, ELEVATIONS - 1u);
  let a = select(u_far.extent[low / 2u].xy, u_far.extent[low / 2u].zw, low % 2u == 1u);
  let b = select(u_far.extent[high / 2u].xy, u_far.extent[high / 2u].zw, high % 2u == 1u);
  return min(max(a, b) + 3.0 * exp2(mipmap) / SIDE, vec2f(1.0));
}

fn card_at(vertex: u32, slot: u32, toward: vec3f) -> Card {
  let instance = b_instances[slot];
  let centre = to_world(instance, u_far.middle.xyz);
  let fade = shown(instance, centre);
  var out: Card;
  out.facts.x = fade;
  if (fade <= 0.0) {
    return out;
  }
  // Seen from the plant's own frame.
  let own = turned_to_plant(instance.turn.xy, toward);
  let azimuth = atan2(own.x, own.z);
  let right = vec3f(cos(azimuth), 0.0, -sin(azimuth));
  let up = cross(own, right);
  let half = u_far.middle.w;
  let texel = 2.0 * half * instance.place.w / SIDE;
  let pixel = distance(centre, u_frame.eye.xyz) * u_frame.viewport.z;
  let mipmap = max(log2(pixel / texel) - 0.4, 0.0);
  let place = vec2f(fract(azimuth / 6.2831853) * f32(AZIMUTHS), asin(clamp(own.y, 0.0, 1.0)) / 1.5707963 * f32(ELEVATIONS - 1u));
  let corner = (vec2f(quad_corner(vertex)) * 2.0 - 1.0) * needed(place.y, mipmap);
  let at = u_far.middle.xyz + half * (corner.x * right + corner.y * up);
  // What is higher sways farther; from above, all of the crown is seen at the height of its middle.
  let height = max(u_far.middle.y + half * corner.y * up.y, 0.0) / max(u_far.crown.y, 0.01);
  let share = mix(1.0, height, up.y * up.y);
  out.world = to_world(instance, at + sway(b_points[2u * slot + 1u].xyz) * share);
  if (OVER_TIME) {
    out.before = seen_before(to_world(instance, at + sway(b_points_before[2u * slot + 1u].xyz) * share));
  }
  out.uv = vec2f(corner.x, -corner.y) * 0.5 + 0.5;
  let views = nearest_views(place, mipmap);
  out.layer = views.layer;
  out.weight = views.weight;
  out.count = views.count;
  let mean = leaf_tint(vec2f(0.5));
  out.tint = leaf_tint(mix(vec2f(0.5), own_tint(instance), vec2f(0.35, 0.45))) / mean;
  out.facts = vec4f(fade, mipmap, length(b_air[instance.id.x].xyz), instance.turn.z);
  out.turn = instance.turn.xy;
  out.paint = painted(instance, 0.0);
  return out;
}

// The slot of one of the cards that are drawn: b_cards is the list of cull_cards.wgsl.
fn slot_of(number: u32) -> u32 {
  return u32(b_cards[number / 4u][number % 4u]);
}

fn nowhere() -> vec4f {
  return vec4f(0.0, 0.0, -1.0, 1.0);
}

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32, @builtin(instance_index) number: u32) -> Card {
  let slot = slot_of(number);
  let centre = to_world(b_instances[slot], u_far.middle.xyz);
  var out = card_at(vertex, slot, normalize(u_frame.eye.xyz - centre));
  out.position = select(nowhere(), u_frame.view_proj * vec4f(out.world, 1.0), out.facts.x > 0.0);
  let air = air_before(centre);
  out.left = air.left;
  out.added = air.added;
  return out;
}

@vertex
fn vs_shadow(@builtin(vertex_index) vertex: u32, @builtin(instance_index) number: u32) -> Card {
  let slot = slot_of(number);
  var out = card_at(vertex, slot, u_frame.sun.xyz);
  out.position = select(nowhere(), u_frame.light_proj * vec4f(out.world, 1.0), out.facts.x > 0.0);
  return out;
}

@vertex
fn vs_planar(@builtin(vertex_index) vertex: u32, @builtin(instance_index) number: u32) -> Card {
  let slot = slot_of(number);
  var out = card_at(vertex, slot, u_frame.sun.xyz);
  out.position = select(nowhere(), on_ground(out.world), out.facts.x > 0.0);
  return out;
}

// Premultiplied colour, blended from the nearest views.
fn seen_colour(in: Card) -> vec4f {
  var sum = vec4f(0.0);
  var k = 0u;
  // It ends where it is known whether to go on: a software driver would take one round more otherwise.
  loop {
    sum += in.weight[k] * textureSampleLevel(t_albedo, smp_atlas, in.uv, in.layer[k], in.facts.y);
    continuing {
      k += 1u;
      break if k >= in.count;
    }
  }
  return sum;
}

// Normals and openness, times coverage: asked for only where the plant covers.
fn seen_normal(in: Card) -> vec4f {
  var sum = vec4f(0.0);
  var k = 0u;
  loop {
    sum += in.weight[k] * textureSampleLevel(t_normal, smp_atlas, in.uv, in.layer[k], in.facts.y);
    continuing {
      k += 1u;
      break if k >= in.count;
    }
  }
  return sum;
}

// How much of a pixel a card covers while it comes: its densest parts first, behind the mesh that is still whole.
fn grown(alpha: f32, fade: f32) -> f32 {
  return clamp((alpha - 1.0 + fade) / max(fade, 1e-3), 0.0, 1.0);
}

fn covers(in: Card, alpha: f32) -> bool {
  return grown(alpha, in.facts.x) > 0.4;
}

@fragment
fn fs_shadow(in: Card) -> @location(0) f32 {
  let depth = cast_depth(in.position.z);
  if (!covers(in, seen_colour(in).a)) {
    discard;
  }
  return depth;
}

@fragment
fn fs_planar(in: Card) -> @location(0) vec4f {
  if (!covers(in, seen_colour(in).a)) {
    discard;
  }
  return vec4f(1.0);
}

// Leaves that flutter: the light on patches of the crown comes and goes.
fn shimmer(in: Card) -> f32 {
  let patch_of = hash(u32(in.uv.x * 14.0) + 14u * u32(in.uv.y * 14.0) + u32(in.facts.w * 4096.0) * 196u);
  let wide = 0.6 * shimmer_of(u_far.flutter, in.facts.z);
  let pace = looped(6.2832 * u_far.band.z * (0.7 + 0.6 * patch_of));
  return 1.0 + wide * sin(u_frame.clock.x * pace + 6.2832 * (patch_of * 7.0 + in.facts.w));
}

fn is_card_seen(in: Card, alpha: f32) -> bool {
  let cover = grown(alpha, in.facts.x);
  return cover >= 0.06 && is_covered(cover, in.position.xy);
}

// Light that a point of a card sends to the camera; `colour` is its `seen_colour`.
fn card_light(in: Card, colour: vec4f) -> vec3f {
  let alpha = colour.a;
  let normal = seen_normal(in);
  let albedo = mix(colour.rgb / alpha * in.tint, in.paint.rgb, in.paint.a);
  // The mean of many normals is short where they differ, and so is the light that falls on them.
  let own = normal.xyz / alpha * 2.0 - 1.0;
  let n = turned_to_world(in.turn, own);
  let open = clamp(normal.a / alpha, 0.0, 1.0);
  // The card would lie in its own shadow: ask above it, and let its normal tell how deep a part lies.
  let reach = u_far.middle.w;
  let lit = crown_shade(place_in_crown(n / max(length(n), 0.3), open));
  let shade = sunlit_quickly(in.world + u_frame.sun.xyz * reach, n) * lit;
  let toward = max(dot(n, u_frame.sun.xyz), 0.0) * shimmer(in);
  let view = normalize(u_frame.eye.xyz - in.world);
  let through = max(-dot(view, u_frame.sun.xyz), 0.0) * 0.3 + 0.14;
  // Far beyond the shadow map a forest is dark between its crowns all the same.
  let away = smoothstep(150.0, 450.0, distance(u_frame.eye.xyz, in.world)) * (1.0 - view.y * view.y);
  let between = mix(1.0, 0.30 + 0.85 * smoothstep(0.95, 0.25, in.uv.y), away);
  let beam = sunshine(in.world) * between;
  let sun = beam * past_undrawn(lit);
  let direct = sun * shade * albedo * (toward * 0.95 + through * vec3f(1.05, 1.15, 0.45));
  let around = sky_light(n) * inside_crown(open) + thrown_by_leaves(beam, lit);
  return (direct + albedo * around * between) * in.left + in.added;
}

@fragment
fn fs_view(in: Card) -> Seen {
  let colour = seen_colour(in);
  if (!is_card_seen(in, colour.a)) {
    discard;
  }
  return Seen(vec4f(card_light(in, colour), grown(colour.a, in.facts.x)), velocity_of(in.position, in.before));
}
