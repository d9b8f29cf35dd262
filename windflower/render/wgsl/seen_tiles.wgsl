// The farthest of what is seen so far in each tile of the picture: all that lies behind it is hidden there.
// include "render/wgsl/frame.wgsl"

@group(0) @binding(14) var<storage, read_write> b_nearest: array<u32>;  // see seen_splat.wgsl

const SEEN_TILE = 8u;  // pixels along a side, as in seen_splat.wgsl

var<workgroup> w_farthest: array<atomic<u32>, 1>;

@compute @workgroup_size(SEEN_TILE, SEEN_TILE)
fn main(@builtin(workgroup_id) tile: vec3u, @builtin(global_invocation_id) pixel: vec3u, @builtin(local_invocation_index) thread: u32) {
  let size = vec2u(u_frame.viewport.xy);
  if (thread == 0u) {
    atomicStore(&w_farthest[0], 0xffffffffu);
  }
  workgroupBarrier();
  if (all(pixel.xy < size)) {
    atomicMin(&w_farthest[0], b_nearest[pixel.y * size.x + pixel.x]);
  }
  workgroupBarrier();
  if (thread == 0u) {
    b_nearest[size.x * size.y + tile.y * ((size.x + SEEN_TILE - 1u) / SEEN_TILE) + tile.x] = atomicLoad(&w_farthest[0]);
  }
}
