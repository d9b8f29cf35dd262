// Blades of grass, in tufts: fine and broad ones, and stalks with seed heads.
// include "render/wgsl/sow.wgsl"

const FINE = 0.0;
const BROAD = 1.0;
const STALK = 2.0;

struct Tuft {
  middle: vec2f,
  cell: vec2f,    // of its random numbers
  side: f32,      // m between tufts
};

// The tuft that a place belongs to, of small or of large ones: a lattice that lies askew, with its points moved about.
fn tuft_at(p: vec2f, large: bool) -> Tuft {
  let side = select(0.23, 0.39, large);
  let way = select(vec2f(0.825, 0.565), vec2f(-0.32, 0.947), large);
  let turn = mat2x2f(way.x, way.y, -way.y, way.x);
  let q = turn * p / side;
  let row = floor(q.y);
  let shift = hash(bitcast<u32>(i32(row)) + select(0u, 77u, large));
  let cell = vec2f(floor(q.x + shift), row);
  let moved = vec2f(lattice2(cell + 5.0), lattice2(cell + 37.0)) * 0.9 + 0.05;
  return Tuft(transpose(turn) * (cell + moved - vec2f(shift, 0.0)) * side, cell + select(0.0, 4000.0, large), side);
}

fn blade(tile: Tile, number: u32) -> Sown {
  let key = sown_key(tile, number);
  let free = tile.corner + tile.side * vec2f(chance(key, 0u), chance(key, 1u));
  // A tuft draws blades to its middle and bends them outward.
  let own_tuft = tuft_at(free, chance(key, 18u) < 0.4);
  let cell = own_tuft.cell;
  let middle = own_tuft.middle;
  let loose = 1.0 - u_ground.grass.z * (0.35 + 0.45 * lattice2(cell + 11.0));
  let p = middle + (free - middle) * loose;
  let root = vec3f(p.x, land_height(p), p.y);
  let away = distance(root, u_frame.eye.xyz);
  let own = chance(key, 2u);
  let there = shown(away, tile.reach, own) * seen_as_blades(away);
  if (there <= 0.0) {
    return NOTHING;
  }
  let patches = patches_at(p, 0.0);
  let foot = nearest_foot(p);
  let light = crown_light(p, 0.6);
  let wet = pond_share(p);
  var grown = grass_share(patches, light, length(land_slope(p, 0.5)));
  grown *= grown_beside(foot) * (1.0 - smoothstep(0.44, 0.485, wet));
  // Tufts come and go as wholes; at the rim of a patch they are thin and short.
  let tuft = lattice2(cell + 23.0);
  let share = smoothstep(0.75 * tuft, 0.75 * tuft + 0.2, grown);
  if (share < chance(key, 3u) * 0.999 + 0.001) {
    return NOTHING;
  }
  let hue = lattice2(cell + 71.0);
  let kind = kind_of(key, cell, p);
  let stalk = kind == STALK;
  var tall = u_ground.grass.y * patches.tall * (0.55 + 0.75 * own) * (0.75 + 0.5 * tuft) * mix(0.65, 1.0, light) * mix(0.6, 1.0, share) * mix(0.45, 1.0, grown_beside(foot));
  // Dead blades of last year lie low between the living.
  let thatch = !stalk && chance(key, 19u) < 0.05 + 0.12 * u_ground.grass.w;
  tall *= select(select(select(1.0, 0.85, kind == BROAD), 0.6, thatch), 1.25 + 0.75 * chance(key, 4u), stalk);
  let out = (p - middle) / own_tuft.side;
  let turn = 6.2832 * chance(key, 5u);
  let rest = 0.9 * out + vec2f(cos(turn), sin(turn)) * (0.12 + 0.30 * chance(key, 6u) + select(0.0, 0.5, thatch));
  let air = breeze(p, 0.0);
  let speed = length(air);
  let soft = select(0.75 + 0.5 * chance(key, 7u), 0.8, stalk);
  let tremble = 0.07 * speed / (speed + 3.0) * sin(u_frame.clock.x * looped(5.0 + 7.0 * chance(key, 8u)) + 40.0 * own);
  let bend = select(rest, 0.7 * rest, stalk) + soft * lean_in(air) + tremble * vec2f(cos(turn), sin(turn));
  let dead = clamp(u_ground.grass.w * 0.7 + 0.22 * (1.0 - patches.lush) + 0.25 * smoothstep(0.8, 1.0, chance(key, 9u)), 0.0, 1.0) * chance(key, 10u);
  // Gusts run over the meadow as lighter waves.
  let shine = mix(1.0, sheen(lean_in(air), (root - u_frame.eye.xyz) / away), 0.7);
  let green = shine * grass_colour(patches.lush, 0.40 * hue + 0.25 * noise2(p * 0.7 + 90.0) + 0.35 * chance(key, 11u)) * (0.78 + 0.44 * chance(key, 12u)) * (0.62 + 0.62 * lattice2(cell + 131.0));
  let straw = vec3f(0.34, 0.27, 0.13) * (0.7 + 0.5 * own);
  let pale = 0.08 + 0.3 * chance(key, 20u) * chance(key, 20u) + 0.5 * u_ground.grass.w;
  let colour = mix(green, straw * select(1.0, 0.75, thatch), select(select(dead * dead, 0.85, thatch), pale, stalk));
  let wide = select(select(0.0022, 0.0044, kind == BROAD), 0.0005, stalk) * (0.7 + 0.6 * chance(key, 13u));
  // Far blades stand for many, and are wider.
  let width = u_ground.veil.w * (wide + (0.00050 + 0.00014 * f32(tile.layer)) * away * select(1.0, 0.35, stalk));
  return Sown(
    vec4f(root, tall * there),
    vec4f(bend, turn, width),
    vec4f(colour, kind + 0.998 * chance(key, 14u)),
    vec4f(sky_above(p) * beside(foot), dead, 0.5 + chance(key, 15u), away),
  );
}

fn kind_of(key: u32, cell: vec2f, p: vec2f) -> f32 {
  let broad = step(0.55, lattice2(cell + 83.0));
  let kind = select(FINE, BROAD, chance(key, 16u) < mix(0.12, 0.8, broad));
  // Stalks stand in drifts.
  let many = 0.0015 + 0.012 * smoothstep(0.45, 0.8, noise2(p * 0.31 + 51.0));
  return select(kind, STALK, chance(key, 17u) < many * u_ground.herbs.w * (0.3 + 1.4 * lattice2(cell + 97.0)));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let tile = b_tiles[id.y];
  if (id.x < tile.each) {
    b_sown[id.y * tile.each + id.x] = blade(tile, id.x);
  }
}
