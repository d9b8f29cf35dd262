// What all kernels of broad leaves know: the sizes of a stand, its instances, and the rows of its blades.

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
  flutter: f32,    // share of the wind's speed that eddies have at a rim
};

struct Instance {
  place: vec4f,    // m; w: scale
  turn: vec4f,     // cos and sin of yaw; stiffness factor; sub-step in its own time, s
};

struct Row {
  node: vec4u,     // nodes around its place on the mid-rib …
  weight: vec4f,   // … and how much they say of it
  bearer: vec4u,   // the segment that bears it, by depth; the neighbouring one; bits of its share in the frame, and of the half width
  limits: vec4f,   // arm; least and greatest lift at rest, m; kink
  more: vec4f,     // how much longer and shorter than flat a vein may be; pace of the blade's eddies, rad/m; its bud's node
};
