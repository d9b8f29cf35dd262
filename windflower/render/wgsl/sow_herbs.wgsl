// Herbs between the grass: flowers by their season, clover, and rosettes of broad leaves, each in drifts of its kind.
// include "render/wgsl/herb_kinds.wgsl"
// include "render/wgsl/sow.wgsl"

// What grows where: each kind has a map of its own, in which it is usual here and missing there.
fn kind_at(p: vec2f, key: u32) -> f32 {
  let green = chance(key, 3u) < 0.62;
  if (green) {
    return select(select(-1.0, ROSETTE, noise2(p * 0.35 + 61.0) > 0.52), CLOVER, noise2(p * 0.45 + 17.0) > 0.5);
  }
  let wanted = floor(chance(key, 4u) * 5.0);
  let usual = noise2(p * 0.11 + 13.7 * wanted + 5.0) * 0.6 + noise2(p * 0.6 + 29.0 * wanted) * 0.4;
  return select(-1.0, wanted, usual > 0.60);
}

fn herb(tile: Tile, number: u32) -> Sown {
  let key = sown_key(tile, number);
  let p = tile.corner + tile.side * vec2f(chance(key, 0u), chance(key, 1u));
  let kind = kind_at(p, key);
  let flower = kind < CLOVER;
  let wanted = select(u_ground.herbs.y, u_ground.herbs.x, flower);
  let root = vec3f(p.x, land_height(p), p.y);
  let away = distance(root, u_frame.eye.xyz);
  let own = chance(key, 2u);
  let there = shown(away, tile.reach, own);
  let patches = patches_at(p, 0.0);
  let foot = nearest_foot(p);
  let light = crown_light(p, 0.6);
  let grown = u_ground.grass.x * (1.0 - 0.9 * patches.bare) * grown_beside(foot) * (1.0 - smoothstep(0.40, 0.45, pond_share(p)))
    * smoothstep(1.1, 0.6, length(land_slope(p, 0.5))) * select(1.0, mix(0.25, 1.0, light), flower);
  if (kind < 0.0 || there <= 0.0 || chance(key, 5u) > wanted * grown) {
    return NOTHING;
  }
  let sward = u_ground.grass.y * patches.tall;
  // Flowers stand about as high as the grass; daisies keep low.
  let over = select(select(1.15, 0.75, kind == DAISY), select(0.55, 0.35, kind == ROSETTE), !flower);
  let tall = max(sward * over * (0.75 + 0.5 * own), select(0.03, 0.06, flower));
  let air = breeze(p, 0.0);
  let speed = length(air);
  let turn = 6.2832 * chance(key, 6u);
  let tremble = 0.06 * speed / (speed + 3.0) * sin(u_frame.clock.x * looped(4.0 + 5.0 * chance(key, 7u)) + 40.0 * own);
  let bend = vec2f(cos(turn), sin(turn)) * (0.18 * chance(key, 8u) + tremble) + select(0.25, 0.7, flower) * lean_in(air);
  let green = grass_colour(clamp(patches.lush + 0.3, 0.0, 1.0), 0.3 + 0.5 * own) * 0.9;
  let colour = select(green, petal_colour(kind, chance(key, 9u)), flower);
  let size = herb_size(kind) * (0.75 + 0.5 * chance(key, 10u)) * (1.0 + 0.03 * away * select(0.3, 1.0, flower));
  return Sown(vec4f(root, tall * there), vec4f(bend, turn, size * there), vec4f(colour, kind + 0.998 * own), vec4f(sky_above(p) * beside(foot), own, 0.0, away));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let tile = b_tiles[id.y];
  if (id.x < tile.each) {
    b_sown[id.y * tile.each + id.x] = herb(tile, id.x);
  }
}
