// What grows and lies on the ground, thrown over square tiles about the camera: the same things in the same places always.
// include "render/wgsl/breeze.wgsl"
// include "render/wgsl/feet.wgsl"
// include "render/wgsl/land.wgsl"
// include "render/wgsl/sown.wgsl"

struct Tile {
  corner: vec2f,     // m
  side: f32,         // m
  reach: f32,        // distance to which its things are drawn, m
  layer: u32,        // things of several layers are different
  each: u32,         // things on it
};

@group(2) @binding(0) var<storage, read> b_tiles: array<Tile>;
@group(2) @binding(1) var<storage, read_write> b_sown: array<Sown>;

const NOTHING = Sown(vec4f(0.0), vec4f(0.0), vec4f(0.0), vec4f(0.0));

// Key of the random numbers of a thing: of its tile, its layer and its number.
fn sown_key(tile: Tile, number: u32) -> u32 {
  let cell = vec2i(round(tile.corner / tile.side));
  let place = (bitcast<u32>(cell.x) * 73856093u) ^ (bitcast<u32>(cell.y) * 19349663u);
  return scrambled(scrambled(place ^ (u_ground.seed.x * 2654435761u) ^ (tile.layer << 27u)) + number);
}

// The n-th random number of a thing.
fn chance(key: u32, n: u32) -> f32 {
  return hash(key ^ (n * 0x9E3779B9u));
}

// Grows from 1 to 0 where things end: each has its own distance, so that no edge is seen.
fn shown(away: f32, reach: f32, own: f32) -> f32 {
  let last = reach * (0.55 + 0.45 * own);
  return 1.0 - smoothstep(0.75 * last, last, away);
}
