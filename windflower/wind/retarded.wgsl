// The wind from time slabs of walls across it, in retarded time along it: twin of `RetardedSlabs`.

struct Retarded {
  low: vec3f,     // of the grid along the wind, up and to its left, m
  slab: f32,      // at the moment, counted from the first
  pace: vec3f,    // grid points per m; of heights, per ∛m
  lead: f32,      // slabs in which eddies go from wall to wall
  points: vec3u,  // walls, heights, points across
  ring: u32,      // slabs that the ring has
  along: vec2f,   // x and z of the wind's direction, and of its left
  left: vec2f,
  first: u32,     // where in the ring the first slab is
};

@group(0) @binding(1) var<storage, read> b_wind: array<vec4f>;  // ring x points, m/s

// The wind at a point, m/s; outside the grid its edge holds.
fn retarded(wind: Retarded, point: vec3f) -> vec3f {
  let seen = vec3f(dot(wind.along, point.xz), pow(max(point.y, 0.0), 1.0 / 3.0), dot(wind.left, point.xz)) - wind.low;
  let at = clamp(seen * wind.pace, vec3f(0.0), vec3f(wind.points) - 1.0);
  let wall = min(u32(at.x), max(wind.points.x, 2u) - 2u);
  let part = at.x - f32(wall);
  let before = at_wall(wind, wall, at.yz, wind.slab - part * wind.lead);
  let behind = at_wall(wind, min(wall + 1u, wind.points.x - 1u), at.yz, wind.slab + (1.0 - part) * wind.lead);
  return mix(before, behind, part);
}

fn at_wall(wind: Retarded, wall: u32, at: vec2f, slab: f32) -> vec3f {
  let early = floor(slab);
  let a = (wind.first + u32(early)) % wind.ring;
  let b = (a + 1u) % wind.ring;
  return mix(on_wall(wind, a * wind.points.x + wall, at), on_wall(wind, b * wind.points.x + wall, at), slab - early);
}

fn on_wall(wind: Retarded, wall: u32, at: vec2f) -> vec3f {
  let low = vec2u(at);
  let high = min(low + 1u, wind.points.yz - 1u);
  let part = at - vec2f(low);
  let below = (wall * wind.points.y + low.x) * wind.points.z;
  let above = (wall * wind.points.y + high.x) * wind.points.z;
  let lower = mix(b_wind[below + low.y].xyz, b_wind[below + high.y].xyz, part.y);
  return mix(lower, mix(b_wind[above + low.y].xyz, b_wind[above + high.y].xyz, part.y), part.x);
}
