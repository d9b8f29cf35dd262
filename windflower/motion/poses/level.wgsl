// A level of detail of a stand that modes move: what the kernels that pose it know of it.

struct Level {
  nodes: u32,
  shapes: u32,   // modes and static vectors that it keeps
  slots: u32,    // instances that are posed
  places: u32,   // of nodes in chunks, for rotated.wgsl
  chunk: u32,    // the first of its dispatch
  amounts: u32,  // modes and static vectors of the motion
};
