// The skyline of level land: ridges one behind another, the edge of a wood, and hedges with their trees.
// include "render/wgsl/light.wgsl"
// include "render/wgsl/noise.wgsl"

const HIGHEST = 0.12;  // that the skyline reaches
const LOWEST = -0.012;
const FAR_MEADOW = vec3f(0.075, 0.1, 0.035);
const RIDGES = 3;
const ROWS = 3;

// How far away ridges are, m, how high over that, and how many of their hills stand around.
const RIDGE = array<vec3f, RIDGES>(vec3f(15000.0, 0.050, 4.5), vec3f(6500.0, 0.036, 3.4), vec3f(2600.0, 0.021, 5.2));

// How far away swells of the land are and how high, m; how many of their rises stand around, and how many fields lie on them.
const SWELL = array<vec4f, 2>(vec4f(700.0, 8.0, 5.3, 1.0), vec4f(320.0, 3.4, 9.1, 0.0));

// How far away rows of trees are, m, how far they stand apart, how often there is one, and how tall they are.
const ROW = array<vec4f, ROWS>(vec4f(1250.0, 8.0, 1.0, 18.0), vec4f(640.0, 8.5, 0.62, 15.0), vec4f(340.0, 10.0, 0.26, 14.0));

// A direction on the skyline: along it and up from the horizon, as a tangent; and the light of sun and sky there.
struct Skyline {
  around: vec2f,   // on a circle, along which noise closes
  azimuth: f32,
  height: f32,
  air: vec3f,      // of the air before it
  sun: vec3f,      // direction to the sun: to the right, up, and toward the camera
  direct: vec3f,
  sky: vec3f,
};

fn skyline_at(ray: vec3f) -> Skyline {
  let level = normalize(ray.xz + vec2f(1e-6, 0.0));
  let sun = u_frame.sun.xyz;
  let turned = vec3f(dot(sun.xz, vec2f(-level.y, level.x)), sun.y, -dot(sun.xz, level));
  let azimuth = atan2(ray.x, -ray.z);
  let height = ray.y / max(length(ray.xz), 1e-4);
  return Skyline(vec2f(cos(azimuth), sin(azimuth)), azimuth, height, far_air(vec3f(ray.x, 0.0, ray.z)), turned, u_frame.sun_colour.rgb, sky_light(vec3f(0.0, 1.0, 0.0)));
}

// How far trees have turned, and how many of their leaves are gone, by the day of the year.
fn far_season() -> vec2f {
  let day = u_frame.aloft.w;
  return vec2f(smoothstep(262.0, 292.0, day), max(smoothstep(296.0, 325.0, day), 1.0 - smoothstep(95.0, 128.0, day)));
}

fn through_air(colour: vec3f, air: vec3f, away: f32) -> vec3f {
  let left = exp2(-away / u_frame.viewport.w * AIR_COLOUR);
  return colour * left + air * (1.0 - left);
}

fn with_ridge(behind: vec3f, at: Skyline, k: i32) -> vec3f {
  let one = RIDGE[k];
  if (at.height > 1.6 * one.y) {
    return behind;
  }
  let pixel = u_frame.viewport.z;
  let size = 12.0 / one.x;
  let seen_crowns = smoothstep(0.4, 2.0, size / pixel);
  let crowns = noise2(at.around / size + 3.0) * 0.6 + noise2(at.around * 2.7 / size) * 0.4;
  let ridge = one.y * (0.3 + 1.1 * cloudy(at.around * one.z + 11.0 * f32(k))) + 0.9 * size * crowns * seen_crowns;
  let seen = smoothstep(ridge + 0.7 * pixel, ridge - 0.7 * pixel, at.height);
  if (seen <= 0.0) {
    return behind;
  }
  // Woods and fields, which lie on the slope as on a picture.
  let place = at.around * 31.0 + vec2f(0.0, 190.0 * at.height) + f32(k);
  let spots = 0.65 * noise2(place) + 0.35 * noise2(2.3 * place + 9.0);
  let fields = smoothstep(0.5, 0.62, spots);
  let hue = mix(vec3f(0.10, 0.125, 0.04), vec3f(0.19, 0.165, 0.07), smoothstep(0.45, 0.7, noise2(at.around * 57.0 + vec2f(0.0, 260.0 * at.height))));
  let season = far_season();
  let leafy = mix(vec3f(0.030, 0.047, 0.022), mix(vec3f(0.052, 0.040, 0.014), vec3f(0.085, 0.048, 0.012), noise2(place * 7.0)), season.x);
  let woods = mix(leafy, vec3f(0.043, 0.036, 0.030), season.y);
  let land = mix(woods, mix(hue, vec3f(0.15, 0.12, 0.065), 0.7 * max(season.y, 0.5 * season.x)), fields);
  let folds = 0.5 + 0.9 * noise2(at.around * one.z * 9.0 + vec2f(3.0, 40.0 * at.height));
  let light = at.direct * max(at.sun.y + 0.3 * at.sun.z, 0.05) * folds + 0.6 * at.sky;
  // The higher, the less haze lies before it.
  return mix(behind, through_air(land * light, at.air, one.x / mix(1.25, 2.1, smoothstep(0.0, 0.8 * ridge, at.height))), seen);
}

// A swell of the land, meadows and fields, by which the horizon is not as straight as a ruler.
fn with_swell(behind: vec3f, at: Skyline, k: i32) -> vec3f {
  let one = SWELL[k];
  let pixel = u_frame.viewport.z;
  if (at.height > (one.y - u_frame.eye.y) / one.x + pixel) {
    return behind;
  }
  let rise = 0.7 * noise2(at.around * one.z + 5.0) + 0.3 * noise2(at.around * 3.1 * one.z + 23.0);
  let top = (one.y * smoothstep(0.2, 0.9, rise) - u_frame.eye.y) / one.x;
  let seen = smoothstep(top + 0.7 * pixel, top - 0.7 * pixel, at.height);
  // Fields lie on it as strips that follow its rise.
  let place = vec2f(at.azimuth * 19.0, (at.height - 0.6 * top) * 420.0);
  let crop = one.w * smoothstep(0.45, 0.6, noise2(place + 3.0));
  let season = far_season();
  let ripe = mix(vec3f(0.10, 0.115, 0.036), vec3f(0.20, 0.17, 0.075), smoothstep(0.4, 0.7, noise2(0.6 * place + 31.0)));
  let land = mix(mix(0.72 * FAR_MEADOW, ripe, crop), vec3f(0.15, 0.12, 0.065), 0.6 * crop * max(season.y, 0.5 * season.x));
  let light = at.direct * max(at.sun.y + 0.25 * abs(at.sun.z), 0.05) + 0.8 * at.sky;  // grass lets as much light through
  // What lies below the horizon is nearer.
  let away = one.x * mix(0.6, 1.0, smoothstep(-0.004, 0.002, at.height));
  return mix(behind, through_air(land * light, at.air, away), seen);
}

// One tree of a row: x and y are from its foot, m.
struct FarTree {
  tall: f32,
  wide: f32,      // half of its crown, m
  low: f32,       // where the crown begins, as a share of its height
  pointed: f32,   // 1 for a spruce
  hue: f32,
};

fn far_tree(chance: u32, tall: f32) -> FarTree {
  let own = hash(chance + 1u);
  let high = tall * (0.35 + 0.8 * own * own);
  let kind = hash(chance + 2u);
  let slim = step(0.965, kind);
  let pointed = step(kind, 0.05);
  let wide = high * mix(mix(0.36, 0.52, hash(chance + 3u)), 0.2, max(slim, pointed));
  return FarTree(high * mix(1.0, 1.15, max(slim, pointed)), wide, mix(0.16, 0.04, pointed), pointed, hash(chance + 4u));
}

// Colour of a point of a tree, and how much of a pixel it covers there.
fn seen_tree(tree: FarTree, p: vec2f, at: Skyline, pixel: f32, own: vec2f) -> vec4f {
  let middle = tree.tall * (0.5 + 0.5 * tree.low);
  let half = tree.tall - middle;
  let clumps = noise2(p * 0.28 + own) * 0.45 + noise2(p * 0.66 + own.yx) * 0.33 + noise2(p * 1.6 + own) * 0.22;
  let up = clamp((p.y - middle) / half, -1.0, 1.0);
  let narrow = mix(1.0, 0.5 - 0.5 * up, tree.pointed);
  let q = vec2f(p.x / (tree.wide * narrow + 0.05), (p.y - middle) / half);
  let r = mix(length(q), max(abs(q.x), 1.15 * abs(q.y)), tree.pointed) + 1.1 * (0.5 - clumps);
  let soft = pixel / tree.wide;
  let season = far_season() * (1.0 - tree.pointed);
  let crown = smoothstep(0.98 + soft, 0.98 - soft, r) * (1.0 - 0.45 * season.y * smoothstep(0.3, 0.6, clumps));
  let stem = smoothstep(0.035 * tree.tall + 0.6 * pixel, 0.035 * tree.tall - 0.6 * pixel, abs(p.x)) * step(p.y, middle) * step(0.0, p.y) * min(0.07 * tree.tall / pixel, 1.0);
  let n = normalize(vec3f(q, sqrt(max(1.0 - dot(q, q), 0.05))));
  let toward = max(dot(n, at.sun), 0.0) * smoothstep(0.25, 0.7, clumps);
  let through = 0.16 * max(-at.sun.z, 0.0) + 0.05;
  let green = mix(mix(vec3f(0.050, 0.074, 0.024), vec3f(0.078, 0.088, 0.024), tree.hue), vec3f(0.028, 0.048, 0.024), tree.pointed);
  let turned = mix(mix(vec3f(0.13, 0.085, 0.016), vec3f(0.15, 0.055, 0.014), tree.hue), vec3f(0.07, 0.072, 0.02), step(0.75, fract(7.0 * tree.hue)));
  let dressed = mix(mix(green, turned, season.x), vec3f(0.052, 0.043, 0.036), season.y);
  let shade = mix(0.35, 1.0, 0.5 + 0.5 * n.y) * mix(0.5, 1.1, clumps);
  let leaves = dressed * (at.direct * (1.3 * toward + through * vec3f(1.0, 1.1, 0.4)) + at.sky * shade);
  let bark = vec3f(0.05, 0.043, 0.034) * (0.5 * at.direct * max(at.sun.z, 0.1) + 0.4 * at.sky);
  return vec4f(mix(bark, leaves, crown), max(crown, stem));
}

fn with_row(behind: vec3f, at: Skyline, k: i32) -> vec3f {
  let row = ROW[k];
  let count = round(6.2831853 * row.x / row.y);
  let apart = 6.2831853 * row.x / count;
  let y = at.height * row.x + u_frame.eye.y;
  if (y < -2.0 || y > 1.7 * row.w) {
    return behind;
  }
  let pixel = u_frame.viewport.z * row.x;
  let x = (at.azimuth / 6.2831853 + 0.5) * count;
  let bush = 3.2 * noise2(at.around * row.x / 4.0 + f32(k)) * smoothstep(0.35, 0.65, noise2(at.around * row.x / 40.0 + 5.0)) - 0.3;
  let light = at.direct * (0.35 * max(at.sun.y, 0.0) + 0.35 * max(at.sun.z, 0.0)) + 0.55 * at.sky;
  let tops = 0.55 + 0.6 * noise2(vec2f(x * apart, y) * 0.8);
  let season = far_season();
  let hedge = mix(mix(vec3f(0.05, 0.07, 0.025), vec3f(0.085, 0.062, 0.022), season.x), vec3f(0.05, 0.042, 0.034), season.y);
  var colour = mix(behind, through_air(hedge * light * tops, at.air, row.x), smoothstep(bush + pixel, bush - pixel, y));
  for (var near = -1; near <= 1; near++) {
    let number = (floor(x) + f32(near) + count) % count;
    let chance = scrambled(u32(number) * 4u + u32(k) + 977u);
    // Trees stand in groups.
    let angle = (number / count - 0.5) * 6.2831853;
    let group = noise2(vec2f(cos(angle), sin(angle)) * row.x / 70.0 + 7.0 * f32(k));
    if (hash(chance) > row.z * 2.0 * smoothstep(0.3, 0.62, group) + 0.3 * row.z * row.z) {
      continue;
    }
    let foot = (x - floor(x) - f32(near) - 0.2 - 0.6 * hash(chance + 9u)) * apart;
    let tree = seen_tree(far_tree(chance, row.w), vec2f(foot, y), at, pixel, vec2f(f32(chance & 255u), f32((chance >> 8u) & 255u)));
    colour = mix(colour, through_air(tree.rgb, at.air, row.x), tree.a);
  }
  return colour;
}

// A sky with what stands before it, under as much air as lies in between.
fn with_skyline(sky: vec3f, ray: vec3f) -> vec3f {
  if (u_frame.clock.w > 0.5 || ray.y > HIGHEST) {
    return sky;
  }
  let at = skyline_at(ray);
  if (at.height < LOWEST) {  // where there is no ground
    let light = at.direct * max(at.sun.y, 0.0) + 0.8 * at.sky;
    return through_air(FAR_MEADOW * light, at.air, min(max(u_frame.eye.y, 2.0) / -at.height, 2600.0));
  }
  var colour = sky;
  for (var k = 0; k < RIDGES; k++) {
    colour = with_ridge(colour, at, k);
  }
  for (var k = 0; k < ROWS; k++) {
    colour = with_row(colour, at, k);
    if (k != 1) {
      colour = with_swell(colour, at, k / 2);
    }
  }
  return colour;
}
