// Σ amount · shape, for pose.wgsl. Rows of b_shape: x of four shapes, y of the four, z of the four, and so on.

fn summed(node: u32) -> Sums {
  var xa = vec4f(0.0); var ya = vec4f(0.0); var za = vec4f(0.0);
  var xb = vec4f(0.0); var yb = vec4f(0.0); var zb = vec4f(0.0);
  for (var k = 0u; k < SHAPES / 4u; k++) {
    let x = b_shape[3u * k * u_level.nodes + node];
    let y = b_shape[(3u * k + 1u) * u_level.nodes + node];
    let z = b_shape[(3u * k + 2u) * u_level.nodes + node];
    let a0 = amount[8u * k]; let a1 = amount[8u * k + 2u]; let a2 = amount[8u * k + 4u]; let a3 = amount[8u * k + 6u];
    xa = xa + a0 * x.x + a1 * x.y + a2 * x.z + a3 * x.w;
    ya = ya + a0 * y.x + a1 * y.y + a2 * y.z + a3 * y.w;
    za = za + a0 * z.x + a1 * z.y + a2 * z.z + a3 * z.w;
    let b0 = amount[8u * k + 1u]; let b1 = amount[8u * k + 3u]; let b2 = amount[8u * k + 5u]; let b3 = amount[8u * k + 7u];
    xb = xb + b0 * x.x + b1 * x.y + b2 * x.z + b3 * x.w;
    yb = yb + b0 * y.x + b1 * y.y + b2 * y.z + b3 * y.w;
    zb = zb + b0 * z.x + b1 * z.y + b2 * z.z + b3 * z.w;
  }
  return Sums(xa, ya, za, xb, yb, zb);
}
