// Random numbers that are a pure function of whole numbers, the same on every device.

// A random whole number of a whole number (PCG).
fn scrambled(x: u32) -> u32 {
  let state = x * 747796405u + 2891336453u;
  let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
  return (word >> 22u) ^ word;
}

// A number in [0, 1) of a random whole number.
fn uniform_of(key: u32) -> f32 {
  return f32(key >> 8u) / 16777216.0;
}
