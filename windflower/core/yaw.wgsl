// Turns about the vertical: the twin of `core.vectors.yaw_matrix`. A yaw is given by its cosine and sine.

// A vector of the plant's own frame, turned into the world's.
fn turned_to_world(yaw: vec2f, v: vec3f) -> vec3f {
  return vec3f(yaw.x * v.x + yaw.y * v.z, v.y, yaw.x * v.z - yaw.y * v.x);
}

// A vector of the world, such as the wind, seen from the plant.
fn turned_to_plant(yaw: vec2f, v: vec3f) -> vec3f {
  return vec3f(yaw.x * v.x - yaw.y * v.z, v.y, yaw.y * v.x + yaw.x * v.z);
}
