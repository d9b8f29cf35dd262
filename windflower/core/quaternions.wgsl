// Rotations as quaternions x, y, z, w: the twin of core/quaternions.py.

// The rotation about a vector whose length, below 1, is the sine of the angle.
fn of_turn(turn: vec3f) -> vec4f {
  let cosine = sqrt(1.0 - min(dot(turn, turn), 1.0));
  let half = sqrt((1.0 + cosine) / 2.0);
  return vec4f(turn / (2.0 * half), half);
}

// `then` in the frame that `first` carries.
fn joined(first: vec4f, then: vec4f) -> vec4f {
  let a = first.xyz;
  let b = then.xyz;
  return vec4f(first.w * b + then.w * a + cross(a, b), first.w * then.w - dot(a, b));
}

fn turned_by(q: vec4f, v: vec3f) -> vec3f {
  return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v);
}

// A vector seen from the frame that a rotation carries.
fn back(q: vec4f, v: vec3f) -> vec3f {
  return v + 2.0 * cross(q.xyz, cross(q.xyz, v) - q.w * v);
}
