// The frames of all rows of blades before a step, for contact. One invocation a row.
// include "core/workgroups.wgsl"
// include "motion/broadleaf/row_frame.wgsl"

const THREADS = 64u;

@group(0) @binding(0) var<uniform> u_body: Body;
@group(0) @binding(1) var<storage, read> b_row: array<Row>;                // blades x along
@group(0) @binding(2) var<storage, read> b_air: array<vec4f>;              // count x nodes, m/s
@group(0) @binding(3) var<storage, read> b_points: array<vec4f>;           // count x stride, m
@group(0) @binding(4) var<storage, read> b_joint: array<Joint>;            // count x nodes, by depth
// count x blades x along x (centre, m; w: wind, m/s), (across), (along), (normal)
@group(0) @binding(5) var<storage, read_write> b_frame: array<vec4f>;

@compute @workgroup_size(THREADS)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let k = workgroup_number(groups) * THREADS + thread;
  let rows = u_body.blades * u_body.along;
  if (k >= u_body.count * rows) { return; }
  let instance = k / rows;
  let row = b_row[k % rows];
  let joints = instance * u_body.nodes;
  let frame = row_frame(b_joint[joints + row.segment.x], b_joint[joints + row.segment.y], row.blend);
  var node = mat4x3f();
  var air = vec3f(0.0);
  for (var j = 0u; j < 4u; j++) {
    node[j] = b_points[instance * u_body.stride + row.node[j]].xyz;
    air += row.weight[j] * b_air[joints + row.node[j]].xyz;
  }
  b_frame[4u * k] = vec4f(row_centre(row, node, frame.along), length(air));
  b_frame[4u * k + 1u] = vec4f(frame.across, 0.0);
  b_frame[4u * k + 2u] = vec4f(frame.along, 0.0);
  b_frame[4u * k + 3u] = vec4f(frame.normal, 0.0);
}
