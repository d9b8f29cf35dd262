// Grids of posed points, of blades and sheets: the twin of geometry/grids.py.
// include "render/wgsl/instance.wgsl"

struct Vertex {
  node: u32,         // which of an instance's points it is
  sheet: u32,
  along: vec2u,      // the points before and after it along the sheet, and across it; its own at an edge
  across: vec2u,
  uv: vec2f,         // across and along, 0 to 1
};

struct Style {
  count: vec4u,      // points of an instance; pattern
  colour: vec4f,     // w: how much light passes through
  second: vec4f,     // second colour of the pattern; w: stripes or veins
  shape: vec4f,      // length over width; how far it lies before its points, m
};

@group(2) @binding(0) var<uniform> u_style: Style;
@group(2) @binding(1) var<storage, read> b_vertices: array<Vertex>;
@group(3) @binding(0) var<storage, read> b_points_before: array<vec4f>;  // `b_points` of the frame before

struct Corner {
  point: vec3f,      // in the plant's own frame
  normal: vec3f,
};

fn point_of(slot: u32, node: u32) -> vec3f {
  return b_points[slot * u_style.count.x + node].xyz;
}

fn point_before(slot: u32, node: u32) -> vec3f {
  return b_points_before[slot * u_style.count.x + node].xyz;
}

// Smooth normals from the neighbours in the grid; where a tip has no width, any will do.
fn grid_corner(slot: u32, vertex: Vertex) -> Corner {
  let along = point_of(slot, vertex.along.y) - point_of(slot, vertex.along.x);
  let across = point_of(slot, vertex.across.y) - point_of(slot, vertex.across.x);
  return corner_about(point_of(slot, vertex.node), along, across);
}

// The same corner in the frame before.
fn grid_corner_before(slot: u32, vertex: Vertex) -> Corner {
  let along = point_before(slot, vertex.along.y) - point_before(slot, vertex.along.x);
  let across = point_before(slot, vertex.across.y) - point_before(slot, vertex.across.x);
  return corner_about(point_before(slot, vertex.node), along, across);
}

fn corner_about(point: vec3f, along: vec3f, across: vec3f) -> Corner {
  let n = cross(across, along);
  let size = length(n);
  let normal = select(vec3f(0.0, 1.0, 0.0), n / size, size > 1e-12);
  return Corner(point + u_style.shape.y * normal, normal);
}
