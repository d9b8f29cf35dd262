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

// One vector of each of four plants.
struct Four { x: vec4f, y: vec4f, z: vec4f };

// d turned by r: d + a (r × d) + b (r × (r × d)). With h = p/m r of `motion.poses.large_turns`, which is of length t, a is
// 2 p m/(m² + p² r²) and b is 2 p²/(m² + p² r²), so that one division is enough.
fn turned_four(d: vec3f, turn: Four) -> Four {
  let r = Four(finite_four(turn.x), finite_four(turn.y), finite_four(turn.z));
  let square = r.x * r.x + r.y * r.y + r.z * r.z;
  let over = square * (1.0 / (MOST_TURN * MOST_TURN));
  let twofold = over * over;
  let soft = sqrt(sqrt(inverseSqrt(1.0 + twofold * twofold)));
  let y = square * soft * soft * 0.25;
  let n = 7.5 - 0.5 * y;
  let m = 15.0 - 6.0 * y;
  let share = 2.0 / (m * m + 4.0 * n * n * y);
  let p = n * soft;
  let a = p * m * share;
  let b = p * p * share;
  let across = Four(r.y * d.z - r.z * d.y, r.z * d.x - r.x * d.z, r.x * d.y - r.y * d.x);
  return Four(
    d.x + a * across.x + b * (r.y * across.z - r.z * across.y),
    d.y + a * across.y + b * (r.z * across.x - r.x * across.z),
    d.z + a * across.z + b * (r.x * across.y - r.y * across.x),
  );
}

fn finite_four(r: vec4f) -> vec4f {
  return clamp(r, vec4f(-LARGEST_TURN), vec4f(LARGEST_TURN));
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
