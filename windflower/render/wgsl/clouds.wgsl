// Clouds over the land: heaps with flat bases, walked through along a ray, and thin veils of ice far above them.
// include "render/wgsl/light.wgsl"

const PLANET = 6360000.0;     // radius, m, as in atmosphere.py
const CLOUD_DEEP = 760.0;     // from the base of clouds to the highest top, m
const HEAPED = 0.42;          // rank above that at a cloud's edge where its top is highest
const EDGE = 0.03;            // rank by which billows stand out of a cloud's outline, taken back
const SMALL = CLOUD_TILE / 47.0;  // after which the smaller billows repeat, m
const THICK = 0.045;          // optical depth of a cloud over 1 m
const WALKED = 60;            // most steps through the layer
const HAZE = 15000.0;         // over which the air takes most of a far cloud's contrast, m
const FARTHEST = 0.05;        // share of contrast that is left of the farthest clouds that are drawn
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
  return rank - EDGE - HEAPED * up * (0.55 + 0.45 * sqrt(up)) - 0.3 * smoothstep(0.05, -0.03, high) - 2.0 * max(high - 1.0, 0.0);
}

fn density_of(deep: f32) -> f32 {
  return smoothstep(0.0, 0.135, deep);
}

// Light of sun and sky at a place within a cloud. `heap` and `small` are the billows there, large and small ones.
fn within(p: vec3f, high: f32, deep: f32, heap: f32, small: f32, around: f32, level: f32, rough: vec2f) -> vec3f {
  let sun = toward_the_sun();
  // What is turned to the sun stands out from what is not.
  let ahead_heap = billow(p + sun * 60.0, BILLOWS);
  let ahead_small = billow(p + sun * 14.0 + 73.0, SMALL);
  let relief = clamp(0.5 + 1.5 * (heap - ahead_heap) + 0.9 * (small - ahead_small) * rough.y / 0.14, 0.0, 1.0);
  var thick = density_of(deep + rough.x * (ahead_heap - heap)) * 50.0;
  var at = 110.0;
  for (var k = 0; k < 3; k++) {
    let there = inside(p.xz + sun.xz * at, high + sun.y * at / CLOUD_DEEP, level + 1.0);
    thick += density_of(there + 0.04) * 0.8 * at;
    at *= 2.2;
  }
  let through = THICK * thick;
  let beam = (0.8 * exp(-0.3 * through) + 0.36 * exp(-0.07 * through) + 0.08 * exp(-0.015 * through)) * mix(0.5, 1.25, relief);
  let ahead = 0.85 + 0.15 * around * around + 4.0 * pow(max(around, 0.0), 30.0) * exp(-0.5 * through);
  // A deep cloud takes the light of the sky from its base, which sees the ground instead.
  let column = clamp((deep + HEAPED * high) / HEAPED, 0.0, 1.0);
  let up = sqrt(clamp(high, 0.0, 1.0));
  let above = mix(mix(0.75, 0.24, column), 0.95, up) * mix(0.72, 1.1, relief);
  let sky = mix(sky_light(vec3f(0.0, -1.0, 0.0)), sky_light(vec3f(0.0, 1.0, 0.0)), 0.5 + 0.5 * up);
  return u_frame.aloft.rgb * beam * ahead + sky * above;
}

// At night the moon lights them.
fn toward_the_sun() -> vec3f {
  return select(u_frame.sun.xyz, u_frame.star.xyz, u_frame.star.y > -0.06);
}

// What clouds send along a ray; w: the share of what is behind them that is left. `jitter` 0 to 1 hides the steps.
fn clouds_along(ray: vec3f, jitter: f32) -> vec4f {
  if (u_frame.star.w <= 0.0 || ray.y <= -0.1 || u_frame.wind.w > 0.5) {
    return vec4f(0.0, 0.0, 0.0, 1.0);
  }
  let low = lowest_clouds(ray);
  if (ray.y <= 0.004) {
    return low;
  }
  let around = dot(ray, toward_the_sun());
  let base = CLOUD_HEIGHT - u_frame.eye.y;
  var way = way_to(base, ray.y);
  let end = min(way_to(base + CLOUD_DEEP, ray.y), 1.28 * way + 2600.0);
  let clear = exp(-way / HAZE);
  var left = 1.0;
  var light = vec3f(0.0);
  if (clear < FARTHEST) {
    return vec4f(veils(ray, around), 1.0) * vec4f(vec3f(low.a), low.a) + vec4f(low.rgb, 0.0);
  }
  let coarse = 150.0 + 0.03 * way;
  let fine = 26.0 + 0.0045 * way * (1.0 + way / 7000.0);
  let level = max(log2(u_frame.viewport.z * way / 27.0), 1.5);
  // Billows smaller than a step are left out: the steps would slice them.
  let rough = vec2f(ROUGH / (1.0 + way / 12000.0), 0.14 * smoothstep(90.0, 30.0, fine));
  let thick = min(THICK, 1.6 / fine);  // no step is opaque by itself: the pattern of steps would show
  let widest = 0.5 * (rough.x + rough.y);
  way += jitter * fine;
  var before = 0.0;
  var gone = fine;
  var k = 0;
  loop {
    var p: vec3f;
    var high: f32;
    var deep: f32;
    // Through clear air in a loop of its own: a driver without branches works out all of a cloud wherever it looks for one.
    loop {
      p = u_frame.eye.xyz + ray * way;
      high = (p.y + way * way / (2.0 * PLANET) - CLOUD_HEIGHT) / CLOUD_DEEP;
      deep = inside(p.xz, high, level);
      if (deep >= -widest || way > end || k >= WALKED) {
        break;
      }
      gone = clamp(-900.0 * (deep + 0.9 * widest), fine, coarse);
      way += gone;
      before = 0.0;
      k++;
    }
    if (way > end || k >= WALKED || left < 0.05) {
      break;
    }
    let heap = billow(p, BILLOWS);
    var small = 0.0;
    if (rough.y > 0.0) {
      small = billow(p + 73.0, SMALL);
    }
    let flat = smoothstep(-0.02, 0.22, high);
    deep += mix(0.15, 1.0, flat) * (rough.x * heap + rough.y * small);
    let density = density_of(deep);
    let kept = exp(-thick * 0.5 * (before + density) * min(gone, fine));
    let share = left * (1.0 - kept);
    if (share > 0.004) {
      light += share * within(p, high, max(deep, 0.0), heap, small, around, level, rough);
      left -= share;
    }
    before = density;
    gone = fine;
    way += fine;
    k++;
  }
  let whole = smoothstep(0.3, 0.05, left);  // what is not walked through is as bright as what was
  light /= mix(1.0, 1.0 - left, whole);
  left *= 1.0 - whole;
  // The air before a far cloud is as bright as the sky beside it.
  let colour = light * clear + (1.0 - left) * (1.0 - clear) * far_air(ray);
  let shown = smoothstep(FARTHEST, 4.0 * FARTHEST, clear);
  left = mix(1.0, left, shown);
  return vec4f(shown * colour + left * (low.rgb + low.a * veils(ray, around)), left * low.a);
}

// Clouds too far away to be told apart: one hides the next, so the lowest sky is as bright as their sides.
fn lowest_clouds(ray: vec3f) -> vec4f {
  let share = smoothstep(0.0, 0.6, u_frame.star.w) * 0.75 * exp(-20.0 * max(ray.y, 0.0));
  let sides = 0.3 * u_frame.aloft.rgb + 0.4 * sky_light(vec3f(0.0, 1.0, 0.0));
  return vec4f(share * mix(sides, far_air(ray), 0.3), 1.0 - share);
}

// The tile, smooth along x, in which its texels are drawn out to many pixels.
fn drawn_out(at: vec2f, level: f32) -> f32 {
  let half = vec2f(0.5 * exp2(level) / f32(textureDimensions(t_clouds).x), 0.0);
  return 0.5 * (textureSampleLevel(t_clouds, smp_sky, at - half, level).r + textureSampleLevel(t_clouds, smp_sky, at + half, level).r);
}

// Clouds of ice: long threads that bend, so thin that they only add to the sky behind them.
fn veils(ray: vec3f, around: f32) -> vec3f {
  let way = way_to(VEILS, ray.y);
  let p = u_frame.eye.xz + ray.xz * way - 0.5 * u_frame.clouds.xy;
  let along = vec2f(dot(p, vec2f(0.86, 0.5)), dot(p, vec2f(-0.5, 0.86)));
  let level = log2(max(u_frame.viewport.z * way / 30.0, 1.0));
  let there = textureSampleLevel(t_clouds, smp_sky, along / 71000.0 + 0.13, max(level, 2.0)).r;
  let wander = textureSampleLevel(t_clouds, smp_sky, along / 110000.0 + 0.7, 6.0).r;
  let bent = along + vec2f(0.0, 9000.0 * wander);
  let thread = drawn_out(bent / vec2f(61000.0, 15000.0), level + 2.0);
  let fine = drawn_out(bent / vec2f(37000.0, 5300.0) + 0.4, level + 2.5);
  let veil = smoothstep(0.45, 1.0, there) * smoothstep(0.2, 1.1, 0.55 * thread + 0.4 * fine + 0.25 * there);
  let share = 0.22 * veil * smoothstep(0.0, 0.3, u_frame.star.w) * exp(-way / 60000.0);
  return share * (0.45 + 0.2 * around * around + 1.5 * pow(max(around, 0.0), 20.0)) * u_frame.aloft.rgb;
}
