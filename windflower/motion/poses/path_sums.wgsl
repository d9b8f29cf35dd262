// Sums from the root along every path, in place: the twin of `Paths.sum`. A workgroup walks one plant, depth by depth.

override THREADS: u32 = 64u;

@group(0) @binding(1) var<storage, read> b_begin: array<u32>;           // depths + 1: where each begins in b_order
@group(0) @binding(2) var<storage, read> b_order: array<vec2u>;         // nodes by depth: the node, its parent
@group(0) @binding(3) var<storage, read_write> b_points: array<vec4f>;  // slots x nodes

// Add up the chords of the plant whose points begin at `first`; their w stays. All invocations of a workgroup call it.
fn add_up(first: u32, depths: u32, thread: u32) {
  for (var depth = 1u; depth < depths; depth++) {
    let end = b_begin[depth + 1u];
    for (var k = b_begin[depth] + thread; k < end; k += THREADS) {
      let pair = b_order[k];
      b_points[first + pair.x] += vec4f(b_points[first + pair.y].xyz, 0.0);
    }
    storageBarrier();
  }
}
