// Clouds over the land: heaps with flat bases, walked through along a ray, and thin veils of ice far above them.
// include "render/wgsl/light.wgsl"

const PLANET = 6360000.0;     // radius, m, as in atmosphere.py
const CLOUD_DEEP = 560.0;     // from the base of clouds to the highest top, m
const HEAPED = 0.34;          // rank above that at a cloud's edge where its top is highest
const BILLOWS = 1150.0;       // after which billows repeat, m
const THICK = 0.03;           // optical depth of a cloud over 1 m
const WALKED = 56;            // most steps through the layer
const HAZE = 17000.0;         // over which the air takes most of a far cloud's contrast, m
const VEILS = 7500.0;         // height of clouds of ice, m

// Way along a ray to a height above the camera, m, around the planet.
fn way_to(height: f32, upward: f32) -> f32 {
  let down = PLANET * upward;
  return sqrt(down * down + 2.0 * PLANET * height) - down;
}

// How far inside of a cloud's outline a place is, in ranks of the tile: negative outside. `high` is 0 at the base, 1 at the top.
fn inside(p: vec2f, high: f32, level: f32) -> f32 {
  let rank = textureSampleLevel(t_clouds, smp_sky, (p - u_frame.clouds.xy) / CLOUD_TILE, level).r - 1.0 + u_frame.star.w;
  let up = clamp(high, 0.0, 1.0);
  return rank - HEAPED * up * sqrt(up) - 0.12 * smoothstep(0.03, 0.0, high) - 2.0 * max(high - 1.0, 0.0);
}

fn billow(p: vec3f, size: f32) -> f32 {
  return textureSampleLevel(t_billows, smp_sky, p / size, 0.0).r - 0.55;
}

// Light of sun and sky at a place within a cloud, and how much of what it holds the ray meets there.
struct Within {
  light: vec3f,
  density: f32,
};

fn density_of(deep: f32) -> f32 {
  return smoothstep(0.0, 0.09, deep);
}

fn within(p: vec3f, high: f32, deep: f32, heap: f32, around: f32, level: f32) -> Within {
  let sun = toward_the_sun();
  var thick = 0.0;
  var at = 40.0;
  for (var k = 0; k < 3; k++) {
    let there = inside(p.xz + sun.xz * at, high + sun.y * at / CLOUD_DEEP, level + 1.0);
    thick += density_of(there) * at;
    at *= 2.6;
  }
  // What is turned to the sun stands out from what is not.
  let relief = clamp(0.5 + 1.7 * (heap - billow(p + sun * 70.0, BILLOWS)), 0.0, 1.0);
  let through = THICK * thick;
  let beam = (0.68 * exp(-0.5 * through) + 0.32 * exp(-0.08 * through)) * mix(0.68, 1.08, relief);
  let ahead = 0.85 + 0.15 * around * around + 4.0 * pow(max(around, 0.0), 30.0) * exp(-0.7 * through);
  // A deep cloud takes the light of the sky from its base, which sees the ground instead.
  let column = clamp((deep + HEAPED * high) / HEAPED, 0.0, 1.0);
  let up = sqrt(clamp(high, 0.0, 1.0));
  let above = mix(mix(0.75, 0.38, column), 0.9, up) * mix(0.75, 1.1, relief);
  let sky = mix(sky_light(vec3f(0.0, -1.0, 0.0)), sky_light(vec3f(0.0, 1.0, 0.0)), 0.5 + 0.5 * up);
  return Within(u_frame.aloft.rgb * beam * ahead + sky * above, density_of(deep));
}

// At night the moon lights them.
fn toward_the_sun() -> vec3f {
  return select(u_frame.sun.xyz, u_frame.star.xyz, u_frame.star.y > -0.06);
}

// What clouds send along a ray; w: the share of what is behind them that is left. `jitter` 0 to 1 hides the steps.
fn clouds_along(ray: vec3f, jitter: f32) -> vec4f {
  if (u_frame.star.w <= 0.0 || ray.y <= 0.004 || u_frame.wind.w > 0.5) {
    return vec4f(0.0, 0.0, 0.0, 1.0);
  }
  let around = dot(ray, toward_the_sun());
  let base = CLOUD_HEIGHT - u_frame.eye.y;
  var way = way_to(base, ray.y);
  let end = min(way_to(base + CLOUD_DEEP, ray.y), 1.28 * way + 2600.0);
  let clear = exp(-way / HAZE);
  var left = 1.0;
  var light = vec3f(0.0);
  if (clear < 0.05) {
    return vec4f(veils(ray, around), 1.0);
  }
  let coarse = 150.0 + 0.03 * way;
  let fine = 26.0 + 0.0055 * way;
  let level = max(log2(u_frame.viewport.z * way / 27.0), 2.0);
  let rough = 0.30 / (1.0 + way / 7000.0);
  way += 0.7 * jitter * fine;
  for (var k = 0; k < WALKED; k++) {
    if (way > end || left < 0.03) {
      break;
    }
    let p = u_frame.eye.xyz + ray * way;
    let high = (p.y + way * way / (2.0 * PLANET) - CLOUD_HEIGHT) / CLOUD_DEEP;
    var deep = inside(p.xz, high, level);
    if (deep < -0.5 * rough) {
      way += clamp(-900.0 * (deep + 0.45 * rough), fine, coarse);
      continue;
    }
    let heap = billow(p, BILLOWS);
    deep += rough * (0.7 * heap + 0.3 * billow(p + 73.0, 0.21 * BILLOWS));
    if (deep > 0.0) {
      let here = within(p, high, deep, heap, around, level);
      let kept = exp(-THICK * here.density * fine);
      light += left * (1.0 - kept) * here.light;
      left *= kept;
    }
    way += fine;
  }
  // The air before a far cloud is as bright as the sky beside it.
  let colour = light * clear + (1.0 - left) * (1.0 - clear) * far_air(ray);
  return vec4f(colour + left * veils(ray, around), left);
}

// Clouds of ice: long threads, so thin that they only add to the sky behind them.
fn veils(ray: vec3f, around: f32) -> vec3f {
  let way = way_to(VEILS, ray.y);
  let p = u_frame.eye.xz + ray.xz * way - 0.5 * u_frame.clouds.xy;
  let along = vec2f(dot(p, vec2f(0.86, 0.5)), dot(p, vec2f(-0.5, 0.86)));
  let level = log2(max(u_frame.viewport.z * way / 60.0, 1.0));
  let there = textureSampleLevel(t_clouds, smp_sky, along / 71000.0 + 0.13, level).r;
  let thread = textureSampleLevel(t_clouds, smp_sky, along / vec2f(52000.0, 13000.0), level).r;
  let fine = textureSampleLevel(t_clouds, smp_sky, along / vec2f(23000.0, 4700.0) + 0.4, level + 1.0).r;
  let veil = smoothstep(0.45, 1.0, there) * smoothstep(0.15, 1.0, 0.62 * thread + 0.38 * fine);
  let share = 0.28 * veil * smoothstep(0.0, 0.3, u_frame.star.w) * exp(-way / 60000.0);
  return share * (0.45 + 0.2 * around * around + 1.5 * pow(max(around, 0.0), 20.0)) * u_frame.aloft.rgb;
}
