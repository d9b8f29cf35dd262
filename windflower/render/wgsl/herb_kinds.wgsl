// Kinds of herbs: their size and the colour of their petals.

const DAISY = 0.0;
const BUTTERCUP = 1.0;
const KNAPWEED = 2.0;
const CLOVER_HEAD = 3.0;
const CORNFLOWER = 4.0;
const CLOVER = 5.0;
const ROSETTE = 6.0;

// Length of a petal or leaflet, m.
fn herb_size(kind: f32) -> f32 {
  switch (u32(kind)) {
    case 0u: { return 0.022; }
    case 1u: { return 0.018; }
    case 2u: { return 0.022; }
    case 3u: { return 0.015; }
    case 4u: { return 0.022; }
    case 5u: { return 0.019; }
    default: { return 0.11; }
  }
}

// Linear RGB; `own` is a random number of the plant.
fn petal_colour(kind: f32, own: f32) -> vec3f {
  switch (u32(kind)) {
    case 0u: { return mix(vec3f(0.78, 0.78, 0.74), vec3f(0.76, 0.62, 0.66), own * own); }
    case 1u: { return vec3f(0.80, 0.52, 0.015) * (0.8 + 0.2 * own); }
    case 2u: { return mix(vec3f(0.36, 0.07, 0.34), vec3f(0.46, 0.13, 0.42), own); }
    case 3u: { return mix(vec3f(0.55, 0.18, 0.32), vec3f(0.70, 0.62, 0.60), step(0.6, own)); }
    default: { return mix(vec3f(0.06, 0.09, 0.52), vec3f(0.16, 0.14, 0.60), own); }
  }
}
