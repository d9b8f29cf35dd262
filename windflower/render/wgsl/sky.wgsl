// The sky behind everything: clouds, sun, moon, stars, and the skyline.
// include "render/wgsl/drift.wgsl"
// include "render/wgsl/light.wgsl"
// include "render/wgsl/screen.wgsl"
// include "render/wgsl/skyline.wgsl"
// include "render/wgsl/velocity.wgsl"

@group(1) @binding(0) var t_picture: texture_2d<f32>;  // clouds, as cloud_pass.wgsl has drawn them

// Where there is a texel for each pixel, four places about it even out where the steps through clouds begin.
fn with_clouds(sky: vec3f, at: vec2f) -> vec3f {
  let size = vec2f(textureDimensions(t_picture));
  let texel = 1.0 / size;
  let uv = at * vec2f(0.5, -0.5) + 0.5;
  if (size.x < u_frame.viewport.x) {
    let one = textureSampleLevel(t_picture, smp_sky, clamp(uv, 0.5 * texel, 1.0 - 0.5 * texel), 0.0);
    return sky * one.a + one.rgb;
  }
  if (u_frame.star.w <= 0.0) {
    return sky;
  }
  var clouds = vec4f(0.0);
  for (var k = 0u; k < 4u; k++) {
    let aside = 0.6 * (vec2f(f32(k & 1u), f32(k >> 1u)) * 2.0 - 1.0);
    clouds += 0.25 * textureSampleLevel(t_picture, smp_sky, clamp(uv + aside * texel, 0.5 * texel, 1.0 - 0.5 * texel), 0.0);
  }
  return sky * clouds.a + clouds.rgb;
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

// Light that falls through waves, seen from below.
fn sea(ray: vec3f) -> vec3f {
  let water = underwater(ray, 60.0).added;
  let p = ray.xz / max(abs(ray.y), 0.15);
  let level = ray.xz / max(length(ray.xz), 1e-3);
  let shafts = pow(drifting2(level * 7.0, vec2f(0.0, 0.25)), 3.0) * smoothstep(-0.2, 0.9, ray.y);
  let ripple = pow(drifting2(p * 3.0, vec2f(-0.3)) * drifting2(p * 4.0 + 5.0, vec2f(0.35)), 1.5);
  return water + vec3f(0.25, 0.5, 0.5) * (shafts * 0.35 + ripple * smoothstep(0.5, 1.0, ray.y));
}

// Light of the sky along a ray; `at` is where that is in the picture, -1 to 1.
fn sky_along(ray: vec3f, at: vec2f) -> vec3f {
  if (u_frame.wind.w > 0.5) {
    return sea(ray);
  }
  var colour = with_stars(clear_sky(ray), ray);
  let disc = smoothstep(cos(u_frame.sun.w * 1.3), cos(u_frame.sun.w), dot(ray, u_frame.sun.xyz));
  colour += u_frame.sun_colour.rgb * (1.0 - u_frame.sun_colour.w) * disc * 60.0;
  return with_skyline(with_clouds(colour, at), ray);
}

@fragment
fn fs_view(in: Screen) -> Seen {
  let ray = ray_through(in.at);
  return Seen(vec4f(sky_along(ray, in.at), 1.0), velocity_of(in.position, sky_before(ray)));
}

// The sky of a web page's first picture: without clouds and skyline, by a shader that is soon compiled.
@fragment
fn fs_plain(in: Screen) -> Seen {
  let ray = ray_through(in.at);
  let water = underwater(ray, 60.0).added;
  return Seen(vec4f(select(clear_sky(ray), water, u_frame.wind.w > 0.5), 1.0), vec2f(0.0));
}

// Where sky_pass.wgsl is to find the light.
@fragment
fn fs_mark(in: Screen) -> Seen {
  return Seen(MARK, velocity_of(in.position, sky_before(ray_through(in.at))));
}
