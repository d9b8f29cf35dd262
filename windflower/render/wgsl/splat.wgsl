// Shadows without a render pass: a compute kernel fills the texels that triangles cover, each with its least depth.
//
// Triangles of plants are hardly larger than a texel, and a card may have far more processors for kernels than for drawing.
// What is nearest to the sun wins whatever comes first, so a map is the same in any order.
// include "render/wgsl/frame.wgsl"

@group(0) @binding(15) var<storage, read_write> b_shadow: array<atomic<u32>>;  // depths as bits, which order as they do

// A triangle over the texels of the map.
struct Facet {
  at: vec3f,       // its first corner: texels, and depth
  to_second: vec2f,  // along these the shares of the other corners rise from 0 to 1
  to_third: vec2f,
  deeper: vec2f,   // depths of the other corners less that of the first
  bias: f32,       // as `cast_depth` adds
  low: vec2i,      // texels that it may cover
  high: vec2i,
};

// Where a point is on the map: in texels from its corner, and its depth.
fn on_shadow_map(world: vec3f) -> vec3f {
  let p = (u_frame.light_proj * vec4f(world, 1.0)).xyz;
  return vec3f((p.xy * vec2f(0.5, -0.5) + 0.5) * u_frame.shadow.x, p.z);
}

fn facet(a: vec3f, b: vec3f, c: vec3f) -> Facet {
  let second = b - a;
  let third = c - a;
  let area = second.x * third.y - second.y * third.x;
  let size = select(0.0, 1.0 / area, abs(area) > 1e-9);
  let to_second = vec2f(third.y, -third.x) * size;
  let to_third = vec2f(-second.y, second.x) * size;
  let slope = second.z * to_second + third.z * to_third;
  let last = u_frame.shadow.x - 1.0;
  // Texels are covered if their middles are.
  let low = clamp(ceil(min(min(a.xy, b.xy), c.xy) - 0.5), vec2f(0.0), vec2f(last + 1.0));
  let high = clamp(floor(max(max(a.xy, b.xy), c.xy) - 0.5), vec2f(-1.0), vec2f(last));
  let none = size == 0.0;
  return Facet(a, to_second, to_third, vec2f(second.z, third.z), 1.5 * max(abs(slope.x), abs(slope.y)), vec2i(low), select(vec2i(high), vec2i(-1), none));
}

// Shares of the second and the third corner in the middle of a texel.
fn shares_at(f: Facet, texel: vec2i) -> vec2f {
  let p = vec2f(texel) + 0.5 - f.at.xy;
  return vec2f(dot(p, f.to_second), dot(p, f.to_third));
}

fn is_covered_by(shares: vec2f) -> bool {
  return shares.x >= 0.0 && shares.y >= 0.0 && shares.x + shares.y <= 1.0;
}

fn darken(f: Facet, texel: vec2i, shares: vec2f) {
  let depth = f.at.z + dot(f.deeper, shares) + f.bias;
  if (depth >= 0.0 && depth <= 1.0) {
    atomicMin(&b_shadow[u32(texel.y) * u32(u_frame.shadow.x) + u32(texel.x)], bitcast<u32>(depth));
  }
}
