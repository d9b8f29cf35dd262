// Workgroups along two dimensions, because one holds 65,535: the twin of `core.buffers.dispatch`.

struct Workgroups {
  @builtin(workgroup_id) id: vec3u,
  @builtin(num_workgroups) count: vec3u,
};

// The number of this workgroup, row by row.
fn workgroup_number(groups: Workgroups) -> u32 {
  return groups.id.x + groups.id.y * groups.count.x;
}
