// Corners of triangles that need no buffer: a vertex knows them by its number.

// One triangle that covers the whole picture: x and y, of which those from -1 to 1 are seen.
fn screen_corner(vertex: u32) -> vec2f {
  return vec2f(f32((vertex << 1u) & 2u), f32(vertex & 2u)) * 2.0 - 1.0;
}

// Two triangles that are a square, from 0 to 1.
fn quad_corner(vertex: u32) -> vec2u {
  return (vec2u(0x32u, 0x2Cu) >> vec2u(vertex)) & vec2u(1u);
}
