// What all kernels of broad leaves know: the sizes of a stand, its instances, segments, and rows of blades.
// include "motion/places.wgsl"

struct Body {
  count: u32,      // instances
  nodes: u32,      // of a plant
  blades: u32,
  along: u32,      // rows of a blade
  across: u32,     // points of a row
  stride: u32,     // points of an instance: its nodes, then those of its blades
  depths: u32,     // of segments, that of the roots included
  paper: u32,      // 1: force by velocity, as printed; 0: by its square
  share: f32,      // that a segment hands to its parent
  stem: f32,       // ½ ρ C, or the pressure for each m/s
  damping: f32,    // ratio
  overtone: f32,   // frequency, over that of an axis's first mode, with which all else is damped
  flutter: f32,    // share of the wind's speed that eddies have at a rim
  wake: f32,       // share of the air's drag that slows joints besides
};

struct Instance {
  place: Place,
  step: f32,       // sub-step in its own time, s
};

// How a segment has turned, and what it feels.
struct Joint {
  turn: vec4f,     // rad
  rate: vec4f,     // rad/s
  swing: vec4f,    // how much its axis swings as a whole
  x: vec4f,        // the frame now: across, along, normal
  y: vec4f,
  z: vec4f,
  force: vec4f,    // of all that it feels, N; w: grip, N s/m
  moment: vec4f,   // about the origin, N m; w: stiffness of wind and contact, N/m
};

struct Row {
  node: vec4u,     // nodes around its place on the mid-rib …
  weight: vec4f,   // … and how much they say of it
  slide: vec4f,    // how it goes back where the mid-rib's curve lengthens: 1/m for products of chords 0·1, 1·2, 0·2; and m
  segment: vec2u,  // the segment that carries it, by depth; the neighbouring one …
  blend: f32,      // … and its share in the frame
  width: f32,      // half of it, m
  arm: f32,        // m
  low: f32,        // least and greatest lift at rest, m
  high: f32,
  kink: f32,
  stretch: f32,    // how much longer and shorter than flat a vein may be
  shrink: f32,
  pace: f32,       // of the blade's eddies, rad/m
  bud: u32,        // the blade's node
  reach: f32,      // half the length of the mid-rib, m
  ease: f32,       // how much more a force on it speeds it up than one spread over the blade
};
