// How high the shadow of the land reaches above it, for the upper and the lower rim of the sun.
// A pass doubles the way toward the sun that has been searched: the highest of what was found here and of what was found
// there, less what the ray has risen until then.

struct Step {
  shift: vec2f,   // toward the sun, texels
  rise: vec2f,    // of a ray to the upper and to the lower rim over that way, m
  texels: u32,    // along a side of the map, which repeats
};

@group(0) @binding(0) var<uniform> u_step: Step;
@group(0) @binding(1) var<storage, read> b_found: array<vec2f>;
@group(0) @binding(2) var<storage, read_write> b_doubled: array<vec2f>;
@group(0) @binding(3) var<storage, read> b_height: array<f32>;
@group(0) @binding(4) var t_shade: texture_storage_2d<rgba16float, write>;

override LAST = 0u;  // 1 for the pass that writes the map

fn number(at: vec2i) -> u32 {
  let side = i32(u_step.texels);
  let there = ((at % side) + side) % side;
  return u32(there.y * side + there.x);
}

// What was found at a place toward the sun, between four texels.
fn ahead(texel: vec2i) -> vec2f {
  let low = floor(u_step.shift);
  let f = u_step.shift - low;
  let at = texel + vec2i(low);
  let near = mix(b_found[number(at)], b_found[number(at + vec2i(1, 0))], f.x);
  let far = mix(b_found[number(at + vec2i(0, 1))], b_found[number(at + vec2i(1, 1))], f.x);
  return mix(near, far, f.y) - u_step.rise;
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (any(id.xy >= vec2u(u_step.texels))) {
    return;
  }
  let own = id.y * u_step.texels + id.x;
  let there = ahead(vec2i(id.xy));
  if (LAST == 0u) {
    b_doubled[own] = max(b_found[own], there);
    return;
  }
  // The ground at the place itself does not count: it is lit if the ground beside it does not rise above the ray.
  let height = b_height[own];
  let upper = there.x - height;
  textureStore(t_shade, id.xy, vec4f(upper, max(there.y - height, upper + 0.01), height, 0.0));
}
