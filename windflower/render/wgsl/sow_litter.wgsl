// Dead leaves and twigs on the ground, most under trees.
// include "render/wgsl/sow.wgsl"

fn leaf(tile: Tile, number: u32) -> Sown {
  let key = sown_key(tile, number);
  let p = tile.corner + tile.side * vec2f(chance(key, 0u), chance(key, 1u));
  let land = land_height(p);
  let away = distance(vec3f(p.x, land, p.y), u_frame.eye.xyz);
  let own = chance(key, 2u);
  let there = shown(away, tile.reach, own);
  let light = crown_light(p, 0.6);
  let patches = patches_at(p, 0.0);
  let foot = nearest_foot(p);
  let under = u_ground.cover.y * max(smoothstep(0.95, 0.35, light), 0.9 * gathered(foot));
  let strewn = max(under, u_ground.cover.z) * (0.4 + 0.8 * patches.moss) * (1.0 - smoothstep(0.42, 0.47, pond_share(p)));
  if (there <= 0.0 || foot.away < 0.0 || chance(key, 3u) > strewn) {
    return NOTHING;
  }
  let twig = chance(key, 4u) < 0.10;
  let turn = 6.2832 * chance(key, 5u);
  let fresh = chance(key, 6u) < u_ground.fallen.w;
  let tone = 0.55 + 0.7 * chance(key, 7u);
  let shed = shed_colour(p);
  let brown = old_leaf(shed, chance(key, 8u));
  let bright = mix(shed, brown, 0.7 * chance(key, 13u) * chance(key, 9u)) * mix(vec3f(0.95, 1.0, 1.0), vec3f(0.8, 0.62, 0.7), chance(key, 9u));
  let colour = select(select(brown, bright, fresh), vec3f(0.115, 0.085, 0.062), twig) * tone;
  let length = select(0.035 + 0.04 * chance(key, 10u), 0.10 + 0.28 * chance(key, 10u) * chance(key, 11u), twig);
  let wide = select((0.22 + 0.12 * own) * length, 0.0022 + 0.0035 * own, twig);
  // Lately fallen ones lie on top of the grass.
  let high = 0.006 + 0.02 * chance(key, 12u) + select(0.0, 0.35, fresh) * u_ground.grass.y * u_ground.grass.x * chance(key, 13u);
  return Sown(
    vec4f(p.x, land + high, p.y, length * there),
    vec4f(chance(key, 14u) - 0.4, chance(key, 15u) - 0.5, turn, wide * there),
    vec4f(colour, select(0.0, 1.0, twig) + 0.998 * own),
    vec4f(sky_above(p) * beside(foot), 0.0, 0.0, away),
  );
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let tile = b_tiles[id.y];
  if (id.x < tile.each) {
    b_sown[id.y * tile.each + id.x] = leaf(tile, id.x);
  }
}
