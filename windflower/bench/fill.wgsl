// Writes a buffer as fast as memory takes it: what bounds the pose kernels.

@group(0) @binding(0) var<storage, read_write> b_filled: array<vec4f>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let at = id.x + id.y * groups.x * 256u;
  if (at < arrayLength(&b_filled)) {
    b_filled[at] = vec4f(f32(at));
  }
}
