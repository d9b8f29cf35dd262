// What a chain of one plant feels of the wind: the twin of `LimpMotion.wind`.

struct Felt {
  tip: vec3f,        // dynamic wind, (m/s)²
  share: f32,        // of the turn that is shown
  base: vec3f,
  stiffness: f32,
};
