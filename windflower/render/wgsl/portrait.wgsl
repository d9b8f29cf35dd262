// What a plant is painted with, for its portraits and for those who look at them: so far unlit.

struct Portrait {
  @location(0) albedo: vec4f,   // w: coverage
  @location(1) normal: vec4f,   // halved and raised by a half; w: openness
};

const SITS = 3u;  // how an instance is painted that sits for its portrait: as the average of its kind

// Brightness and hue by which a tree differs from its neighbours, 0 to 1.
fn own_tint(instance: Instance) -> vec2f {
  let own = vec2f(hash(instance.id.x * 13u + 5u), hash(instance.id.x * 13u + 6u));
  return select(own, vec2f(0.5), instance.id.y == SITS);
}

// The factor on a leaf's colour for its brightness and hue.
fn leaf_tint(tint: vec2f) -> vec3f {
  return (0.46 + 0.46 * tint.x) * mix(vec3f(1.12, 0.98, 0.75), vec3f(0.88, 0.97, 1.15), tint.y);
}

// Inside the crown less of the sky is seen, and what is seen has passed through leaves.
fn inside_crown(open: f32) -> vec3f {
  return mix(0.22, 1.0, open * open) * mix(vec3f(0.75, 0.95, 0.45), vec3f(1.0), open);
}
