// What a render pass knows of a leaf: where its card is in the world, and the light that it gives back, air included.

struct LitLeaf {
  foot: vec4f,    // w, as bits: which way its light normal looks, three bytes; which card, and whether it is painted
  across: vec4f,  // its whole width, m; w: half floats, see `sky_of`
  along: vec4f,   // its whole length, m; w: half floats
  light: vec4u,   // half floats
};

const PAINTED = 8u;

fn kind_of(leaf: LitLeaf) -> u32 {
  return bitcast<u32>(leaf.foot.w) >> 24u;
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
