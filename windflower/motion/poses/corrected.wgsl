// The paper's correction, u = Σ s v + s² w with s = atan(b q)/b (eq. 17–19): the twin of `CorrectedPose`.
// Rows of b_shape: v with b, w with 1/b, of one shape after the other. Rests are positions.
// include "motion/poses/pose.wgsl"

fn summed(node: u32) -> Sums {
  var xa = vec4f(0.0); var ya = vec4f(0.0); var za = vec4f(0.0);
  var xb = vec4f(0.0); var yb = vec4f(0.0); var zb = vec4f(0.0);
  for (var k = 0u; k < u_level.shapes; k++) {
    let v = b_shape[2u * k * u_level.nodes + node];
    let w = b_shape[(2u * k + 1u) * u_level.nodes + node];
    let sa = atan(v.w * amount[2u * k]) * w.w;
    let sb = atan(v.w * amount[2u * k + 1u]) * w.w;
    xa += sa * (v.x + sa * w.x); ya += sa * (v.y + sa * w.y); za += sa * (v.z + sa * w.z);
    xb += sb * (v.x + sb * w.x); yb += sb * (v.y + sb * w.y); zb += sb * (v.z + sb * w.z);
  }
  return Sums(xa, ya, za, xb, yb, zb);
}

fn placed(rest: vec3f, u: vec3f) -> vec3f {
  return rest + u;
}
