// Pictures of leaf cards, and what lies beside them.

@group(2) @binding(3) var t_leaf: texture_2d_array<f32>;
@group(2) @binding(4) var smp_leaf: sampler;

// Whether a point of a triangle about an outline lies beside the picture of it.
fn is_beside(uv: vec2f) -> bool {
  return any(abs(uv - 0.5) > vec2f(0.5));
}
