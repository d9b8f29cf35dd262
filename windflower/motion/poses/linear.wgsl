// The linear pose, u = Σ q φ (eq. 10): the twin of `LinearPose`. Shapes are φ, rests are positions.
// include "motion/poses/pose.wgsl"
// include "motion/poses/weighted.wgsl"

fn placed(rest: vec3f, u: vec3f) -> vec3f {
  return rest + u;
}
