// A hand on a node of a plant.

struct Hand {
  target_point: vec3f,  // where the node shall be, in the plant's frame, m
  spring: f32,          // N/m; 0 once the hand has let go
  root: vec3f,          // on which the path of the node stands, m
  late: f32,            // ½ + lag/dt
  residual: mat3x3f,    // how far 1 N of pull moves the node beside what the modes do, m
  instance: u32,
  modes: u32,
  amounts: u32,         // modes and static vectors of the motion
  shapes: u32,          // those of the level, filled up to a multiple of four
  places: u32,          // of nodes in chunks
  path: u32,            // segments from the root to the node
  begins: u32,          // 1 in the first step of a hand
};

@group(0) @binding(0) var<uniform> u_hand: Hand;
