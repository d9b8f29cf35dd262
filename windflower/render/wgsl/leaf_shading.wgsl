// Light of leaves: reflected, through them, and their gloss.
// include "render/wgsl/cards.wgsl"
// include "render/wgsl/deform.wgsl"
// include "render/wgsl/leaf_elements.wgsl"
// include "render/wgsl/plant_shading.wgsl"

const LEAF_STEM = 4u;  // as STEM in leaf_cards.wgsl

// What all of a card shares: the sun, and halfway between sun and camera, both in the card's frame; how much it looks to
// where light comes from; which side is seen; how much of the light its surface mirrors; its own tint; its picture.
fn packed_look(sun: vec3f, shine: vec3f, toward_sky: f32, toward_eye: f32, mirrored: f32, random: u32, kind: u32, small: f32) -> vec4u {
  let side = select(-1.0, 1.0, toward_eye > 0.0);
  return vec4u(
    pack4x8snorm(vec4f(sun, side * sqrt(mirrored))),
    pack4x8snorm(vec4f(shine, toward_sky * side)),
    random,
    kind | (u32(small * 255.0) << 8u),
  );
}

// Share of light that a leaf's wax mirrors, by the cosine of the angle at which it arrives (Fresnel as of Schlick, index 1.45).
fn mirrored_by_wax(cosine: f32) -> f32 {
  return 0.034 + 0.966 * pow(1.0 - clamp(cosine, 0.0, 1.0), 5.0);
}

const VOLUME = 0.5;  // how much of the light on a leaf is by the crown's own normal
const GLOSS = 20.0;  // exponent of the lobe into which its small unevenness spreads that

fn kind_in(look: vec4u) -> u32 {
  return look.w & 255u;
}

fn smallness_in(look: vec4u) -> f32 {
  return f32(look.w >> 8u) / 255.0;
}

// What light that has passed through a leaf is left with, over what it reflects, of the light that it does not reflect: somewhat
// more, but without the white gloss of its surface, so it is more yellow (Jacquemoud & Baret 1990).
const THROUGH = vec3f(1.5, 1.7, 0.27);

// Light of a point of a leaf, on its way to the camera: of a texel of its picture, with how lit by the sun it is.
fn leaf_light(leaf: LitLeaf, texel: vec3f, look: vec4u, shade: f32) -> vec3f {
  let light = light_of(leaf);
  let sun = unpack4x8snorm(look.x);
  let shine = unpack4x8snorm(look.y);
  let side = sign(sun.w);
  let stem = kind_in(look) == LEAF_STEM;
  let slope = select((texel.gb * 2.0 - 1.0) * 1.25, vec2f(0.0), stem);
  let n = normalize(vec3f(slope, 1.0));
  let toward = dot(n, sun.xyz) * side;
  let crown = dot(crown_normal_of(leaf), u_frame.sun.xyz);
  let painted = is_painted(leaf);
  let tone = select(texel.r, 0.9, painted || stem);
  let tint = select(card_tint(look.z), vec3f(1.0), painted);
  let green = light.albedo * tone * tint;
  // Green leaves are paler below; those that have turned are not.
  let pale = u_cards[p_cards].style.y * smoothstep(0.8, 1.25, green.g / max(green.r, 1e-3));
  let under = mix(green, vec3f(dot(green, vec3f(0.25, 0.55, 0.2))) * vec3f(1.2, 1.36, 1.0), pale);
  let leafy = select(under, green, side > 0.0);
  let albedo = select(leafy, stem_colour(light.albedo), stem);
  // Light falls on what looks to it; part of the crown's own normal makes it read as a volume and not as confetti.
  let direct = mix(max(toward, 0.0), max(crown, 0.0), VOLUME);
  let through = select(max(-toward, 0.0) * 0.95 + 0.08, 0.0, stem);
  // Undersides are duller. The lobe holds all that is mirrored.
  let peak = select(0.25, 1.0, side > 0.0) * sun.w * sun.w * (GLOSS + 2.0) / 8.0;
  let gloss = peak * pow(clamp(dot(n, shine.xyz) * side, 0.0, 1.0), GLOSS) * max(toward, 0.0);
  let open = 0.72 + 0.28 * shine.w;
  // Upper sides are waxy: where they curve away they mirror the sky.
  let wax = select(0.0, 0.003 + 0.055 * (1.0 - n.z), side > 0.0 && !stem && !painted);
  // Light of the sky comes most from where the sun is: a leaf that curves is not lit evenly in the shade either.
  let form = 1.0 + 0.6 * clamp(dot(slope, sun.xy) * side, -0.6, 0.6);
  let scattered = (albedo + wax) * light.sky * open * form;
  let reflected = albedo * direct + green * (1.0 - green) * THROUGH * through;
  return scattered + light.sun * shade * (reflected + gloss * light.albedo.g / max(light.albedo.g + 0.02, 0.02)) + light.added;
}

fn stem_colour(green: vec3f) -> vec3f {
  return mix(green, vec3f(0.11, 0.085, 0.05), 0.65);
}

// Leaves of a twig differ: in brightness, in hue by their age, and a few have withered.
fn card_tint(random: u32) -> vec3f {
  let bright = 0.82 + 0.36 * uniform_of(random);
  let age = uniform_of(scrambled(random + 1u));
  let hue = mix(vec3f(1.14, 1.0, 0.78), vec3f(0.95, 0.98, 1.0), age);
  let old = smoothstep(0.965, 1.0, uniform_of(scrambled(random + 2u)));
  return bright * mix(hue, vec3f(2.1, 1.15, 0.5), 0.7 * old);
}
