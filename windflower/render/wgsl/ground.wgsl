// The ground: a wide plane, or hills, of turf, soil, dead leaves, moss, sand or snow.
// include "render/wgsl/breeze.wgsl"
// include "render/wgsl/corners.wgsl"
// include "render/wgsl/drift.wgsl"
// include "render/wgsl/feet.wgsl"
// include "render/wgsl/land.wgsl"
// include "render/wgsl/light.wgsl"
// include "render/wgsl/velocity.wgsl"

struct Ground {
  @builtin(position) position: vec4f,
  @location(0) world: vec3f,
};

@group(1) @binding(1) var t_planar: texture_2d<f32>;
@group(1) @binding(8) var t_colour: texture_2d_array<f32>;  // of the materials: roots of linear RGB; height, 0 to 1
@group(1) @binding(9) var t_relief: texture_2d_array<f32>;  // their slopes, halved and raised by a half; openness; gloss
@group(1) @binding(10) var smp_ground: sampler;

const BASE = 0u;
const BARE = 1u;
const UNDER = 2u;
const MOSS = 3u;

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32) -> Ground {
  let corner = vec2f(f32(vertex & 1u), f32(vertex >> 1u)) * 2.0 - 1.0;
  let world = vec3f(corner.x, 0.0, corner.y) * u_ground.colour.w;
  return Ground(u_frame.view_proj * vec4f(world, 1.0), world);
}

const CELLS = 64u;  // along a side of a patch, as in ground.py

// Hills: square patches about the camera, each twice as coarse and as wide as the one before, which it leaves a hole for.
@vertex
fn vs_land(@builtin(vertex_index) vertex: u32, @builtin(instance_index) patch_number: u32) -> Ground {
  let side = u_ground.land.y * exp2(f32(patch_number));
  let quad = vec2i(vec2u(vertex / 6u % CELLS, vertex / 6u / CELLS)) - i32(CELLS / 2u);
  let corner = vec2i(quad_corner(vertex % 6u));
  // A patch moves with the camera by whole cells of the next, so that its points stay where they are.
  let cell = quad + 2 * vec2i(floor(u_frame.eye.xz / (2.0 * side)));
  let hole = vec2i(floor(u_frame.eye.xz / side));
  let quarter = i32(CELLS / 4u);
  if (patch_number > 0u && all(cell >= hole - quarter) && all(cell < hole + quarter)) {
    return Ground(vec4f(0.0, 0.0, -1.0, 1.0), vec3f(0.0));
  }
  // Toward its rim every other point slides onto its neighbour: there it is as coarse as the next patch.
  let point = cell + corner;
  let away = abs(vec2f(point) - u_frame.eye.xz / side);
  let coarse = clamp((max(away.x, away.y) - 20.0) / 9.0, 0.0, 1.0);
  let at = (vec2f(point) - vec2f(point & vec2i(1)) * coarse) * side;
  let world = vec3f(at.x, land_height(at), at.y);
  return Ground(u_frame.view_proj * vec4f(world, 1.0), world);
}

// A network of light under waves.
fn caustics(p: vec2f) -> f32 {
  let a = abs(drifting2(p * 1.7, vec2f(-0.35, -0.1)) - 0.5);
  let b = abs(drifting2(p * 2.3 + 8.0, vec2f(0.21, 0.35)) - 0.5);
  return pow(1.0 - clamp(a + b, 0.0, 1.0), 8.0);
}

struct Material {
  albedo: vec3f,
  height: f32,
  slope: vec2f,
  open: f32,
  gloss: f32,
  sward: f32,    // share of grass that stands for its blades
};

// A material at a place; dx and dy are how far the place moves from pixel to pixel.
fn material(layer: u32, p: vec2f, dx: vec2f, dy: vec2f) -> Material {
  let side = u_ground.sides[layer];
  let c = textureSampleGrad(t_colour, smp_ground, p / side, layer, dx / side, dy / side);
  let r = textureSampleGrad(t_relief, smp_ground, p / side, layer, dx / side, dy / side);
  var found = Material(c.rgb * c.rgb, c.a, r.xy * 2.0 - 1.0, r.z, r.w, 0.0);
  // From very near its texels would show: the same once more, smaller and askew.
  let near = 1.0 - smoothstep(0.0006, 0.003, length(dx) + length(dy));
  if (near > 0.0) {
    let askew = mat2x2f(4.9, 3.7, -3.7, 4.9) * (1.0 / side);
    let fine = textureSampleGrad(t_colour, smp_ground, askew * p, layer, askew * dx, askew * dy);
    let bumps = textureSampleGrad(t_relief, smp_ground, askew * p, layer, askew * dx, askew * dy);
    found.albedo *= mix(1.0, 0.45 + 1.1 * fine.a, near);
    found.slope += 0.6 * near * (bumps.xy * 2.0 - 1.0);
    found.open *= mix(1.0, bumps.z, near);
  }
  return found;
}

const RELIEF = 0.025;  // height of a material's relief over the side of its texture
const SUNK = 16;       // steps of a ray through it

// Where a ray that meets the ground's plane at p meets the relief of a material below it: clods stand up and hide what
// is behind them. Not from afar, where the relief is smaller than a pixel.
fn sunk(layer: u32, p: vec2f, ray: vec3f, dx: vec2f, dy: vec2f) -> vec2f {
  let side = u_ground.sides[layer];
  let wide = length(dx) + length(dy);
  let near = 1.0 - smoothstep(0.05, 0.25, wide / (RELIEF * side));
  if (near <= 0.0) {
    return p;
  }
  // Steps would slice what is as fine as they are: it stays painted.
  let level = max(log2(wide / side * f32(textureDimensions(t_colour).x)), 1.5);
  let way = ray.xz / max(-ray.y, 0.3) * near * RELIEF * side;
  let begin = p - 0.5 * way;  // the plane lies halfway up
  var before = 0.0;
  var over = 1.0;
  for (var k = 1; k <= SUNK; k++) {
    let there = f32(k) / f32(SUNK);
    let gap = above_relief(layer, begin + there * way, there, level);
    if (gap <= 0.0) {
      // Twice between the last two places, as if the relief were straight there.
      var found = mix(before, there, over / max(over - gap, 1e-4));
      let rest = above_relief(layer, begin + found * way, found, level);
      found = select(mix(found, there, rest / max(rest - gap, 1e-4)), mix(before, found, over / max(over - rest, 1e-4)), rest < 0.0);
      return begin + found * way;
    }
    before = there;
    over = gap;
  }
  return begin + way;
}

// How far above its relief, as a share of that, a ray is `there` on its way down through it.
fn above_relief(layer: u32, p: vec2f, there: f32, level: f32) -> f32 {
  return 1.0 - there - textureSampleLevel(t_colour, smp_ground, p / u_ground.sides[layer], layer, level).a;
}

// One material over another: what is higher wins where both have their share.
fn blended(a: Material, b: Material, share: f32) -> Material {
  if (share <= 0.0) {
    return a;
  }
  let t = smoothstep(0.35, 0.65, share + 0.7 * (b.height - a.height) * (1.0 - abs(2.0 * share - 1.0)));
  return Material(mix(a.albedo, b.albedo, t), mix(a.height, b.height, t), mix(a.slope, b.slope, t), mix(a.open, b.open, t), mix(a.gloss, b.gloss, t), mix(a.sward, b.sward, t));
}

// The sward where its blades are too far to be drawn: tips in the light, with what shade lies between tufts.
fn with_sward(below: Material, p: vec2f, pixel: f32, patches: Patches, light: f32, shine: f32, share: f32) -> Material {
  let tufts = detail(p, 3.3, pixel) * 0.5 + detail(p + 7.0, 9.0, pixel) * 0.5;
  var albedo = grass_colour(patches.lush, 0.3 + 0.4 * tufts) * (0.43 + 0.42 * tufts) * mix(1.0, 0.8, u_ground.veil.z) * shine;
  if (pixel > 0.04 && u_ground.herbs.x > 0.2) {  // drifts of flowers, which are too far to be drawn
    let drift = smoothstep(0.52, 0.85, noise2(p * 0.05 + 18.7)) * u_ground.herbs.x * smoothstep(0.04, 0.15, pixel);
    albedo += 0.02 * drift * mix(vec3f(0.62, 0.60, 0.50), vec3f(0.60, 0.42, 0.03), smoothstep(0.2, 0.6, patches.lush));
  }
  if (pixel > 0.04) {  // a far meadow is not one: it was mown here and not there, and it dries on rises
    let far = smoothstep(0.04, 0.4, pixel);
    let dried = smoothstep(0.42, 0.72, noise2(mat2x2f(0.6, 0.8, -0.8, 0.6) * p * 0.0042 + 5.0));
    let mown = noise2(p * vec2f(0.011, 0.0075) + 27.0);
    albedo *= mix(vec3f(1.0), mix(vec3f(0.90, 0.97, 0.9), vec3f(1.35, 1.12, 0.95), dried) * (0.78 + 0.44 * mown), far);
  }
  let t = clamp(share, 0.0, 1.0);
  return Material(mix(below.albedo, albedo, t), below.height, below.slope * (1.0 - t), mix(below.open, 1.0, t), below.gloss * (1.0 - t), t);
}

// Factor on the colour of dead leaves: some lay there a winter longer, dark and grey, others dried in the sun.
fn aged(p: vec2f, pixel: f32) -> vec3f {
  let wide = noise2(mat2x2f(0.8, 0.6, -0.6, 0.8) * p * 0.19 + 11.0);
  let old = smoothstep(0.25, 0.75, 0.5 * wide + 0.3 * detail(p + 17.0, 0.57, pixel) + 0.2 * detail(p, 1.9, pixel));
  return mix(vec3f(1.32, 1.27, 1.18), vec3f(0.62, 0.60, 0.60), old);
}

fn covered(p: vec2f, ray: vec3f, dx: vec2f, dy: vec2f, pixel: f32, patches: Patches, foot: Foot, light: f32) -> Material {
  var ground = material(BASE, sunk(BASE, p, ray, dx, dy), dx, dy);
  ground.albedo *= u_ground.tint.rgb * mix(vec3f(1.0), aged(p, pixel), u_ground.cover.y);
  let shore = smoothstep(0.40, 0.5, pond_share(p));
  let trodden = (1.0 - grown_beside(foot)) * u_ground.grass.x;
  let bare = max(max(patches.bare * step(0.01, u_ground.grass.x), shore), trodden);
  if (bare > 0.02) {
    ground = blended(ground, material(BARE, sunk(BARE, p, ray, dx, dy), dx, dy), bare);
    ground.albedo *= mix(1.0, 0.5, shore);
  }
  let strewn = clamp(max(u_ground.cover.y * max(smoothstep(0.95, 0.35, light), 0.9 * gathered(foot)), u_ground.cover.z) * (0.55 + 0.9 * patches.moss), 0.0, 1.0) * (1.0 - shore);
  if (strewn > 0.02) {
    var leaves = material(UNDER, p, dx, dy);
    let shed = shed_colour(p);
    leaves.albedo *= old_leaf(shed, 0.5) / vec3f(0.177, 0.125, 0.081) * aged(p, pixel);
    leaves.albedo = mix(leaves.albedo, shed * (0.25 + 3.2 * leaves.albedo.r), 0.8 * u_ground.fallen.w * leaves.height);
    ground = blended(ground, leaves, strewn);
  }
  // Cushions of many sizes, with what lies between them.
  let cushions = smoothstep(0.40, 0.66, 0.5 * detail(p + 4.0, 0.83, pixel) + 0.3 * detail(p, 2.7, pixel) + 0.2 * detail(p, 9.0, pixel));
  let mossy = u_ground.cover.w * clamp(patches.moss * cushions * smoothstep(1.0, 0.4, light) + 0.9 * exp(-max(foot.away, 0.0) / (0.15 + 0.8 * foot.radius)) * patches.moss, 0.0, 1.0);
  if (mossy > 0.02) {
    ground = blended(ground, material(MOSS, p, dx, dy), 0.9 * mossy);
  }
  return ground;
}

// Slopes of what is uneven where no grass hides it, as drifts of sand and snow.
fn swell(p: vec2f, pixel: f32) -> vec2f {
  if (u_ground.grass.x > 0.2 || pixel > 1.0) {
    return vec2f(0.0);
  }
  let q = mat2x2f(0.8, 0.6, -0.6, 0.8) * p;
  let wide = vec2f(noise2(q * 0.23 + 3.0) - 0.5, noise2(q * 0.23 + 40.0) - 0.5);
  let small = vec2f(noise2(p * 0.9 + 3.0) - 0.5, noise2(p * 0.9 + 40.0) - 0.5);
  return (0.30 * wide + 0.18 * small * (1.0 - smoothstep(0.03, 0.3, pixel))) * (1.0 - smoothstep(0.3, 1.0, pixel));
}

// Light that a point of the ground sends to the camera; dx and dy are how far the place moves from pixel to pixel.
fn ground_light(world: vec3f, dx: vec2f, dy: vec2f, at: vec2i) -> vec3f {
  let p = world.xz;
  let pixel = length(abs(dx) + abs(dy));
  let ray = normalize(world - u_frame.eye.xyz);
  let away = distance(world, u_frame.eye.xyz);
  let slope = land_slope(p, pixel) + swell(p, pixel);
  let patches = patches_at(p, pixel);
  let light = crown_light(p, max(0.6, pixel));
  let foot = nearest_foot(p);
  var ground = covered(p, ray, dx, dy, pixel, patches, foot, light);
  var open = sky_above(p) * beside(foot);
  var deep = 1.0;
  if (u_ground.grass.x > 0.0) {
    let steep = smoothstep(0.6, 1.1, length(slope));
    let grown = grass_share(patches, light, length(slope)) * (1.0 - smoothstep(0.44, 0.485, pond_share(p)))
      * grown_beside(foot);
    let veil = 1.0 - (1.0 - smoothstep(u_ground.veil.x, u_ground.veil.y, away)) * seen_as_blades(away);
    let shine = sheen(lean_in(breeze(p, pixel)), ray);
    ground = with_sward(ground, p, pixel, patches, light, shine, grown * mix(mix(0.85, 0.35, u_ground.veil.z), 1.0, veil));
    // Between near blades it is dark.
    deep = mix(1.0, mix(mix(0.74, 0.45, u_ground.veil.z), 1.0, veil), grown);
    if (steep > 0.0) {
      ground = blended(ground, material(BARE, p, dx, dy), steep);
    }
  }
  let flat_normal = normalize(vec3f(-slope.x, 1.0, -slope.y));
  let n = normalize(vec3f(-slope.x - ground.slope.x, 1.0, -slope.y - ground.slope.y));
  // Where the shadow map ends, the shade of the whole forest takes over.
  let mapped = in_shadow_map(world, flat_normal);
  let beyond = (1.0 - in_map(mapped)) * u_frame.shadow.z;
  var shade = softly_lit_over(mapped, step_in_map(dx, slope), step_in_map(dy, slope));
  if (beyond > 0.0) {
    shade *= mix(1.0, under_canopy(p, pixel), beyond);
  }
  if (u_frame.shadow.w > 0.5) {
    shade = 1.0 - textureLoad(t_planar, at, 0).r * u_frame.shadow.z;
  }
  let sun = sunshine_on_land(world) * shade * deep * mix(0.45, 1.0, beside(foot)) * mix(0.6, 1.0, ground.open);
  let glint = ground.gloss * 0.12 * pow(max(dot(reflect(ray, n), u_frame.sun.xyz), 0.0), 12.0);
  // A sward is lit as its blades are, see `thin_light`.
  let toward = dot(n, u_frame.sun.xyz);
  let front = mix(max(toward, 0.0), max(0.62 * toward + 0.38, 0.0), ground.sward);
  let back = 0.38 * ground.sward * pow(max(dot(ray, u_frame.sun.xyz), 0.0), 5.0);
  var colour = sun * (ground.albedo * (front + vec3f(1.2, 1.4, 0.3) * back) + glint) + ground.albedo * sky_light(n) * open * ground.open * deep;
  if (u_ground.tint.w > 0.0 && pixel < 0.02) {
    colour += sun * glitter(p, ray, n) * u_ground.tint.w;
  }
  if (u_frame.wind.w > 0.5) {
    colour *= 0.6 + 1.6 * caustics(p);
  }
  return hazed(colour, world);
}

@fragment
fn fs_view(in: Ground) -> Seen {
  let light = ground_light(in.world, dpdx(in.world.xz), dpdy(in.world.xz), vec2i(in.position.xy));
  return Seen(vec4f(light, 1.0), velocity_of(in.position, seen_before(in.world)));
}

const FEW = 5.0;  // levels of a texture from the one of 16 texels a side on

// The ground of a web page's first picture: mean colours and shadows, by a shader that is soon compiled.
@fragment
fn fs_plain(in: Ground) -> Seen {
  let p = in.world.xz;
  let level = f32(textureNumLevels(t_colour)) - FEW;
  let c = textureSampleLevel(t_colour, smp_ground, p / u_ground.sides[BASE], BASE, level);
  let grass = 0.64 * grass_colour(smoothstep(0.27, 0.73, noise2(p * 0.031 + 3.0)), 0.5);
  let albedo = mix(c.rgb * c.rgb * u_ground.tint.rgb, grass, clamp(u_ground.grass.x, 0.0, 1.0));
  let up = vec3f(0.0, 1.0, 0.0);
  var shade = quickly_lit(in_shadow_map(in.world, up));
  if (u_frame.shadow.w > 0.5) {
    shade = 1.0 - textureLoad(t_planar, vec2i(in.position.xy), 0).r * u_frame.shadow.z;
  }
  let light = albedo * (u_frame.sun_colour.rgb * shade * max(u_frame.sun.y, 0.0) + sky_light(up));
  return Seen(vec4f(hazed(light, in.world), 1.0), vec2f(0.0));
}

// Where ground_pass.wgsl is to find the light.
@fragment
fn fs_mark(in: Ground) -> Seen {
  return Seen(MARK, velocity_of(in.position, seen_before(in.world)));
}

// Crystals that happen to mirror the sun to the camera.
fn glitter(p: vec2f, ray: vec3f, n: vec3f) -> f32 {
  let cell = floor(p * 260.0);
  let facet = normalize(n + 0.9 * (vec3f(lattice2(cell + 3.0), 0.5, lattice2(cell + 29.0)) - 0.5));
  return 3.0 * pow(max(dot(reflect(ray, facet), u_frame.sun.xyz), 0.0), 220.0);
}
