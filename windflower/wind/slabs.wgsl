// The wind from time slabs of a grid: linear in space and time; outside the grid its edge holds. Twin of `WindSlabs`.

struct Slabs {
  low: vec3f,     // corner of the grid, m
  slab: f32,      // the slab, counted from the first, when the count of steps is `steps`
  pace: vec3f,    // grid points per m
  per_step: f32,  // slabs
  points: vec3u,  // of the grid along x, y, z
  ring: u32,      // slabs that the ring has
  first: u32,     // where in the ring the first slab is
  steps: u32,
};

@group(0) @binding(1) var<storage, read> b_wind: array<vec4f>;  // ring x points, m/s

// The wind at a point so many slabs after the first, m/s.
fn in_slabs(slabs: Slabs, point: vec3f, slab: f32) -> vec3f {
  let before = floor(slab);
  let a = (slabs.first + u32(before)) % slabs.ring;
  let b = (a + 1u) % slabs.ring;
  let at = clamp((point - slabs.low) * slabs.pace, vec3f(0.0), vec3f(slabs.points) - 1.0);
  let low = vec3u(at);
  let high = min(low + 1u, slabs.points - 1u);
  let part = at - vec3f(low);
  return mix(in_slab(slabs, a, low, high, part), in_slab(slabs, b, low, high, part), slab - before);
}

fn in_slab(slabs: Slabs, slab: u32, low: vec3u, high: vec3u, part: vec3f) -> vec3f {
  let near = in_wall(slabs, slab * slabs.points.x + low.x, low, high, part);
  let far = in_wall(slabs, slab * slabs.points.x + high.x, low, high, part);
  return mix(near, far, part.x);
}

fn in_wall(slabs: Slabs, wall: u32, low: vec3u, high: vec3u, part: vec3f) -> vec3f {
  let below = (wall * slabs.points.y + low.y) * slabs.points.z;
  let above = (wall * slabs.points.y + high.y) * slabs.points.z;
  let lower = mix(b_wind[below + low.z].xyz, b_wind[below + high.z].xyz, part.z);
  return mix(lower, mix(b_wind[above + low.z].xyz, b_wind[above + high.z].xyz, part.z), part.y);
}
