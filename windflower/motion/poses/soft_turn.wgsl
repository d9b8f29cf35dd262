// Rotations by a vector, without a sine and with a soft limit: the twin of `motion.poses.pose.turned`.

const LIMIT = 2.38;  // as in motion/poses/pose.py

// d turned by r: r <- r/√(1 + r²/LIMIT²), h = r/2, d + 2/(1 + h²) (h × d + h × (h × d)).
fn turned_softly(d: vec3f, r: vec3f) -> vec3f {
  let square = dot(r, r);
  let soft = 1.0 + square / (LIMIT * LIMIT);
  let h = r * (0.5 * inverseSqrt(soft));
  let across = cross(h, d);
  return d + (across + cross(h, across)) * (2.0 / (1.0 + square / (4.0 * soft)));
}
