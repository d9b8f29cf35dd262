// Pixels of which a view pass has only marked what they show: a graphics card may shade kernels far faster than fragments.
// include "render/wgsl/frame.wgsl"

@group(2) @binding(0) var t_marked: texture_2d<f32>;  // light; w is negative where it is still to be found
@group(2) @binding(1) var t_depth: texture_depth_2d;
@group(2) @binding(2) var t_found: texture_storage_2d<rgba16float, write>;

// A pixel's place from -1 to 1.
fn place_in_picture(pixel: vec2u) -> vec2f {
  return (vec2f(pixel) + 0.5) / vec2f(textureDimensions(t_found)) * vec2f(2.0, -2.0) + vec2f(-1.0, 1.0);
}

fn is_in_picture(pixel: vec2u) -> bool {
  return all(pixel < textureDimensions(t_found));
}
