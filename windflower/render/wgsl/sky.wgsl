// The sky behind everything: clouds, sun, moon, stars, and a skyline of hills and far forest.
// include "render/wgsl/corners.wgsl"
// include "render/wgsl/drift.wgsl"
// include "render/wgsl/light.wgsl"
// include "render/wgsl/velocity.wgsl"

struct Screen {
  @builtin(position) position: vec4f,
  @location(0) at: vec2f,
};

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32) -> Screen {
  let corner = screen_corner(vertex);
  return Screen(vec4f(corner, 0.0, 1.0), corner);
}

// Fair-weather clouds in a layer far above, drifting with the wind. Thickness rises from the rank of its place in the tile;
// toward the sun it dims the light that reaches this point, and from below a thick cloud is grey.
fn with_clouds(sky: vec3f, ray: vec3f) -> vec3f {
  let way = CLOUD_HEIGHT / (max(ray.y, 0.0) + 0.045);  // the layer bends down to the horizon
  let at = (u_frame.eye.xz + ray.xz * way - u_frame.clouds.xy) / CLOUD_TILE;
  let fine = textureSample(t_clouds, smp_sky, at * 5.3 + 0.37).r;
  let thick = textureSample(t_clouds, smp_sky, at).r + 0.10 * (fine - 0.5);
  let cover = cloud_cover(thick) * smoothstep(0.0, 0.10, ray.y);
  if (cover <= 0.0) {
    return sky;
  }
  let toward = normalize(u_frame.sun.xz + vec2f(1e-5)) * min(length(u_frame.sun.xz) / max(u_frame.sun.y, 0.3), 2.0);
  var shade = 0.0;
  for (var k = 1; k <= 3; k++) {
    let there = textureSampleLevel(t_clouds, smp_sky, at + toward * f32(k) * 110.0 / CLOUD_TILE, 1.0).r;
    shade += max(there - 1.0 + u_frame.star.w, 0.0);
  }
  let deep = max(thick - 1.0 + u_frame.star.w, 0.0);
  let around = dot(ray, u_frame.sun.xyz);
  let ahead = 0.75 + 0.25 * around * around + 0.9 * pow(max(around, 0.0), 24.0) * (1.0 - cover * 0.7);
  let sun = u_frame.sun_colour.rgb * (0.16 + 0.84 * exp(-2.6 * shade)) * (1.0 - 0.45 * smoothstep(0.1, 0.5, deep)) * ahead;
  let lit = 0.62 * sun * (0.45 + 0.55 * max(u_frame.sun.y, 0.0)) + 0.85 * sky_light(vec3f(0.0, 1.0, 0.0));
  // Far clouds take on the colour of the air before them.
  let clear = exp(-way / 14000.0);
  return mix(sky, mix(sky, lit, 0.35 + 0.65 * clear), cover * (0.55 + 0.43 * smoothstep(0.0, 0.12, deep)));
}

fn with_stars(sky: vec3f, ray: vec3f) -> vec3f {
  let dark = u_frame.sun_colour.w;
  if (dark < 0.02 || ray.y < 0.0) {
    return sky;
  }
  let p = ray / max(max(abs(ray.x), abs(ray.y)), abs(ray.z)) * 130.0;
  let cell = floor(p);
  let chance = lattice3(cell);
  let size = length(fract(p) - 0.3 - 0.4 * vec3f(lattice3(cell + 17.0), lattice3(cell + 31.0), lattice3(cell + 53.0)));
  let star = step(0.965, chance) * smoothstep(0.32, 0.02, size) * (0.3 + 0.7 * lattice3(cell + 71.0));
  let moon = smoothstep(0.99972, 0.99985, dot(ray, u_frame.sun.xyz));
  let halo = 0.02 * pow(max(dot(ray, u_frame.sun.xyz), 0.0), 60.0);
  return sky + dark * (vec3f(0.9, 0.95, 1.0) * (star * 0.5 + halo) + vec3f(1.0, 0.97, 0.9) * moon * 0.8);
}

const HIGHEST = 0.1;  // that a ridge reaches

// Three ridges, each paler; the nearest is a forest's edge.
fn with_hills(sky: vec3f, ray: vec3f) -> vec3f {
  if (u_frame.clock.w > 0.5) {
    return sky;
  }
  let height = ray.y / max(length(ray.xz), 1e-4);
  if (height > HIGHEST) {
    return sky;
  }
  let azimuth = atan2(ray.x, -ray.z);
  // Along a circle noise must close: walk around it in two dimensions.
  let around = vec2f(cos(azimuth), sin(azimuth));
  var colour = sky;
  for (var k = 0; k < 3; k++) {
    let far = 2.0 - f32(k);
    let rough = select(0.0, 0.006 * noise2(around * 160.0) + 0.004 * noise2(around * 420.0), k == 2);
    let ridge = (0.016 + 0.018 * far) * (0.35 + 1.1 * cloudy(around * (2.2 + far) + 11.0 * far)) + rough;
    let seen = smoothstep(ridge + 0.0012, ridge - 0.0012, height);
    let wood = vec3f(0.035, 0.055, 0.03) * (u_frame.sun_colour.rgb * 0.55 + sky_light(vec3f(0.0, 1.0, 0.0)));
    colour = mix(colour, mix(wood, clear_sky(normalize(vec3f(ray.x, 0.03, ray.z))), 0.42 + 0.2 * far), seen);
  }
  return colour;
}

// Light that falls through waves, seen from below.
fn sea(ray: vec3f) -> vec3f {
  let water = underwater(ray, 60.0).added;
  let p = ray.xz / max(abs(ray.y), 0.15);
  let level = ray.xz / max(length(ray.xz), 1e-3);
  let shafts = pow(drifting2(level * 7.0, vec2f(0.0, 0.25)), 3.0) * smoothstep(-0.2, 0.9, ray.y);
  let ripple = pow(drifting2(p * 3.0, vec2f(-0.3)) * drifting2(p * 4.0 + 5.0, vec2f(0.35)), 1.5);
  return water + vec3f(0.25, 0.5, 0.5) * (shafts * 0.35 + ripple * smoothstep(0.5, 1.0, ray.y));
}

@fragment
fn fs_view(in: Screen) -> Seen {
  // Depth runs from 1 at the near plane to 0 at infinity.
  let near = u_frame.inverse_view_proj * vec4f(in.at, 1.0, 1.0);
  let ray = normalize(near.xyz / near.w - u_frame.eye.xyz);
  let velocity = velocity_of(in.position, sky_before(ray));
  if (u_frame.wind.w > 0.5) {
    return Seen(vec4f(sea(ray), 1.0), velocity);
  }
  var colour = with_stars(clear_sky(ray), ray);
  let disc = smoothstep(cos(u_frame.sun.w * 1.3), cos(u_frame.sun.w), dot(ray, u_frame.sun.xyz));
  colour += u_frame.sun_colour.rgb * (1.0 - u_frame.sun_colour.w) * disc * 60.0;
  return Seen(vec4f(with_hills(with_clouds(colour, ray), ray), 1.0), velocity);
}
