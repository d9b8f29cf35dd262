// What a render pass knows of a leaf, or of several that stand together: where they are in the world, and their light.
// include "core/quaternions.wgsl"

struct LitLeaf {
  foot: vec4f,   // w: size, m; 0 where it is not shown
  facts: vec4u,  // quaternion to the world, four signed halves of a word; see `packed_facts`; its number in the whole plant
  light: vec4u,  // half floats, see `light_of`
  more: vec4u,   // half floats; z: label of its plant, see `Instance`
};

// The direction from which most light of the sky comes, how much of the sun the crown leaves to the leaf, whether it is
// painted, and how much further single leaves are twisted than the card that shows them, in 32 bits.
fn packed_facts(n: vec3f, lit: f32, is_painted: bool, shimmer: f32) -> u32 {
  let few = u32(round(clamp(lit, 0.0, 1.0) * 31.0));
  let paint = select(0u, 1u, is_painted);
  let twist = u32(round((clamp(shimmer / TWIST_RANGE, -1.0, 1.0) + 1.0) * 511.0));
  return (pack4x8snorm(vec4f(octahedral(n), 0.0, 0.0)) & 0xffffu) | (few << 16u) | (paint << 21u) | (twist << 22u);
}

const TWIST_RANGE = 1.8;  // rad

// A unit vector on the square from -1 to 1 (Cigolle et al. 2014).
fn octahedral(n: vec3f) -> vec2f {
  let p = n.xy / max(abs(n.x) + abs(n.y) + abs(n.z), 1e-6);
  let folded = (vec2f(1.0) - abs(p.yx)) * select(vec2f(-1.0), vec2f(1.0), p >= vec2f(0.0));
  return select(folded, p, n.z >= 0.0);
}

fn from_octahedral(p: vec2f) -> vec3f {
  let z = 1.0 - abs(p.x) - abs(p.y);
  let folded = (vec2f(1.0) - abs(p.yx)) * select(vec2f(-1.0), vec2f(1.0), p >= vec2f(0.0));
  return normalize(vec3f(select(folded, p, z >= 0.0), z));
}

fn is_painted(leaf: LitLeaf) -> bool {
  return ((leaf.facts.z >> 21u) & 1u) == 1u;
}

// How much of the sun the leaf's own crown leaves to it, 0 to 1: for where no shadow map tells.
fn own_light_of(leaf: LitLeaf) -> f32 {
  return f32((leaf.facts.z >> 16u) & 31u) / 31.0;
}

fn crown_normal_of(leaf: LitLeaf) -> vec3f {
  return from_octahedral(unpack4x8snorm(leaf.facts.z).xy);
}

// rad
fn shimmer_in(leaf: LitLeaf) -> f32 {
  return (f32(leaf.facts.z >> 22u) / 511.0 - 1.0) * TWIST_RANGE;
}

fn turn_of(leaf: LitLeaf) -> vec4f {
  return normalize(vec4f(unpack2x16snorm(leaf.facts.x), unpack2x16snorm(leaf.facts.y)));
}

// Colour of the upper side, light of the sky and of the sun if nothing is in between, and what the air adds; the first
// as it arrives at the camera.
struct LeafLight {
  albedo: vec3f,
  sky: vec3f,
  sun: vec3f,
  added: vec3f,
};

fn light_of(leaf: LitLeaf) -> LeafLight {
  let a = unpack2x16float(leaf.light.x);
  let b = unpack2x16float(leaf.light.y);
  let c = unpack2x16float(leaf.light.z);
  let d = unpack2x16float(leaf.light.w);
  let e = unpack2x16float(leaf.more.x);
  let f = unpack2x16float(leaf.more.y);
  return LeafLight(vec3f(a, b.x), vec3f(b.y, c), vec3f(d, e.x), vec3f(e.y, f));
}
