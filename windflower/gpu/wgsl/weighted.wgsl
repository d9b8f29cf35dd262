// Σ amount · shape, for pose.wgsl.

fn summed(node: u32, slot: u32, thread: u32) -> Sums {
  var xa = vec4f(0.0); var ya = vec4f(0.0); var za = vec4f(0.0);
  var xb = vec4f(0.0); var yb = vec4f(0.0); var zb = vec4f(0.0);
  for (var first = 0u; first < u_level.shapes; first += TILE) {
    load_amounts(first, slot, thread);
    let shapes = min(TILE, u_level.shapes - first);
    for (var k = 0u; k < shapes; k++) {
      let shape = b_shape[(first + k) * u_level.nodes + node];
      let qa = amount[2u * k];
      let qb = amount[2u * k + 1u];
      xa += qa * shape.x; ya += qa * shape.y; za += qa * shape.z;
      xb += qb * shape.x; yb += qb * shape.y; zb += qb * shape.z;
    }
  }
  return Sums(xa, ya, za, xb, yb, zb);
}
