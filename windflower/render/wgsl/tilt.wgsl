// Relief from a texture of slopes.

// A normal with the slopes of a relief, along the directions in which its texture runs (Schueler 2006).
fn tilted(world: vec3f, n: vec3f, along_x: vec2f, along_y: vec2f, slope: vec2f) -> vec3f {
  let dx = dpdx(world);
  let dy = dpdy(world);
  let across = cross(dy, n);
  let along = cross(n, dx);
  let right = across * along_x.x + along * along_y.x;
  let up = across * along_x.y + along * along_y.y;
  let size = inverseSqrt(max(max(dot(right, right), dot(up, up)), 1e-30)) * sign(dot(dx, across));
  return normalize(n - (right * slope.x + up * slope.y) * size);
}
