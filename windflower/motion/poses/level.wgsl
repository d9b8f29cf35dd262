// A level of detail of a stand that modes move: what the kernels that pose it know of it.

struct Level {
  nodes: u32,
  shapes: u32,   // modes and static vectors that it keeps
  slots: u32,    // instances that are posed
  chunk: u32,    // of nodes, the first that a dispatch of rotated.wgsl poses; chunks: behind the last
  chunks: u32,
  amounts: u32,  // modes and static vectors of the motion
};
