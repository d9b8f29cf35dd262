// Colours that tell something, in place of the natural ones: strain, the level of detail, or what moves a branch.
// include "render/wgsl/instance.wgsl"

const STRAIN = 1u;
const KINDS = 3u;
const ATLAS = 4u;  // natural colours of an average plant, for the impostor atlas

// Dark blue, teal, green, yellow, red: growing strain, at 0, 1/4, 1/2, 3/4 and 1.
fn strain_colour(share: f32) -> vec3f {
  let s = clamp(share, 0.0, 1.0) * 4.0;
  let low = mix(vec3f(0.02, 0.04, 0.22), vec3f(0.0, 0.26, 0.32), clamp(s, 0.0, 1.0));
  let middle = mix(low, vec3f(0.08, 0.42, 0.05), clamp(s - 1.0, 0.0, 1.0));
  let high = mix(middle, vec3f(0.85, 0.55, 0.02), clamp(s - 2.0, 0.0, 1.0));
  return mix(high, vec3f(0.75, 0.02, 0.01), clamp(s - 3.0, 0.0, 1.0));
}

// Finest red, then orange, yellow, green, blue.
fn level_colour(level: u32) -> vec3f {
  switch (level) {
    case 0u: { return vec3f(0.72, 0.06, 0.05); }
    case 1u: { return vec3f(0.80, 0.30, 0.03); }
    case 2u: { return vec3f(0.75, 0.65, 0.05); }
    case 3u: { return vec3f(0.12, 0.50, 0.12); }
    default: { return vec3f(0.06, 0.22, 0.65); }
  }
}

// What moves a branch, in the colours of motion/hybrid/branch_kinds.py: fixed grey, animated red, in transition green,
// physical black, held yellow.
fn kind_colour(kind: u32) -> vec3f {
  switch (kind) {
    case 0u: { return vec3f(0.214, 0.214, 0.214); }
    case 1u: { return vec3f(0.694, 0.010, 0.010); }
    case 2u: { return vec3f(0.010, 0.380, 0.020); }
    case 3u: { return vec3f(0.0, 0.0, 0.0); }
    default: { return vec3f(0.888, 0.604, 0.010); }
  }
}

// xyz: a colour; w: how much of the natural one it covers. `strain` is that of the wood, or the kind of its motion.
fn painted(instance: Instance, strain: f32) -> vec4f {
  switch (instance.id.y) {
    case STRAIN: { return vec4f(strain_colour(strain / bitcast<f32>(instance.id.z)), 1.0); }
    case 2u: { return vec4f(level_colour(instance.id.z), 0.85); }
    case KINDS: { return vec4f(kind_colour(u32(strain)), 1.0); }
    default: { return vec4f(0.0); }
  }
}
