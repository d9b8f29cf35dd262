// The wind from time slabs of a grid: linear in space and time; outside the grid its edge holds.

fn in_slabs(point: vec3f, slab: f32) -> vec3f {
  let first = floor(slab);
  let a = (u_stand.ring.y + u32(first)) % u_stand.ring.z;
  let b = (a + 1u) % u_stand.ring.z;
  let last = vec3f(u_stand.grid.xyz) - 1.0;
  let at = clamp((point - u_stand.low.xyz) * u_stand.pace.xyz, vec3f(0.0), last);
  let low = vec3u(at);
  let high = min(low + 1u, u_stand.grid.xyz - 1u);
  let part = at - vec3f(low);
  return mix(in_slab(a, low, high, part), in_slab(b, low, high, part), slab - first);
}

fn in_slab(slab: u32, low: vec3u, high: vec3u, part: vec3f) -> vec3f {
  let x0 = (slab * u_stand.grid.x + low.x) * u_stand.grid.y;
  let x1 = (slab * u_stand.grid.x + high.x) * u_stand.grid.y;
  let near = mix(in_column(x0 + low.y, low.z, high.z, part.z), in_column(x0 + high.y, low.z, high.z, part.z), part.y);
  let far = mix(in_column(x1 + low.y, low.z, high.z, part.z), in_column(x1 + high.y, low.z, high.z, part.z), part.y);
  return mix(near, far, part.x);
}

fn in_column(column: u32, low: u32, high: u32, part: f32) -> vec3f {
  return mix(b_wind[column * u_stand.grid.z + low].xyz, b_wind[column * u_stand.grid.z + high].xyz, part);
}
