// Where an instance stands: the twin of `Places`.
// include "core/yaw.wgsl"

struct Place {
  position: vec3f,   // of the plant's own origin, m
  scale: f32,
  yaw: vec2f,        // its cosine and sine
  stiffness: f32,    // factor on the wood's
};

// A point of the plant's own frame, m, where it is in the world.
fn in_world(place: Place, point: vec3f) -> vec3f {
  return place.position + turned_to_world(place.yaw, point) * place.scale;
}
