// Segments turned by r = Σ q ψ: the first half of the twin of `RotatedPose`; paths.wgsl adds them up from the roots.
// Shapes are ψ, rests are chords, and at roots 0 and the position.
// include "motion/poses/pose.wgsl"
// include "motion/poses/weighted.wgsl"

const LIMIT = 2.38;  // as in motion/poses.py

// d turned by r: r <- r/√(1 + r²/LIMIT²), h = r/2, d + 2/(1 + h²) (h × d + h × (h × d)).
fn placed(d: vec3f, r: vec3f) -> vec3f {
  let square = dot(r, r);
  let soft = 1.0 + square / (LIMIT * LIMIT);
  let h = r * (0.5 * inverseSqrt(soft));
  let across = cross(h, d);
  return d + (across + cross(h, across)) * (2.0 / (1.0 + square / (4.0 * soft)));
}
