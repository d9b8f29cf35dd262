// The land under everything: its heights and slopes, and the shade that far trees give it.
// include "render/wgsl/frame.wgsl"
// include "render/wgsl/meadow.wgsl"

@group(1) @binding(2) var t_height: texture_2d<f32>;
@group(1) @binding(3) var t_slope: texture_2d<f32>;   // how steeply it rises toward +x and +z
@group(1) @binding(4) var t_canopy: texture_2d<f32>;  // light that crowns leave; roots of the colour of leaves that they shed
@group(1) @binding(5) var smp_land: sampler;

struct OnMap {
  at: vec2f,    // in texels from the middle of the first one
  side: vec2f,  // -1 where the map is seen in a mirror
};

// Beyond its edge the land is mirrored: it has no end.
fn on_map(p: vec2f, texels: vec2f) -> OnMap {
  let last = texels - 1.0;
  let there = (p / u_ground.land.x + 0.5) * last;
  let way = there - 2.0 * last * floor(there / (2.0 * last));
  return OnMap(last - abs(way - last), select(vec2f(-1.0), vec2f(1.0), way <= last));
}

// Height of the ground, m.
fn land_height(p: vec2f) -> f32 {
  if (u_ground.land.x <= 0.0) {
    return 0.0;
  }
  let texels = textureDimensions(t_height);
  let at = on_map(p, vec2f(texels)).at;
  let low = min(vec2u(at), texels - 2u);
  let f = at - vec2f(low);
  let near = mix(textureLoad(t_height, low, 0).x, textureLoad(t_height, low + vec2u(1u, 0u), 0).x, f.x);
  let far = mix(textureLoad(t_height, low + vec2u(0u, 1u), 0).x, textureLoad(t_height, low + vec2u(1u, 1u), 0).x, f.x);
  return mix(near, far, f.y);
}

// How steeply the ground rises toward +x and +z; what is smaller than `pixel` m is left out.
fn land_slope(p: vec2f, pixel: f32) -> vec2f {
  if (u_ground.land.x <= 0.0) {
    return vec2f(0.0);
  }
  let texels = vec2f(textureDimensions(t_slope));
  let there = on_map(p, texels);
  let level = max(log2(pixel * texels.x / u_ground.land.x), 0.0);
  return textureSampleLevel(t_slope, smp_land, (there.at + 0.5) / texels, level).xy * there.side;
}

// How much of grass at a distance is seen as blades: none where they are shorter than a pixel, and would flicker.
fn seen_as_blades(away: f32) -> f32 {
  return smoothstep(0.8, 1.6, u_ground.grass.y / max(u_frame.viewport.z * away, 1e-6));
}

// Light that crowns leave to a point, without the sun's direction; what is smaller than `blur` m is left out.
fn crown_light(p: vec2f, blur: f32) -> f32 {
  if (u_ground.canopy.z <= 0.0) {
    return 1.0;
  }
  let uv = (p - u_ground.canopy.xy) / u_ground.canopy.z;
  let level = max(log2(blur * f32(textureDimensions(t_canopy).x) / u_ground.canopy.z), 0.0);
  let inside = all(uv > vec2f(0.0)) && all(uv < vec2f(1.0));
  return select(1.0, textureSampleLevel(t_canopy, smp_land, uv, level).x, inside);
}

// Colour of leaves that the trees near a point shed in autumn.
fn shed_colour(p: vec2f) -> vec3f {
  let uv = (p - u_ground.canopy.xy) / max(u_ground.canopy.z, 1e-3);
  let hue = textureSampleLevel(t_canopy, smp_land, select(vec2f(0.5), uv, u_ground.canopy.z > 0.0), 1.0).yzw;
  return hue * hue;
}

// Colour of such leaves that have lain for a year, from light to dark: browner, each in its own hue.
fn old_leaf(shed: vec3f, tone: f32) -> vec3f {
  let own = (0.26 + 0.2 * tone) * mix(shed, vec3f(dot(shed, vec3f(0.3, 0.6, 0.1))), 0.4);
  return mix(mix(vec3f(0.105, 0.072, 0.047), vec3f(0.235, 0.180, 0.122), tone), own, 0.35);
}

// How much sun the crowns of the whole forest leave to a point of the ground.
fn under_canopy(p: vec2f, pixel: f32) -> f32 {
  return crown_light(p + u_frame.sun.xz / max(u_frame.sun.y, 0.2) * u_ground.canopy.w, pixel);
}

// Share of the sky that crowns leave to a point of the ground: below the middle of a crown whose lowest leaves are half as high
// as it is wide, it takes half of the light of the sky, most of which falls steeply.
fn sky_above(p: vec2f) -> f32 {
  return mix(0.5, 1.0, crown_light(p, 3.0));
}
