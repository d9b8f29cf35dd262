// Pictures of leaf cards, and what lies beside them.
// include "core/random.wgsl"

@group(2) @binding(3) var t_leaf: texture_2d_array<f32>;
@group(2) @binding(4) var smp_leaf: sampler;

// Whether a point of a triangle about an outline lies beside the picture of it.
fn is_beside(uv: vec2f) -> bool {
  return any(abs(uv - 0.5) > vec2f(0.5));
}

// As many of a pixel's four samples as it covers, others for each card: behind the gaps of one leaf the next is seen.
fn some_samples(alpha: f32, random: u32) -> u32 {
  let many = u32(alpha * 4.0 + uniform_of(scrambled(random + 5u)));
  let few = (1u << min(many, 4u)) - 1u;
  let turn = random % 4u;
  return ((few << turn) | (few >> (4u - turn))) & 15u;
}
