// What a render pass knows of a leaf: where its card is in the world, and the light that it gives back, air included.

struct LitLeaf {
  foot: vec4f,    // w, as bits: its light normal, three bytes; how lit it is in its crown; whether painted; which card
  across: vec4f,  // its whole width, m; w: half floats, see `sky_of`
  along: vec4f,   // its whole length, m; w: half floats
  light: vec4u,   // half floats
};

// Where a leaf's card is in the world.
struct LeafCard {
  foot: vec4f,
  across: vec4f,
  along: vec4f,
};

// A light normal, how much of the sun a crown leaves to the leaf, whether it is painted, and its card, in 32 bits.
fn packed_facts(n: vec3f, lit: f32, is_painted: bool, kind: u32) -> u32 {
  let few = u32(round(clamp(lit, 0.0, 1.0) * 31.0));
  let paint = select(0u, 1u, is_painted);
  return (pack4x8snorm(vec4f(n, 0.0)) & 0xffffffu) | (few << 24u) | (paint << 29u) | (kind << 30u);
}

fn kind_of(leaf: LitLeaf) -> u32 {
  return bitcast<u32>(leaf.foot.w) >> 30u;
}

fn is_painted(leaf: LitLeaf) -> bool {
  return ((bitcast<u32>(leaf.foot.w) >> 29u) & 1u) == 1u;
}

// How much of the sun the leaf's own crown leaves to it, 0 to 1: for where no shadow map tells.
fn own_light_of(leaf: LitLeaf) -> f32 {
  return f32((bitcast<u32>(leaf.foot.w) >> 24u) & 31u) / 31.0;
}

fn light_normal_of(leaf: LitLeaf) -> vec3f {
  return unpack4x8snorm(bitcast<u32>(leaf.foot.w)).xyz;
}

// Light of the sky, of the sun if nothing is in between, the sun's gleam, and what the air adds.
struct LeafLight {
  sky: vec3f,
  sun: vec3f,
  gleam: vec3f,
  added: vec3f,
};

fn light_of(leaf: LitLeaf) -> LeafLight {
  let a = unpack2x16float(bitcast<u32>(leaf.across.w));
  let b = unpack2x16float(bitcast<u32>(leaf.along.w));
  let c = unpack2x16float(leaf.light.x);
  let d = unpack2x16float(leaf.light.y);
  let e = unpack2x16float(leaf.light.z);
  let f = unpack2x16float(leaf.light.w);
  return LeafLight(vec3f(a, b.x), vec3f(b.y, c), vec3f(d, e.x), vec3f(e.y, f));
}
