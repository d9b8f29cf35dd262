// An instance of flat springs.
// include "motion/places.wgsl"

const BANDS = 3u;  // as in motion/cantilever/branches.py

struct Instance {
  place: Place,
  quicker: u32,     // factor on rhythms, in parts of 256
  number: u32,
  steps: u32,       // taken
  clock: u32,       // see motion/rhythm.wgsl
  periods: u32,     // see motion/grains.wgsl
};
