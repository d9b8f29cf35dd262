// Forces from tips to root, then turns from root to tips: the twin of `SegmentForces.joints`, `implicit_turn` and
// `Segments.posed`. A workgroup walks one plant, depth by depth.
// include "core/workgroups.wgsl"
// include "motion/broadleaf/broadleaf_body.wgsl"

const THETA = 0.55;   // as in motion/broadleaf/segment_forces.py
override THREADS: u32 = 64u;

struct Node {
  joint_x: vec3f,     // the frame at rest seen from the parent's: across …
  length: f32,        // m
  joint_y: vec3f,     // … along …
  area: f32,          // m²
  joint_z: vec3f,     // … normal
  weight: f32,        // N
  compliance: vec3f,  // rad/(N m)
  lightness: f32,     // how much a force on a blade that it carries speeds it up, 1/kg
  square: vec3f,      // of the frequencies, (rad/s)²
  node: u32,          // its number
  least: vec3f,       // rad
  parent: u32,        // its place
  most: vec3f,
  children: u32,      // the first in b_list …
  preload: vec3f,     // N m
  child_count: u32,   // … and how many
  root: vec3f,        // where the root is, m
  rows: u32,          // the first of its rows in b_list …
  row_count: u32,     // … and how many
};

@group(0) @binding(0) var<uniform> u_body: Body;
@group(0) @binding(1) var<storage, read> b_node: array<Node>;              // by depth
@group(0) @binding(2) var<storage, read> b_list: array<u32>;               // depths + 1: where each begins; then children and rows
@group(0) @binding(3) var<storage, read> b_instance: array<Instance>;
@group(0) @binding(4) var<storage, read> b_air: array<vec4f>;              // count x nodes, in the plant's frame, m/s
@group(0) @binding(5) var<storage, read> b_force: array<vec4f>;            // count x rows x (force, w: grip), (moment, w: stiffness)
@group(0) @binding(6) var<storage, read_write> b_joint: array<Joint>;      // count x nodes, by depth
@group(0) @binding(7) var<storage, read_write> b_points: array<vec4f>;     // count x stride, m
@group(0) @binding(8) var<storage, read_write> b_motion: array<vec4f>;     // count x stride: velocity, m/s

@compute @workgroup_size(THREADS)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let instance = workgroup_number(groups);
  if (instance >= u_body.count) { return; }
  for (var k = thread; k < u_body.nodes; k += THREADS) { gather(instance, k); }
  storageBarrier();
  for (var depth = u_body.depths - 1u; depth > 0u; depth--) {
    for (var k = b_list[depth - 1u] + thread; k < b_list[depth]; k += THREADS) { take(instance, k); }
    storageBarrier();
  }
  for (var k = thread; k < u_body.nodes; k += THREADS) { turn(instance, k); }
  storageBarrier();
  for (var depth = 0u; depth < u_body.depths; depth++) {
    for (var k = b_list[depth] + thread; k < b_list[depth + 1u]; k += THREADS) { pose(instance, k); }
    storageBarrier();
  }
}

// Wind and weight on a segment at its middle (eq. 1 and 2), and what the rows on it hand over.
fn gather(instance: u32, k: u32) {
  let node = b_node[k];
  let at = instance * u_body.nodes + k;
  let tip = instance * u_body.stride + node.node;
  let base = instance * u_body.stride + b_node[node.parent].node;
  let air = b_air[instance * u_body.nodes + node.node].xyz - (b_motion[tip].xyz + b_motion[base].xyz) / 2.0;
  let along = b_joint[at].y.xyz;
  let facing = air - dot(air, along) * along;
  let speed = length(facing);
  var grip = u_body.stem * node.area * speed;
  var force = grip * facing;
  if (u_body.paper == 1u) {
    grip /= max(length(air), 1e-30);
    force = grip * air;
  }
  force.y -= node.weight;
  var moment = vec4f(cross((b_points[tip].xyz + b_points[base].xyz) / 2.0, force), 0.0);
  let rows = instance * u_body.blades * u_body.along;
  for (var r = 0u; r < node.row_count; r++) {
    let row = 2u * (rows + b_list[node.rows + r]);
    force += b_force[row].xyz;
    grip += b_force[row].w;
    moment += b_force[row + 1u];
  }
  b_joint[at].force = vec4f(force, grip);
  b_joint[at].moment = moment;
}

// Eq. 4: a share of what the children feel.
fn take(instance: u32, k: u32) {
  let node = b_node[k];
  let first = instance * u_body.nodes;
  var force = b_joint[first + k].force;
  var moment = b_joint[first + k].moment;
  for (var c = 0u; c < node.child_count; c++) {
    let child = first + b_list[node.children + c];
    force += u_body.share * b_joint[child].force;
    moment += u_body.share * b_joint[child].moment;
  }
  b_joint[first + k].force = force;
  b_joint[first + k].moment = moment;
}

// r̈ = ω² (c M − r) − γ ṙ, implicit.
fn turn(instance: u32, k: u32) {
  let node = b_node[k];
  let mine = b_instance[instance];
  let at = instance * u_body.nodes + k;
  let joint = b_joint[at];
  let base = b_points[instance * u_body.stride + b_node[node.parent].node].xyz;
  let bare = joint.moment.xyz - cross(base, joint.force.xyz);
  let moment = vec3f(dot(joint.x.xyz, bare), dot(joint.y.xyz, bare), dot(joint.z.xyz, bare)) - node.preload;
  let drag = joint.force.w * node.lightness;
  let h = mine.step;
  let square = node.square * mine.place.stiffness;
  let wanted = moment * node.compliance / mine.place.stiffness;
  let held = joint.turn.xyz + THETA * (1.0 - THETA) * h * joint.rate.xyz;
  let gamma = 2.0 * u_body.damping * sqrt(square) + (1.0 + u_body.wake) * drag;
  let vane = joint.moment.w * node.lightness;
  let slowness = 1.0 + h * gamma + h * h * (THETA * THETA * square + vane);
  let rate = (joint.rate.xyz * (1.0 + h * drag) + h * square * (wanted - held)) / slowness;
  let free = joint.turn.xyz + h * (THETA * rate + (1.0 - THETA) * joint.rate.xyz);
  let kept = clamp(free, node.least, node.most);
  b_joint[at].turn = vec4f(kept, 0.0);
  b_joint[at].rate = vec4f(select(rate, vec3f(0.0), kept != free), 0.0);
}

// Rodrigues: the matrix that turns about r by its length.
fn rotation(r: vec3f) -> mat3x3f {
  let square = dot(r, r);
  let angle = sqrt(square);
  var s = 1.0 - square / 6.0;
  var c = 0.5 - square / 24.0;
  if (square > 1e-4) {
    s = sin(angle) / angle;
    c = (1.0 - cos(angle)) / square;
  }
  let d = 1.0 - c * square;
  return mat3x3f(
    vec3f(d + c * r.x * r.x, c * r.x * r.y + s * r.z, c * r.x * r.z - s * r.y),
    vec3f(c * r.x * r.y - s * r.z, d + c * r.y * r.y, c * r.y * r.z + s * r.x),
    vec3f(c * r.x * r.z + s * r.y, c * r.y * r.z - s * r.x, d + c * r.z * r.z),
  );
}

fn pose(instance: u32, k: u32) {
  let node = b_node[k];
  let first = instance * u_body.nodes;
  let own = mat3x3f(node.joint_x, node.joint_y, node.joint_z) * rotation(b_joint[first + k].turn.xyz);
  let tip = instance * u_body.stride + node.node;
  var frame = own;
  var place = node.root;
  if (node.parent != k) {
    let parent = b_joint[first + node.parent];
    frame = mat3x3f(parent.x.xyz, parent.y.xyz, parent.z.xyz) * own;
    place = b_points[instance * u_body.stride + b_node[node.parent].node].xyz + node.length * frame[1];
  }
  b_joint[first + k].x = vec4f(frame[0], 0.0);
  b_joint[first + k].y = vec4f(frame[1], 0.0);
  b_joint[first + k].z = vec4f(frame[2], 0.0);
  b_motion[tip] = vec4f((place - b_points[tip].xyz) / b_instance[instance].step, b_motion[tip].w);
  b_points[tip] = vec4f(place, 0.0);
}
