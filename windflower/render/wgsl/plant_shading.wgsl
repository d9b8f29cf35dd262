// Unlit shading that plants and their impostors share: tints, ambient occlusion of the crown, and the atlas's texels.
// include "render/wgsl/frame.wgsl"
// include "render/wgsl/instance.wgsl"
// include "render/wgsl/noise.wgsl"
// include "render/wgsl/paint.wgsl"

struct AtlasTexel {
  @location(0) albedo: vec4f,   // w: coverage
  @location(1) normal: vec4f,   // halved and raised by a half; w: openness
};

const CROWN_DEPTH = 1.6;  // optical depth of a crown from its middle to its surface

// Brightness and hue by which a tree differs from its neighbours, 0 to 1.
fn own_tint(instance: Instance) -> vec2f {
  let own = vec2f(hash(instance.id.x * 13u + 5u), hash(instance.id.x * 13u + 6u));
  return select(own, vec2f(0.5), instance.id.y == ATLAS);
}

// The factor on a leaf's colour for its brightness and hue.
fn leaf_tint(tint: vec2f) -> vec3f {
  return (0.78 + 0.44 * tint.x) * mix(vec3f(1.26, 0.98, 0.76), vec3f(1.0, 0.96, 0.96), tint.y);
}

// Part of the crown's own normal makes it read as a volume and not as confetti.
fn light_normal(side: vec3f, crown: vec3f) -> vec3f {
  return normalize(mix(side, crown, 0.5));
}

// Inside the crown less of the sky is seen, and the rest has passed through leaves.
fn inside_crown(open: f32) -> vec3f {
  return mix(vec3f(0.3, 0.37, 0.22), vec3f(1.0), clamp(1.9 * open - 0.32, 0.0, 1.0));
}

// Light of the sun that leaves throw on one another, reflected and let through: a leaf keeps nine tenths of red and blue
// light and three quarters of green. The less of the sun reaches those around, the less they throw; some of it comes from
// farther away, for scattered light goes deeper into a crown than the sun does (Goudriaan 1977).
fn thrown_by_leaves(sun: vec3f, lit: f32) -> vec3f {
  return sun * vec3f(0.105, 0.15, 0.042) * mix(0.24, 1.0, lit);
}

// Where in a ball of leaves a part of a crown would be that sees so much of the sky, most of it along n: a leaf at the
// surface sees two thirds.
fn place_in_crown(n: vec3f, open: f32) -> vec3f {
  return n * pow(min(open / 0.65, 1.0), 1.5);
}

// How much of the sun a crown leaves to a part of itself: p is from its middle to there, 1 at its surface. Light falls off
// exponentially on its way through a ball of leaves.
fn crown_shade(p: vec3f) -> f32 {
  let along = dot(p, u_frame.sun.xyz);
  let way = sqrt(max(along * along + 1.0 - min(dot(p, p), 1.0), 0.0)) - along;
  return exp(-CROWN_DEPTH * way);
}

// What leaves and twigs that are not drawn, and of which the shadow map does not know, leave of that light: a lone oak of ours
// bears 3.5 m² of leaves over a m² of ground, one outdoors perhaps five or six (an estimate). All are drawn where the sun falls in,
// up to an optical depth of 0.8; beyond, nearly half are missing.
fn past_undrawn(lit: f32) -> f32 {
  return pow(min(2.2 * lit, 1.0), 0.8);
}
