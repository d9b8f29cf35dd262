// Light on surfaces: the sun through the shadow map, the sky, and the air between a surface and the camera.
// include "render/wgsl/frame.wgsl"

@group(0) @binding(1) var t_dome: texture_2d<f32>;    // the clear sky, as atmosphere.py has it
@group(0) @binding(2) var t_clouds: texture_2d<f32>;  // thickness of clouds, as cloud_tile.py has it
@group(0) @binding(3) var smp_sky: sampler;
@group(0) @binding(4) var t_hills: texture_2d<f32>;   // shadow of the land, as hill_shade.py has it
@group(0) @binding(5) var t_billows: texture_3d<f32>; // billows of clouds, as cloud_tile.py has them
@group(0) @binding(6) var t_shadow: texture_2d<f32>;  // least depths
@group(0) @binding(7) var smp_shadow: sampler;

const CLOUD_HEIGHT = 1400.0;  // as in cloud_tile.py
const CLOUD_TILE = 14000.0;
const BILLOWS = CLOUD_TILE / 9.0;  // after which billows of clouds repeat, m: clouds drift by less than a tile
const ROUGH = 0.26;                 // rank of the tile by which they stand out of it

// How much direct light reaches a point. The sun is a disc, so an edge casts a shadow that is the softer the farther
// away it is (Fernando 2005): what stands before the point tells how far, and then how wide to ask about it.
fn sunlit(world: vec3f, normal: vec3f) -> f32 {
  return softly_lit(in_shadow_map(world, normal));
}

const SEARCHED = 8;
const ASKED = 16;
const WIDEST = 9.0;  // texels

fn softly_lit(p: vec3f) -> f32 {
  return softly_lit_over(p, vec3f(0.0), vec3f(0.0));
}

// The mean over a pixel: dx and dy are how far a pixel's place in the map is from those beside it and below it. On level
// ground far away a pixel is longer than a trunk's shadow is wide, which would break into dashes.
fn softly_lit_over(p: vec3f, dx: vec3f, dy: vec3f) -> f32 {
  let across = vec3f(u_frame.light_proj[0].z, u_frame.light_proj[1].z, u_frame.light_proj[2].z);
  let texels_by_depth = u_frame.sun.w / (length(across) * u_frame.shadow.y);  // half-width of an edge for a depth of 1
  let middle = (p.xy * vec2f(0.5, -0.5) + 0.5) * u_frame.shadow.x;
  var before = 0.0;
  var count = 0.0;
  for (var i = 0; i < SEARCHED; i++) {
    let q = spread((3 * i + 1) % SEARCHED, SEARCHED);
    let aside = 0.6 * (q.x * dx + q.y * dy);
    let there = middle + spread(i, SEARCHED) * WIDEST + aside.xy * vec2f(0.5, -0.5) * u_frame.shadow.x;
    let at = clamp(there, vec2f(0.0), vec2f(u_frame.shadow.x - 1.0));
    let depth = textureLoad(t_shadow, vec2i(at), 0).r;
    let blocks = f32(depth < p.z + aside.z - 0.0006);
    before += blocks * depth;
    count += blocks;
  }
  if (count == 0.0) {
    return shadowed(p, lit(p, vec2f(0.0)));
  }
  let wide = clamp((p.z - before / count) * texels_by_depth, 0.75, WIDEST);
  var light = 0.0;
  for (var i = 0; i < ASKED; i++) {
    let q = spread((5 * i + 3) % ASKED, ASKED);
    light += lit(p + 0.6 * (q.x * dx + q.y * dy), spread(i, ASKED) * wide);
  }
  return shadowed(p, light / f32(ASKED));
}

// Points spread evenly over a disc of radius 1: the golden angle (Vogel 1979).
fn spread(number: i32, count: i32) -> vec2f {
  let angle = 2.3999632 * f32(number);
  return sqrt((f32(number) + 0.5) / f32(count)) * vec2f(cos(angle), sin(angle));
}

// The same for leaves and grass, which are too small for soft edges to be seen: one comparison.
fn sunlit_quickly(world: vec3f, normal: vec3f) -> f32 {
  return quickly_lit(in_shadow_map(world, normal));
}

fn quickly_lit(p: vec3f) -> f32 {
  return shadowed(p, lit(p, vec2f(0.0)));
}

// The same for what knows how lit it is itself, which holds beyond the map: so far plants are as bright as their cards.
fn lit_or(p: vec3f, own: f32) -> f32 {
  let light = mix(own, lit(p, vec2f(0.0)), in_map(p));
  return 1.0 - (1.0 - light) * (1.0 - u_frame.shadow.w) * u_frame.shadow.z;
}

fn in_shadow_map(world: vec3f, normal: vec3f) -> vec3f {
  return (u_frame.light_proj * vec4f(world + normal * u_frame.shadow.y * 1.5, 1.0)).xyz;
}

// How far a step over the ground, of which the slope is given, goes in the map.
fn step_in_map(over: vec2f, slope: vec2f) -> vec3f {
  return (u_frame.light_proj * vec4f(over.x, dot(slope, over), over.y, 0.0)).xyz;
}

// Share of the four texels about a point that do not hide it, each by how near it is.
fn lit(p: vec3f, texels: vec2f) -> f32 {
  let at = (p.xy * vec2f(0.5, -0.5) + 0.5) * u_frame.shadow.x + texels - 0.5;
  let f = fract(at);
  let depth = textureGather(0, t_shadow, smp_shadow, (floor(at) + 1.0) / u_frame.shadow.x);
  let open = select(vec4f(0.0), vec4f(1.0), depth >= vec4f(p.z - 0.0006));
  return mix(mix(open.w, open.z, f.x), mix(open.x, open.y, f.x), f.y);
}

// Beyond the map everything is lit; where shadows are planar, the map says nothing.
fn shadowed(p: vec3f, light: f32) -> f32 {
  return 1.0 - (1.0 - light) * in_map(p) * (1.0 - u_frame.shadow.w) * u_frame.shadow.z;
}

// 1 within the shadow map, 0 beyond it.
fn in_map(p: vec3f) -> f32 {
  let edge = max(max(abs(p.x), abs(p.y)), 2.0 * abs(p.z - 0.5));
  return 1.0 - smoothstep(0.94, 1.0, edge);
}

// Light of the sun that clouds and hills leave, before what plants take of it.
fn sunshine(world: vec3f) -> vec3f {
  let hills = shadow_of_hills(world.xz);
  return below_clouds(world) * smoothstep(hills.x, hills.y, world.y - hills.z);
}

// The same for the ground itself, whose far triangles are coarser than the map of its shadow.
fn sunshine_on_land(world: vec3f) -> vec3f {
  let hills = shadow_of_hills(world.xz);
  let above = select(0.0, 1.0, u_frame.clouds.w == 0.0);
  return below_clouds(world) * smoothstep(hills.x, hills.y, above);
}

// How high the shadow of hills reaches above the ground, for the upper and the lower rim of the sun; the ground's height.
fn shadow_of_hills(p: vec2f) -> vec3f {
  let texel = 0.5 / vec2f(textureDimensions(t_hills));
  return textureSampleLevel(t_hills, smp_sky, p * u_frame.clouds.w + 0.25 + texel, 0.0).xyz;
}

fn below_clouds(world: vec3f) -> vec3f {
  let up = u_frame.sun.xz / max(u_frame.sun.y, 0.12) * (CLOUD_HEIGHT - world.y);
  let p = vec3f(world.x + up.x, CLOUD_HEIGHT + 150.0, world.z + up.y);
  let tile = textureSampleLevel(t_clouds, smp_sky, (p.xz - u_frame.clouds.xy) / CLOUD_TILE, 3.0).r;
  let thick = tile + 0.8 * ROUGH * billow(p, BILLOWS);
  return u_frame.sun_colour.rgb * (1.0 - u_frame.clouds.z * cloud_cover(thick));
}

// Heaps of several sizes about a place.
fn billow(p: vec3f, size: f32) -> f32 {
  return textureSampleLevel(t_billows, smp_sky, (p - vec3f(u_frame.clouds.x, 0.0, u_frame.clouds.y)) / size, 0.0).r - 0.55;
}

// Where a cloud is, 0 to 1, from the rank of its thickness.
fn cloud_cover(thick: f32) -> f32 {
  return smoothstep(-0.10, 0.13, thick - 1.0 + u_frame.star.w);
}

// Light of sky and ground on a surface that looks along n: the twin of `_harmonics` in daylight.py.
fn sky_light(n: vec3f) -> vec3f {
  let a = u_frame.ambient;
  let level = a[0] + a[1] * n.y + a[2] * n.z + a[3] * n.x;
  let bent = a[4] * (n.x * n.y) + a[5] * (n.y * n.z) + a[6] * (3.0 * n.z * n.z - 1.0) + a[7] * (n.x * n.z) + a[8] * (n.x * n.x - n.y * n.y);
  return max((level + bent).rgb, vec3f(0.0));
}

// The clear sky in a direction, without clouds and hills.
fn clear_sky(direction: vec3f) -> vec3f {
  let flat = max(length(direction.xz) * length(u_frame.star.xz), 1e-9);
  let around = acos(clamp(dot(direction.xz, u_frame.star.xz) / flat, -1.0, 1.0)) / 3.14159265;
  let upward = sqrt(asin(clamp(direction.y, 0.0, 1.0)) / 1.57079633);
  let size = vec2f(textureDimensions(t_dome));
  return textureSampleLevel(t_dome, smp_sky, (vec2f(around, upward) * (size - 1.0) + 0.5) / size, 0.0).rgb;
}

// What air far away is lit with: the clear sky in a direction, or under a closed cover of clouds their grey.
fn far_air(direction: vec3f) -> vec3f {
  let low = normalize(vec3f(direction.x, max(direction.y, 0.03), direction.z));
  let mean = 0.7 * sky_light(vec3f(0.0, 1.0, 0.0));
  let sky = clear_sky(low);
  // Thick air spreads the glow about a low sun, and air before what lies below the camera is not before the sun.
  let bright = dot(sky, vec3f(0.3, 0.6, 0.1)) / max(dot(mean, vec3f(0.3, 0.6, 0.1)), 1e-4);
  let glow = mix(sky / (1.0 + 0.08 * bright), mean, smoothstep(0.03, 0.35, -direction.y));
  return mix(glow, mean, 0.9 * smoothstep(0.6, 1.0, u_frame.star.w));
}

const AIR_COLOUR = vec3f(0.82, 1.0, 1.35);  // how much of red, green and blue light the air takes

// What air, or water, does to light on its way to the camera.
struct Air {
  left: vec3f,   // share of the light that arrives
  added: vec3f,
};

// Water takes red first, then green.
fn underwater(ray: vec3f, distance: f32) -> Air {
  let kept = exp(-distance * vec3f(0.20, 0.065, 0.045));
  let up = clamp(ray.y * 0.5 + 0.5, 0.0, 1.0);
  let water = mix(vec3f(0.004, 0.05, 0.075), vec3f(0.10, 0.42, 0.45), up * up);
  return Air(kept, water * (1.0 - kept));
}

// Both are found and one is taken: a branch here, asked for by a vertex, costs llvmpipe (Mesa 22.3) half a MB a frame for ever.
fn air_before(world: vec3f) -> Air {
  let ray = world - u_frame.eye.xyz;
  let distance = length(ray);
  let direction = ray / max(distance, 1e-3);
  let water = underwater(direction, distance);
  let clear = exp2(-distance / u_frame.viewport.w * AIR_COLOUR);
  let sky = far_air(direction);
  let below = u_frame.wind.w > 0.5;
  return Air(select(clear, water.left, below), select(sky * (1.0 - clear), water.added, below));
}

// What is left of a colour on its way to the camera, and what the air adds.
fn hazed(colour: vec3f, world: vec3f) -> vec3f {
  let air = air_before(world);
  return colour * air.left + air.added;
}
