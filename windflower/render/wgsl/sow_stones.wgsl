// Stones that lie in the ground, a few together.
// include "render/wgsl/sow.wgsl"

fn stone(tile: Tile, number: u32) -> Sown {
  let key = sown_key(tile, number);
  let p = tile.corner + tile.side * vec2f(chance(key, 0u), chance(key, 1u));
  let root = vec3f(p.x, land_height(p), p.y);
  let away = distance(root, u_frame.eye.xyz);
  let own = chance(key, 2u);
  let there = shown(away, tile.reach, own);
  let patches = patches_at(p, 0.0);
  let foot = nearest_foot(p);
  let stony = smoothstep(0.40, 0.85, 0.6 * noise2(p * 0.12 + 41.0) + 0.4 * noise2(p * 0.9 + 7.0)) + 0.5 * patches.bare + 0.35 * smoothstep(0.35, 0.8, length(land_slope(p, 0.5)));
  if (there <= 0.0 || foot.away < 0.02 || chance(key, 3u) > u_ground.herbs.z * stony) {
    return NOTHING;
  }
  // Many small ones, few large ones; far layers have the large.
  let large = pow(chance(key, 4u), 3.0);
  let size = mix(0.025, 0.09, chance(key, 5u)) + select(0.10, 0.34, tile.layer > 0u) * large;
  let grey = mix(vec3f(0.105, 0.10, 0.092), vec3f(0.165, 0.145, 0.118), chance(key, 6u)) * (0.7 + 0.5 * chance(key, 7u));
  let mossy = clamp(u_ground.cover.w * (1.3 - crown_light(p, 0.6)) + 0.2 * u_ground.grass.x, 0.0, 1.0);
  return Sown(vec4f(root, size * there), vec4f(0.55 + 0.35 * own, 0.8 + 0.4 * chance(key, 8u), 6.2832 * chance(key, 9u), mossy), vec4f(grey, own), vec4f(sky_above(p) * beside(foot), 0.0, 0.0, away));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let tile = b_tiles[id.y];
  if (id.x < tile.each) {
    b_sown[id.y * tile.each + id.x] = stone(tile, id.x);
  }
}
