// Where the posed plant is: the one place that picture, shadow and picking share.
//
// A segment's rotation is the shortest arc from its rest chord to its posed chord.
// include "render/wgsl/frame.wgsl"
// include "render/wgsl/instance.wgsl"
// include "render/wgsl/noise.wgsl"
// include "motion/leaves/flutter.wgsl"
// include "core/quaternions.wgsl"
// include "motion/leaves/seasons.wgsl"

struct Segment {
  node: vec4u,       // before the base on the same axis, base, tip, after the tip
  tangent_a: vec4f,  // rest tangent at the base; w: radius there, m
  tangent_b: vec4f,  // rest tangent at the tip; w: radius
  normal_a: vec4f,   // rest normal at the base; w: metres along the axis
  normal_b: vec4f,   // rest normal at the tip; w: metres along the axis
  chord: vec4f,      // rest chord, a unit vector; w: how much its axis widens where it begins
};

struct Leaf {
  turn: vec4f,       // quaternion x, y, z, w from the leaf's frame to the plant's, at rest
  segment: u32,
  place: f32,        // along the segment
  size: f32,         // m
  open: f32,         // 0 inside the crown, 1 at its surface
  number: u32,       // in the whole plant
  exposure: f32,     // wind at the leaf over that at the crown
  loose: f32,        // 1 for a single leaf, less for one that stands for several
};

struct Mesh {
  count: vec4u,      // nodes; sides and rings of a tube; leaves
  crown: vec4f,      // middle of the crown, m; w: its radius
  bark: vec4f,       // colour; w: which pattern
  leaf: vec4f,       // colour; w: the species' own length of a leaf, m
  style: vec4f,      // moss, 0 to 1
  aspect: vec4f,     // width over length of a card with one leaf, a spray, a bough, a branch
  stretch: vec4f,    // length of such a card over that of one leaf of the same area
  flutter: Flutter,  // how leaves move; its clock is that of the frame
  season: Season,
};

@group(2) @binding(0) var<uniform> u_mesh: Mesh;
@group(2) @binding(1) var<storage, read> b_segments: array<Segment>;
@group(2) @binding(2) var<storage, read> b_leaves: array<Leaf>;

struct Surface {
  world: vec3f,
  normal: vec3f,
};

fn point_of(slot: u32, node: u32) -> vec3f {
  return b_points[slot * u_mesh.count.x + node].xyz;
}

// Strain at the base of the segment that ends at a node; 0 unless it is asked for.
fn strain_of(slot: u32, node: u32) -> f32 {
  return b_points[slot * u_mesh.count.x + node].w;
}

// Turn v by the shortest arc from unit vector a to unit vector b.
fn arc(a: vec3f, b: vec3f, v: vec3f) -> vec3f {
  let k = cross(a, b);
  let kv = cross(k, v);
  return v + kv + cross(k, kv) / max(1.0 + dot(a, b), 1e-3);
}

// How large a leaf is while two levels share a plant: one after the other, they shrink to nothing.
fn unfolded(fade: f32, number: u32) -> f32 {
  return smoothstep(0.0, 0.25, 1.25 * abs(fade) - hash(number * 3u + 11u));
}

fn direction(v: vec3f, otherwise: vec3f) -> vec3f {
  let size = length(v);
  return select(otherwise, v / size, size > 1e-9);
}

// A point on a tube around the cubic between a segment's ends (Stam 1996, eq. 1): t along it, angle around it.
// `widen` is the least radius, in m, that can be seen from the eye.
fn tube_point(slot: u32, segment: Segment, t: f32, angle: f32, least: f32) -> Surface {
  let a = point_of(slot, segment.node.y);
  let b = point_of(slot, segment.node.z);
  let chord = b - a;
  let size = length(chord);
  let along = direction(chord, segment.chord.xyz);
  let tangent_a = direction(b - point_of(slot, segment.node.x), along);
  let tangent_b = direction(point_of(slot, segment.node.w) - a, along);
  let bend = t * (1.0 - t) * ((1.0 - t) * (tangent_a * size - chord) - t * (tangent_b * size - chord));
  let tangent = direction(mix(tangent_a, tangent_b, t) * 0.75 + along * 0.25, along);
  let ahead = direction(mix(tangent_a, tangent_b, t), along);
  // The normal is carried from rest by the shortest arc, so bark does not swim.
  let normal_a = arc(segment.tangent_a.xyz, tangent_a, segment.normal_a.xyz);
  let normal_b = arc(segment.tangent_b.xyz, tangent_b, segment.normal_b.xyz);
  let level = mix(normal_a, normal_b, t);
  let u = direction(level - ahead * dot(level, ahead), vec3f(1.0, 0.0, 0.0));
  let v = cross(ahead, u);
  let out = u * cos(angle) + v * sin(angle);
  let own = mix(segment.tangent_a.w, segment.tangent_b.w, t);
  // Root flare of a trunk, with buttresses; collar of a branch.
  let way = mix(segment.normal_a.w, segment.normal_b.w, t);
  let lobes = 1.0 + 0.35 * select(0.0, cos(angle * 5.0) + 0.6 * cos(angle * 3.0 + 1.0), segment.chord.w > 0.6);
  let flare = 1.0 + segment.chord.w * lobes * exp(-way / (1.6 * segment.tangent_a.w + 1e-4));
  let radius = max(own * flare, least);
  return Surface(a + t * chord + bend + out * radius, out);
}

// A large card shows a spray of leaves, a larger one a bough; leaves keep their size, and fall one by one.
fn leaf_kind(leaf: Leaf, instance: Instance) -> u32 {
  let ratio = select(leaf.size / u_mesh.leaf.w, 1.0, instance.id.w == FALLEN);
  return u32(ratio > 1.4) + u32(ratio > 3.9) + u32(ratio > 7.5);
}

// Who a leaf is, for all that is random about it.
fn leaf_key(instance: Instance, leaf: Leaf) -> u32 {
  return key_of(u_mesh.flutter.turns.y, instance.id.x, leaf.number);
}

// How leaves move at this moment. In a loop every rhythm goes round a whole number of times.
fn flutter_now() -> Flutter {
  var how = u_mesh.flutter;
  let period = select(RHYTHM_PERIOD, u_frame.glow.w, u_frame.glow.w > 0.0);
  how.turns.x = max(u32(round(f32(how.turns.x) * (period / RHYTHM_PERIOD))), 1u);
  how.turns.z = u32(fract(u_frame.eye.w / period) * 4294967296.0);
  return how;
}

// Θ_H, Θ_V and Θ_R of a leaf, and Θ_R of a single one; see `leaf_angles`.
fn angles_of(leaf: Leaf, key: u32, instance: Instance) -> vec4f {
  let air = clamp(b_air[instance.id.x].xyz, vec3f(-1e6), vec3f(1e6));
  let c = instance.turn.x;
  let s = instance.turn.y;
  let wind = vec3f(c * air.x - s * air.z, air.y, s * air.x + c * air.z);
  return leaf_angles(flutter_now(), key, back(leaf.turn, wind) * leaf.exposure, leaf.loose);
}

// Where a leaf is that may have come off: foot in the world, with 0 in w while it hangs; orientation.
struct Fallen {
  foot: vec4f,
  turn: vec4f,
};

const FALLEN = 2u;  // in `id.w` of an instance that shows the leaves that came off; 1 for those that hang, 0 for all

fn fallen_leaf(instance: Instance, leaf: Leaf) -> Fallen {
  let at = 2u * (instance.id.x * u_mesh.flutter.turns.w + leaf.number);
  return Fallen(b_cards[at], b_cards[at + 1u]);
}

// Whether a leaf is one of those that an instance shows.
fn is_shown(instance: Instance, leaf: Leaf) -> bool {
  if (instance.id.w == 0u) { return true; }
  return (fallen_leaf(instance, leaf).foot.w != 0.0) == (instance.id.w == FALLEN);
}

// A point of a leaf that came off: a single one, grown.
fn fallen_point(leaf: Leaf, corner: vec2f, instance: Instance) -> Surface {
  let fallen = fallen_leaf(instance, leaf);
  let size = sqrt(leaf.size * u_mesh.leaf.w) * u_mesh.stretch.x * instance.place.w;
  let card = vec3f(corner.x * u_mesh.aspect.x, corner.y, -0.12 * corner.y * corner.y) * size;
  let world = fallen.foot.xyz + turned_by(fallen.turn, card) * f32(is_shown(instance, leaf));
  let normal = instance.place.xyz + turned_by(fallen.turn, vec3f(0.0, 0.0, instance.place.w));
  return Surface(from_world(instance, world), from_world(instance, normal));
}

// A point of a leaf's card: corner x across from -0.5 to 0.5, y along from 0 to 1.
fn leaf_point(slot: u32, leaf: Leaf, corner: vec2f, instance: Instance) -> Surface {
  if (instance.id.w == FALLEN) { return fallen_point(leaf, corner, instance); }
  let segment = b_segments[leaf.segment];
  let a = point_of(slot, segment.node.y);
  let b = point_of(slot, segment.node.z);
  let along = direction(b - a, segment.chord.xyz);
  let key = leaf_key(instance, leaf);
  let angles = angles_of(leaf, key, instance);
  let kind = leaf_kind(leaf, instance);
  let grown = f32(is_shown(instance, leaf)) * unfolded(instance.turn.w, leaf.number) * season_size(u_mesh.season, key);
  let size = leaf.size * u_mesh.stretch[kind] * grown;
  let flat_card = vec3f(corner.x * u_mesh.aspect[kind], corner.y, -0.12 * corner.y * corner.y) * size;
  let card = turned_by(leaf.turn, fluttered(angles.xyz, flat_card));
  // The light on many leaves changes as that on each of them does.
  let normal = turned_by(leaf.turn, fluttered(angles.xyw, vec3f(0.0, 0.0, 1.0)));
  let foot = mix(a, b, leaf.place);
  return Surface(foot + arc(segment.chord.xyz, along, card), normalize(arc(segment.chord.xyz, along, normal)));
}
