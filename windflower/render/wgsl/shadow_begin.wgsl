// A shadow map begins with what was drawn into it as triangles, or empty: with its farthest depth.
// include "core/workgroups.wgsl"

@group(0) @binding(0) var t_drawn: texture_2d<f32>;
@group(0) @binding(1) var<storage, read_write> b_shadow: array<f32>;

override DRAWN: bool = true;

@compute @workgroup_size(64)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let place = workgroup_number(groups) * 64u + thread;
  if (place >= arrayLength(&b_shadow)) {
    return;
  }
  var depth = 1.0;
  if (DRAWN) {
    let side = textureDimensions(t_drawn).x;
    depth = textureLoad(t_drawn, vec2u(place % side, place / side), 0).r;
  }
  b_shadow[place] = depth;
}
