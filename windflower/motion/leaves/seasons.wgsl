// What a day of the year does to a leaf: the twin of `Season`, without bindings, for the deform pass.
// include "motion/rhythm.wgsl"

struct Season {
  summer: vec3f,    // linear RGB of a grown leaf
  day: f32,         // of the year
  early: vec3f,     // the two colours between which leaves turn …
  evergreen: f32,   // 1 if they never do
  late: vec3f,
};

// The day that it is for a leaf with this key; see key_of.
fn own_day(season: Season, key: u32) -> f32 {
  return season.day + 14.0 * (2.0 * uniform_of(scrambled(key + 21u)) - 1.0);
}

// A factor on the leaf's size, 0 in bud to 1.
fn season_size(season: Season, key: u32) -> f32 {
  return max(smoothstep(98.0, 126.0, own_day(season, key)), season.evergreen);
}

fn season_colour(season: Season, key: u32) -> vec3f {
  if (season.evergreen > 0.0) { return season.summer; }
  let day = own_day(season, key);
  let fresh = smoothstep(98.0, 126.0, day) * (1.0 - smoothstep(120.0, 165.0, day));
  let autumn = mix(season.early, season.late, uniform_of(scrambled(key + 22u)));
  let grown = season.summer * (1.0 + fresh * vec3f(0.45, 0.35, -0.1));
  return mix(grown, autumn, smoothstep(262.0, 298.0, day));
}
