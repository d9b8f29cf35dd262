// The sky behind everything: clouds, sun, moon, stars, and a skyline of hills and far forest.
// include "render/wgsl/corners.wgsl"
// include "render/wgsl/drift.wgsl"
// include "render/wgsl/light.wgsl"

struct Screen {
  @builtin(position) position: vec4f,
  @location(0) at: vec2f,
};

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32) -> Screen {
  let corner = screen_corner(vertex);
  return Screen(vec4f(corner, 0.0, 1.0), corner);
}

// Fair-weather clouds on a plane far above, drifting with the wind.
fn with_clouds(sky: vec3f, ray: vec3f) -> vec3f {
  if (ray.y < 0.01) {
    return sky;
  }
  let p = ray.xz / (ray.y + 0.12) * 1.6 - u_frame.clouds.xy;
  let thick = cloudy(p) + 0.35 * (cloudy(p * 3.1 + 9.0) - 0.5);
  let cover = smoothstep(1.0 - u_frame.star.w, 1.45 - u_frame.star.w, thick) * smoothstep(0.01, 0.22, ray.y);
  let toward = max(dot(ray, u_frame.sun.xyz), 0.0);
  let rim = 0.45 + 0.55 * smoothstep(0.9, 0.2, cover) + 0.6 * pow(toward, 12.0);
  let lit = u_frame.sun_colour.rgb * 0.26 * rim + u_frame.zenith.rgb * 0.5 + u_frame.horizon.rgb * 0.3 + u_frame.glow.rgb * 0.35;
  return mix(sky, lit, cover * 0.9);
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
  if (u_frame.zenith.w > 0.5) {
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
    let wood = vec3f(0.035, 0.055, 0.03) * (u_frame.sun_colour.rgb * 0.55 + u_frame.zenith.rgb);
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
fn fs_view(in: Screen) -> @location(0) vec4f {
  // Depth runs from 1 at the near plane to 0 at infinity.
  let near = u_frame.inverse_view_proj * vec4f(in.at, 1.0, 1.0);
  let ray = normalize(near.xyz / near.w - u_frame.eye.xyz);
  if (u_frame.wind.w > 0.5) {
    return vec4f(sea(ray), 1.0);
  }
  var colour = with_stars(clear_sky(ray), ray);
  let disc = smoothstep(cos(u_frame.sun.w * 1.3), cos(u_frame.sun.w), dot(ray, u_frame.sun.xyz));
  colour += u_frame.sun_colour.rgb * (1.0 - u_frame.sun_colour.w) * disc * 12.0;
  return vec4f(with_hills(with_clouds(colour, ray), ray), 1.0);
}
