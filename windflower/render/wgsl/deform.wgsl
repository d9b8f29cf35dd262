// Where the posed plant is: the one place that picture, shadow and picking share.
//
// In two steps, as in geometry/frames.py and geometry/triangle_mesh.py, which are its twins: `segment_frame` and `leaf_frame`
// from posed nodes to frames, then `tube_corner` and `card_corner` from a frame to a vertex. All in the plant's own frame.
// The first step is taken once a frame, by the deform pass (deform_wood.wgsl, deform_leaves.wgsl), the second by vertex shaders.
// What is turned with a segment is turned by the shortest arc from rest to pose, of its chord or of a tangent.
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
  foot: vec4f,       // girths along the axis to the base and the tip; radius of the axis where it begins, m; see `joins`
  width: vec4f,      // how much wider it is drawn where it stands for twigs that are not, as 1 or more: see twig_widths.py
};

struct Leaf {
  turn: vec4f,       // quaternion x, y, z, w from the leaf's frame to the plant's, at rest
  segment: u32,
  place: f32,        // along the segment
  size: f32,         // m
  open: f32,         // share of the sky's light that its crown leaves to it, 0 to 1
  number: u32,       // in the whole plant
  exposure: f32,     // wind at the leaf over that at the crown
  loose: f32,        // 1 for a single leaf, less for one that stands for several
  bent: u32,         // where most of that light comes from in the plant's frame, three signed bytes
};

struct Mesh {
  count: vec4u,      // nodes; sides and rings of a tube; leaves
  parts: vec4u,      // segments; the first of those that are twigs
  crown: vec4f,      // middle of the crown, m; w: its radius
  bark: vec4f,       // colour; w: height of the relief of its foot over a tile's width
  leaf: vec4f,       // colour; w: the species' own length of a leaf, m
  second: vec4f,     // colour of what is in the bark's furrows, or of its scars; w: height of the relief above the foot
  young: vec4f,      // colour of twigs; w: 1 if it differs from that of the bark
  old: vec4f,        // colour of bark at the foot; w: how high it reaches, m, 0 for none
  means: vec4f,      // mean weights of the bark's colour and of the second one, darkened by hollows, above and at the foot
  style: vec4f,      // moss, 0 to 1
  aspect: vec4f,     // as in `Cards`
  stretch: vec4f,
  flutter: Flutter,  // how leaves move; its clock is that of the frame
  season: Season,
};

@group(2) @binding(0) var<uniform> u_mesh: Mesh;
@group(2) @binding(1) var<storage, read> b_segments: array<Segment>;
@group(2) @binding(2) var<storage, read> b_leaves: array<Leaf>;

// Both ends of a segment of a posed plant.
struct SegmentFrame {
  base: vec4f,          // w: radius there, m
  tip: vec4f,           // w: radius
  tangent_base: vec4f,  // w: metres along the axis
  tangent_tip: vec4f,   // w: metres along the axis
  normal_base: vec4f,   // w: how much its axis widens where it begins
  normal_tip: vec4f,
  foot: vec4f,          // as in `Segment`
};

// Where a leaf sits, how it is turned, and how large its card is.
struct LeafFrame {
  foot: vec4f,          // w: length of the card, m; 0 where it is not shown
  turn: vec4f,          // quaternion x, y, z, w from the card's frame to the plant's
  card: vec4f,          // its width, m; how much further single leaves are twisted than the card that shows them, rad
};

struct Corner {
  point: vec3f,
  normal: vec3f,
};

// Which vertex of a tube a vertex is: its segment, t along that from 0 to 1, and an angle around it.
struct TubeVertex {
  segment: u32,
  t: f32,
  angle: f32,
};

const SAG = 0.12;        // of a card's length that its tip hangs below the plane of its foot
const BUTTRESSED = 0.6;  // flare from which a trunk has buttresses
const BUTTRESSES = 6.0;
const SHARE = 0.3;       // mean of a ridge over its crest
const ROUND = 10u;       // sides below which a tube has no buttresses
const HIDDEN = 0.4;      // radius of the end of a bough in its parent, over its own
const BURIED = 0.6;      // how deep a trunk's foot is in the ground, in radii
const FALLEN = 2u;       // in `id.w` of an instance that shows the leaves that came off; 1 for those that hang, 0 for all

fn point_of(slot: u32, node: u32) -> vec3f {
  return b_points[slot * u_mesh.count.x + node].xyz;
}

// Strain at the base of the segment that ends at a node; 0 unless it is asked for.
fn strain_of(slot: u32, node: u32) -> f32 {
  return b_points[slot * u_mesh.count.x + node].w;
}

fn direction(v: vec3f, otherwise: vec3f) -> vec3f {
  let size = length(v);
  return select(otherwise, v / size, size > 1e-9);
}

// The rotation on the shortest way from a unit vector to another.
fn shortest_arc(a: vec3f, b: vec3f) -> vec4f {
  return normalize(vec4f(cross(a, b), max(1.0 + dot(a, b), 1e-7)));
}

// Step one: tangents run through the neighbours on the same axis; normals are carried from rest, so bark does not swim.
fn segment_frame(slot: u32, segment: Segment) -> SegmentFrame {
  let a = point_of(slot, segment.node.y);
  let b = point_of(slot, segment.node.z);
  let along = direction(b - a, segment.chord.xyz);
  let tangent_a = direction(b - point_of(slot, segment.node.x), along);
  let tangent_b = direction(point_of(slot, segment.node.w) - a, along);
  let normal_a = turned_by(shortest_arc(segment.tangent_a.xyz, tangent_a), segment.normal_a.xyz);
  let normal_b = turned_by(shortest_arc(segment.tangent_b.xyz, tangent_b), segment.normal_b.xyz);
  return SegmentFrame(
    vec4f(a, segment.tangent_a.w),
    vec4f(b, segment.tangent_b.w),
    vec4f(tangent_a, segment.normal_a.w),
    vec4f(tangent_b, segment.normal_b.w),
    vec4f(normal_a, segment.chord.w),
    vec4f(normal_b, 0.0),
    segment.foot,
  );
}

// A vertex of a tube; those of a segment are numbered ring by ring.
fn tube_vertex(vertex: u32) -> TubeVertex {
  let sides = u_mesh.count.y;
  let rings = u_mesh.count.z;
  let each = sides * (rings + 1u);
  let own = vertex % each;
  return TubeVertex(vertex / each, f32(own / sides) / f32(rings), 6.2831853 * f32(own % sides) / f32(sides));
}

override BANDS: bool = false;  // all of them

// Whether tubes are drawn as bands, see `band_corner`: they have two sides.
fn is_band() -> bool {
  return BANDS || u_mesh.count.y == 2u;
}

// Metres along its axis, and the radius without flare, m.
fn along_tube(frame: SegmentFrame, t: f32) -> vec2f {
  return vec2f(mix(frame.tangent_base.w, frame.tangent_tip.w, t), mix(frame.base.w, frame.tip.w, t));
}

// Where the middle of a tube is, and what goes along and across it: on the cubic between a segment's ends (Stam 1996, eq. 1).
struct Middle {
  point: vec3f,
  ahead: vec3f,
  across: vec3f,
};

// At both ends its numbers are those of the ends themselves, to the last bit: neighbours meet without a crack.
fn middle_of(frame: SegmentFrame, t: f32) -> Middle {
  let chord = frame.tip.xyz - frame.base.xyz;
  let size = length(chord);
  let tangent_a = frame.tangent_base.xyz;
  let tangent_b = frame.tangent_tip.xyz;
  let bend = t * (1.0 - t) * ((1.0 - t) * (tangent_a * size - chord) - t * (tangent_b * size - chord));
  let inside = Middle(frame.base.xyz + t * chord + bend, direction(mix(tangent_a, tangent_b, t), tangent_a), mix(frame.normal_base.xyz, frame.normal_tip.xyz, t));
  let first = t <= 0.0;
  let last = t >= 1.0;
  return Middle(
    select(select(inside.point, frame.tip.xyz, last), frame.base.xyz, first),
    select(select(inside.ahead, tangent_b, last), tangent_a, first),
    select(select(inside.across, frame.normal_tip.xyz, last), frame.normal_base.xyz, first),
  );
}

// The same of two numbers that it has at its ends.
fn between_ends(a: f32, b: f32, t: f32) -> f32 {
  return select(select(mix(a, b, t), b, t >= 1.0), a, t <= 0.0);
}

// How much of a buttress there is at an angle around a trunk, 0 to 1; their mean where there are too few sides to show them.
fn buttress(angle: f32, phase: f32) -> f32 {
  let turn = 6.2831853 * phase;
  let warped = angle + 0.25 * sin(angle + turn) + 0.12 * sin(2.0 * angle + 3.0 * turn);
  let ridge = 0.5 + 0.5 * cos(BUTTRESSES * warped);
  return select((0.8 + 0.2 * sin(angle + 4.0 * turn)) * ridge * ridge, SHARE, u_mesh.count.y < ROUND);
}

// Factor on the radius: root flare of a trunk, with buttresses that run out into its roots; collar of a branch.
fn widened(angle: f32, along: f32, foot: f32, flare: f32, phase: f32) -> f32 {
  let z = along / max(foot, 1e-4);
  let ridged = 0.5 * exp(-z / 1.8) + buttress(angle, phase) * (0.7 * exp(-z / 1.1) + 0.8 * exp(-z / 0.3));
  return 1.0 + flare * select(exp(-z / 1.6), ridged, flare > BUTTRESSED);
}

// `foot.w` of a segment: a random number of its trunk, and as its whole part how many sides there are in the ring that its
// last one has to join, 0 for as many as its own; less than 0 for a side axis. On that ring its corners lie on the sides of the coarser one.
fn joins(foot: f32, angle: f32, t: f32) -> f32 {
  let sides = floor(foot);
  let half = 3.14159265 / max(sides, 1.0);
  let off = angle - 2.0 * half * floor(angle / (2.0 * half)) - half;
  return select(1.0, cos(half) / cos(off), sides > 0.0 && t >= 1.0);
}

// Step two: a point on a tube. `least` is the least radius, m, that can be seen by the camera.
fn tube_corner(frame: SegmentFrame, t: f32, angle: f32, least: f32) -> Corner {
  let middle = middle_of(frame, t);
  let u = direction(middle.across - middle.ahead * dot(middle.across, middle.ahead), vec3f(1.0, 0.0, 0.0));
  let v = cross(middle.ahead, u);
  let out = u * cos(angle) + v * sin(angle);
  let along = between_ends(frame.tangent_base.w, frame.tangent_tip.w, t);
  let radius = between_ends(frame.base.w, frame.tip.w, t);
  let foot = frame.foot.z;
  let flare = frame.normal_base.w;
  let phase = fract(frame.foot.w);
  let wide = widened(angle, along, foot, flare, phase);
  let around = (widened(angle + 0.03, along, foot, flare, phase) - wide) / (0.03 * wide);
  let upward = (widened(angle, along + 0.03 * foot, foot, flare, phase) - wide) * radius / max(0.03 * foot, 1e-4);
  // A trunk goes on into the ground, which may slope.
  let buried = select(0.0, BURIED * foot, along <= 0.0 && flare > BUTTRESSED);
  let tilt = (v * cos(angle) - u * sin(angle)) * around + middle.ahead * upward;
  let normal = normalize(out - tilt * select(1.0, 0.0, buried > 0.0));
  // The end of a bough is hidden in its parent, which may be no thicker.
  let hidden = select(1.0, HIDDEN, frame.foot.w < 0.0 && along <= 0.0 && u_mesh.count.z >= 2u);
  let size = max(radius * wide, least) * joins(frame.foot.w, angle, t) * hidden;
  return Corner(middle.point + out * size - middle.ahead * buried, normal);
}

// Step two, of a tube that is too thin for its sides to be seen: a band that faces `toward`, with a round tube's normals.
fn band_corner(frame: SegmentFrame, t: f32, side: f32, toward: vec3f, least: f32) -> Corner {
  let middle = middle_of(frame, t);
  let across = direction(cross(middle.ahead, toward), cross(middle.ahead, middle.across));
  let along = between_ends(frame.tangent_base.w, frame.tangent_tip.w, t);
  let radius = between_ends(frame.base.w, frame.tip.w, t) * (1.0 + frame.normal_base.w * exp(-along / (1.6 * frame.foot.z + 1e-4)));
  let normal = 0.5 * cross(across, middle.ahead) + 0.8660254 * side * across;
  return Corner(middle.point + side * across * max(radius, least), normal);
}

// A large card shows a spray of leaves, a larger one a bough; leaves keep their size, and fall one by one.
fn leaf_kind(leaf: Leaf, instance: Instance) -> u32 {
  let ratio = select(leaf.size / u_mesh.leaf.w, 1.0, instance.id.w == FALLEN);
  return u32(ratio > 1.4) + u32(ratio > 3.1) + u32(ratio > 4.5);
}

// Who a leaf is, for all that is random about it.
fn leaf_key(instance: Instance, leaf: Leaf) -> u32 {
  return key_of(u_mesh.flutter.turns.y, instance.id.x, leaf.number);
}

// How leaves move at this moment. In a loop every rhythm goes round a whole number of times.
fn flutter_now() -> Flutter {
  var how = u_mesh.flutter;
  let period = select(RHYTHM_PERIOD, u_frame.clock.z, u_frame.clock.z > 0.0);
  let cells = how.pace.x * f32(how.turns.x) / LEAF_CYCLES * (period / RHYTHM_PERIOD);
  how.turns.x = max(u32(round(cells)), 1u);
  how.pace.x = LEAF_CYCLES * cells / f32(how.turns.x);
  how.turns.z = u32(fract(u_frame.clock.x / period) * 4294967296.0);
  how.periods = u32(u_frame.clock.y);
  how.loops = u32(u_frame.clock.z > 0.0);
  return how;
}

// Θ_H, Θ_V and Θ_R of a leaf, and Θ_R of a single one; see `leaf_angles`.
fn angles_of(leaf: Leaf, key: u32, instance: Instance) -> vec4f {
  let wind = turned_back(instance, clamp(b_air[instance.id.x].xyz, vec3f(-1e6), vec3f(1e6)));
  return leaf_angles(flutter_now(), key, back(leaf.turn, wind) * leaf.exposure, leaf.loose);
}

// How large a leaf is while two levels share a plant: one after the other those of one level shrink to nothing, as the
// same leaves of the other level grow.
fn unfolded(fade: f32, number: u32) -> f32 {
  let turn = uniform_of(scrambled(number * 3u + 11u));
  return smoothstep(0.0, 0.25, 1.25 * abs(fade) - select(turn, 1.0 - turn, fade < 0.0));
}

// Where a leaf is that may have come off: foot in the world, with 0 in w while it hangs; orientation.
struct Fallen {
  foot: vec4f,
  turn: vec4f,
};

fn fallen_leaf(instance: Instance, leaf: Leaf) -> Fallen {
  let at = 2u * (instance.id.x * u_mesh.flutter.turns.w + leaf.number);
  return Fallen(b_cards[at], b_cards[at + 1u]);
}

// Whether a leaf is one of those that an instance shows.
fn is_shown(instance: Instance, leaf: Leaf) -> bool {
  if (instance.id.w == 0u) { return true; }
  return (fallen_leaf(instance, leaf).foot.w != 0.0) == (instance.id.w == FALLEN);
}

// Step one, of a leaf that came off: a single one, grown.
fn fallen_frame(leaf: Leaf, instance: Instance) -> LeafFrame {
  let fallen = fallen_leaf(instance, leaf);
  let size = sqrt(leaf.size * u_mesh.leaf.w) * u_mesh.stretch.x * f32(is_shown(instance, leaf));
  let turn = joined(yaw_back(instance), fallen.turn);
  return LeafFrame(vec4f(from_world(instance, fallen.foot.xyz), size), turn, vec4f(size * u_mesh.aspect.x, 0.0, 0.0, 0.0));
}

// Step one: a leaf turns with its segment, and flutters.
fn leaf_frame(slot: u32, leaf: Leaf, instance: Instance) -> LeafFrame {
  if (instance.id.w == FALLEN) { return fallen_frame(leaf, instance); }
  let segment = b_segments[leaf.segment];
  let a = point_of(slot, segment.node.y);
  let b = point_of(slot, segment.node.z);
  let arc = shortest_arc(segment.chord.xyz, direction(b - a, segment.chord.xyz));
  let key = leaf_key(instance, leaf);
  let angles = angles_of(leaf, key, instance);
  let kind = leaf_kind(leaf, instance);
  let grown = f32(is_shown(instance, leaf)) * unfolded(instance.turn.w, leaf.number) * season_size(u_mesh.season, key);
  let size = leaf.size * u_mesh.stretch[kind] * grown;
  return LeafFrame(
    vec4f(mix(a, b, leaf.place), size),
    joined(arc, joined(leaf.turn, fluttered(angles.xyz))),
    vec4f(size * u_mesh.aspect[kind], angles.w - angles.z, 0.0, 0.0),
  );
}

// Step two: a point of a leaf's card, corner x across from -0.5 to 0.5, y along from 0 to 1.
// The light on many leaves changes as that on each of them does, so the normal is that of a single leaf.
fn card_corner(frame: LeafFrame, corner: vec2f) -> Corner {
  let size = frame.foot.w;
  let card = vec3f(corner.x * frame.card.x, corner.y * size, -SAG * corner.y * size);
  let light = vec3f(sin(frame.card.y), 0.0, cos(frame.card.y));
  return Corner(frame.foot.xyz + turned_by(frame.turn, card), turned_by(frame.turn, light));
}
