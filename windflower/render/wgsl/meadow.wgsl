// What grows and lies on the ground; the blades of grass take their colour from here, too.
// include "render/wgsl/noise.wgsl"

struct GroundStyle {
  colour: vec4f,     // w: half its size, m
  kind: vec4f,       // share of grass; how uneven it is; fallen leaves; height of the grass, m
  pond: vec4f,       // centre x, z and half its size along x, z, m; no pond where that is 0
  land: vec4f,       // side of the map of heights, m, 0 for level ground; side of the smallest cells that are drawn
  canopy: vec4f,     // corner x, z and side of the map of shade, m, 0 for none; height of the crowns
};

@group(1) @binding(0) var<uniform> u_ground: GroundStyle;

// 1 in the middle of the pond, 0.5 at its shore, which winds a little, 0 far from it.
fn pond_share(p: vec2f) -> f32 {
  if (u_ground.pond.z <= 0.0) {
    return 0.0;
  }
  let reach = length((p - u_ground.pond.xy) / u_ground.pond.zw);
  return clamp(1.5 - reach - 0.22 * (noise2(p * 0.21) - 0.5) - 0.05 * noise2(p * 1.3), 0.0, 1.0);
}

// Dry and lush, worn and dense, in patches of many sizes; see `detail`.
fn meadow(p: vec2f, pixel: f32) -> vec3f {
  let small = detail(p + 7.2727, 0.55, pixel) * 0.2 + detail(p, 2.1, pixel) * 0.1;
  let wide = noise2(p * 0.03) * 0.4 + noise2(p * 0.13 + 9.0) * 0.3 + small;
  let dry = u_ground.colour.rgb * vec3f(1.38, 1.12, 0.85);
  let lush = u_ground.colour.rgb * vec3f(0.72, 0.84, 0.72);
  return mix(lush, dry, smoothstep(0.3, 0.72, wide));
}

fn bare_share(p: vec2f) -> f32 {
  return 0.8 * smoothstep(0.66, 0.84, noise2(p * 0.16 + 20.0) * 0.65 + noise2(p * 0.9) * 0.35) * u_ground.kind.x;
}

// `pixel` is the size of a pixel on the ground, m: detail below it is left out, or it would flicker.
fn detail(p: vec2f, scale: f32, pixel: f32) -> f32 {
  if (pixel * scale >= 0.9) {
    return 0.5;
  }
  return mix(noise2(p * scale), 0.5, smoothstep(0.2, 0.9, pixel * scale));
}

fn grain_of(p: vec2f, pixel: f32) -> f32 {
  return detail(p, 34.0, pixel) * 0.6 + detail(p, 90.0, pixel) * 0.4;
}

// Earth between the grass; what has no grass is itself.
fn bare_ground(p: vec2f, pixel: f32) -> vec3f {
  return mix(u_ground.colour.rgb, vec3f(0.13, 0.10, 0.065), u_ground.kind.x) * (0.65 + 0.6 * grain_of(p, pixel));
}

// `shine` is the lightness of the grass.
fn ground_colour(p: vec2f, pixel: f32, shine: f32) -> vec3f {
  let tufts = detail(p, 3.3, pixel) * 0.4 + detail(p + 7.0, 9.0, pixel) * 0.35 + detail(p, 31.0, pixel) * 0.25;
  let grass = meadow(p, pixel) * (0.30 + 0.85 * tufts) * shine;
  let soil = bare_ground(p, pixel);
  let shore = smoothstep(0.38, 0.5, pond_share(p));
  var colour = mix(grass, soil * mix(1.0, 0.55, shore), max(0.75 * bare_share(p), shore));
  if (u_ground.kind.x < 1.0) {
    let plain = u_ground.colour.rgb * (0.8 + 0.35 * grain_of(p, pixel)) * (0.9 + 0.2 * noise2(p * 0.35));
    colour = mix(plain, colour, u_ground.kind.x);
  }
  let fallen = (1.0 - smoothstep(0.01, 0.06, pixel)) * u_ground.kind.z;
  if (fallen > 0.0) {
    colour = mix(colour, fallen_leaf(p), fallen_cover(p) * fallen);
  }
  return colour;
}

// One leaf to a cell, at a random place and turn; most cells have none.
fn fallen_cover(p: vec2f) -> f32 {
  let cell = floor(p * 6.0);
  let spot = vec2f(lattice2(cell + 3.0), lattice2(cell + 57.0)) * 0.5 + 0.25;
  let turn = 6.2832 * lattice2(cell + 91.0);
  let d = fract(p * 6.0) - spot;
  let along = abs(d.x * cos(turn) + d.y * sin(turn));
  let across = abs(d.y * cos(turn) - d.x * sin(turn));
  return step(0.55, lattice2(cell)) * (1.0 - smoothstep(0.16, 0.2, along + across * 1.6));
}

fn fallen_leaf(p: vec2f) -> vec3f {
  let tone = lattice2(floor(p * 6.0) + 23.0);
  return mix(vec3f(0.20, 0.10, 0.035), vec3f(0.34, 0.20, 0.05), tone);
}
