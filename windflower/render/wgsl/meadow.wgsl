// What the ground is made of, and the patches in which it changes; what grows and lies on it asks here, too.
// include "render/wgsl/noise.wgsl"

struct GroundStyle {
  colour: vec4f,     // of the grass; w: half the ground's size, m
  tint: vec4f,       // factor on the colour of the base; w: glitter, as of snow
  grass: vec4f,      // share of the ground that it covers; height, m; how much of it stands in tufts; how dry it is
  cover: vec4f,      // bare patches; dead leaves under trees; dead leaves in the open; moss
  herbs: vec4f,      // flowers; clover; stones; seed heads
  fallen: vec4f,     // share of dead leaves that are needles; w: share of those that fell lately
  sides: vec4f,      // length of a side of the materials: base, bare, under trees, moss; m
  veil: vec4f,       // distances between which blades of grass give way to their colour alone, m; how dense, wide they are
  pond: vec4f,       // centre x, z and half its size along x, z, m; no pond where that is 0
  land: vec4f,       // side of the map of heights, m, 0 for level ground; side of the smallest cells that are drawn
  canopy: vec4f,     // corner x, z and side of the map of shade, m, 0 for none; height of the crowns
  feet: vec4f,       // corner x, z of the map of trunks, m; its cells per m; cells along a side, 0 for none
  seed: vec4u,       // of all that grows
  each: vec4u,       // blades, herbs, dead leaves and stones on a tile
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

// Noise of this many waves per m; what is smaller than `pixel` m is left out, or it would flicker.
fn detail(p: vec2f, scale: f32, pixel: f32) -> f32 {
  if (pixel * scale >= 0.9) {
    return 0.5;
  }
  return mix(noise2(p * scale), 0.5, smoothstep(0.2, 0.9, pixel * scale));
}

struct Patches {
  lush: f32,    // 0 dry, 1 lush
  bare: f32,    // share of the ground without grass
  tall: f32,    // factor on the height of the grass
  moss: f32,    // chance of moss
};

// Dry and lush, worn and dense, in patches of many sizes.
fn patches_at(p: vec2f, pixel: f32) -> Patches {
  // Each octave is turned, or the lattice of the noise would show.
  let a = mat2x2f(0.8, 0.6, -0.6, 0.8) * p;
  let b = mat2x2f(0.28, 0.96, -0.96, 0.28) * p;
  let large = noise2(a * 0.0085 + 60.0);
  let wide = noise2(p * 0.031 + 3.0);
  let middle = noise2(a * 0.13 + 9.0);
  let small = detail(b + 7.2727, 0.62, pixel);
  let lush = smoothstep(0.33, 0.67, 0.26 * large + 0.30 * wide + 0.26 * middle + 0.18 * small);
  let worn = 0.44 * noise2(b * 0.17 + 20.0) + 0.26 * detail(p, 0.71, pixel) + 0.17 * detail(a + 31.0, 2.3, pixel) + 0.13 * detail(b + 5.0, 7.9, pixel);
  let edge = 0.80 - 0.34 * u_ground.cover.x;
  let bare = 0.9 * smoothstep(edge - 0.03, edge + 0.10, worn) * step(0.001, u_ground.cover.x);
  let tall = mix(0.40, 1.55, 0.55 * middle + 0.45 * small) * mix(0.85, 1.1, lush);
  return Patches(lush, bare, tall, smoothstep(0.45, 0.7, 0.6 * small + 0.4 * wide));
}

// Share of the ground that grass covers: where there is little, it stands in patches; `light` is what crowns leave,
// `slope` how steep the ground is.
fn grass_share(patches: Patches, light: f32, slope: f32) -> f32 {
  let in_patches = clamp(2.4 * (patches.lush - 0.28), 0.0, 2.2);
  let patchy = u_ground.grass.x * mix(in_patches, 1.0, smoothstep(0.4, 0.9, u_ground.grass.x));
  // In glades, where crowns leave all light, grass covers the floor of a forest, too.
  let share = max(patchy, smoothstep(0.30, 0.55, u_ground.grass.x) * smoothstep(0.90, 1.0, light) * (0.72 + 0.28 * patches.lush));
  return clamp(share, 0.0, 1.0) * (1.0 - patches.bare) * (1.0 - smoothstep(0.6, 1.1, slope)) * mix(1.0 - 0.75 * u_ground.cover.y, 1.0, light);
}

// Mean colour of the grass at a place; `hue` is a random number of a tuft or a blade.
fn grass_colour(lush: f32, hue: f32) -> vec3f {
  let dry = mix(vec3f(0.90, 0.79, 0.46), vec3f(1.9, 1.4, 0.95), u_ground.grass.w);
  let green = mix(vec3f(0.385, 0.59, 0.29), vec3f(0.78, 0.92, 0.45), hue);
  return u_ground.colour.rgb * mix(dry, green, clamp(1.45 * lush + 0.5 * (hue - 0.5) - 0.02 - 0.9 * u_ground.grass.w, 0.0, 1.0));
}
