// Some points of some instances, out of all points of all.

// include "core/workgroups.wgsl"

const THREADS = 64u;

struct Gather {
  kept: u32,    // points of an instance that are taken
  all: u32,     // points that it has
  slots: u32,   // instances that are taken
};

@group(0) @binding(0) var<uniform> u_gather: Gather;
@group(0) @binding(1) var<storage, read> b_instances: array<u32>;
@group(0) @binding(2) var<storage, read> b_kept: array<u32>;
@group(0) @binding(3) var<storage, read> b_all: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> b_points: array<vec4f>;

@compute @workgroup_size(THREADS)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let i = workgroup_number(groups) * THREADS + thread;
  if (i >= u_gather.kept * u_gather.slots) { return; }
  let instance = b_instances[i / u_gather.kept];
  b_points[i] = b_all[instance * u_gather.all + b_kept[i % u_gather.kept]];
}
