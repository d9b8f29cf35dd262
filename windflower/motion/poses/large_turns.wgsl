// Turns by an angle that is the length of their vector: the twin of `motion.poses.large_turns`.

const MOST_TURN = 2.1;     // rad, as in motion/poses/large_turns.py
const LARGEST_TURN = 1e4;  // of the components of a rotation vector, so that no power of it is infinite

// The tangent of half the angle over |r|, and the slope of its logarithm over r².
fn half_turn(square: f32) -> vec2f {
  let over = square / (MOST_TURN * MOST_TURN);
  let power = over * over * over * over;
  let soft = sqrt(sqrt(1.0 + power));
  let y = square / (4.0 * soft);
  let rest = 15.0 - 6.0 * y;
  let half = (7.5 - 0.5 * y) / rest * inverseSqrt(soft);
  let fraction = 6.0 / rest - 1.0 / (15.0 - y);
  return vec2f(half, (fraction / (4.0 * soft) - 0.5 * over * over * over / (MOST_TURN * MOST_TURN)) / (1.0 + power));
}

fn finite_turn(r: vec3f) -> vec3f {
  return clamp(r, vec3f(-LARGEST_TURN), vec3f(LARGEST_TURN));
}

// d turned by r.
fn turned_far(d: vec3f, turn: vec3f) -> vec3f {
  let r = finite_turn(turn);
  let square = dot(r, r);
  let half = half_turn(square).x;
  let h = half * r;
  let across = cross(h, d);
  return d + (across + cross(h, across)) * (2.0 / (1.0 + half * half * square));
}

// How the work of a force at the tip of d, turned by r, grows with each component of r; `still` is d × force.
fn moments(d: vec3f, turn: vec3f, force: vec3f, still: vec3f) -> vec3f {
  let r = finite_turn(turn);
  let square = dot(r, r);
  let half = half_turn(square);
  let h = half.x * r;
  let twice = 2.0 / (1.0 + half.x * half.x * square);
  let along = dot(d, force);
  let along_d = dot(h, d);
  let along_force = dot(h, force);
  let both = dot(h, still) + along_d * along_force - half.x * half.x * square * along;
  let z = twice * (still + d * along_force + force * along_d - (2.0 * along + twice * both) * h);
  return half.x * (z + 2.0 * half.y * dot(r, z) * r);
}
