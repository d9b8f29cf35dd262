// Angles from wind and hands, and from them points: the twin of `Driven.angles`, `Fades.value` and `Chain.posed`.
// A workgroup walks one tree of a block, depth by depth.
// include "core/quaternions.wgsl"
// include "core/workgroups.wgsl"

override THREADS: u32 = 64u;
override SMOOTH: u32 = 1u;   // fades are cubics, or else lines

struct Block {
  nodes: u32,        // of all trees
  trees: u32,
  slots: u32,        // felt winds of an instance
  cells: u32,        // orders of trees
  chosen: u32,       // trees to pose
  limit: f32,        // 1 / rad² that no procedural angle exceeds; 0 for none
};

struct Joint {
  chord: vec3f,      // the segment at rest, and at a root its place, m
  node: u32,
  theta: vec3f,      // axes at rest
  parent: u32,       // its node
  phi: vec3f,
  slot: u32,
  by_theta: vec3f,   // angles for 1 (m/s)² of dynamic wind along x, y, z, rad
  cell: u32,
  by_phi: vec3f,
};

@group(0) @binding(0) var<uniform> u_block: Block;
@group(0) @binding(1) var<storage, read> b_depth: array<u32>;           // for each tree where its own part begins: how many depths, and where each begins in b_joint
@group(0) @binding(2) var<storage, read> b_joint: array<Joint>;         // tree by tree, by depth
@group(0) @binding(3) var<storage, read> b_chosen: array<u32>;          // instance x trees + tree
@group(0) @binding(4) var<storage, read> b_felt: array<vec4f>;          // count x slots: the dynamic wind that each axis feels, (m/s)²
@group(0) @binding(5) var<storage, read> b_fade: array<vec4f>;          // count x cells: start, slope x time, target, how far on its way
@group(0) @binding(6) var<storage, read> b_turn: array<vec4f>;          // count x nodes: what hands add to the angles, rad; z: kind of a physical branch, or 0
@group(0) @binding(7) var<storage, read_write> b_frame: array<vec4f>;   // count x nodes
@group(0) @binding(8) var<storage, read_write> b_points: array<vec4f>;  // count x nodes, from the origin of each tree, m; w: kind

@compute @workgroup_size(THREADS)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let slot = workgroup_number(groups);
  if (slot >= u_block.chosen) { return; }
  let instance = b_chosen[slot] / u_block.trees;
  let first = b_depth[b_chosen[slot] % u_block.trees];
  let depths = b_depth[first];
  for (var depth = 1u; depth <= depths; depth++) {
    let end = b_depth[first + depth + 1u];
    for (var k = b_depth[first + depth] + thread; k < end; k += THREADS) {
      if (depth == 1u) { root(instance, k); } else { segment(instance, k); }
    }
    storageBarrier();
  }
}

fn root(instance: u32, k: u32) {
  let at = instance * u_block.nodes + b_joint[k].node;
  b_frame[at] = vec4f(0.0, 0.0, 0.0, 1.0);
  b_points[at] = vec4f(b_joint[k].chord, 0.0);
}

fn segment(instance: u32, k: u32) {
  let joint = b_joint[k];
  let first = instance * u_block.nodes;
  let fade = b_fade[instance * u_block.cells + joint.cell];
  let hand = b_turn[first + joint.node];
  let frame = joined(b_frame[first + joint.parent], turned(joint, blown(joint, instance, fade) + hand.xy));
  let point = b_points[first + joint.parent].xyz + turned_by(frame, joint.chord);
  b_frame[first + joint.node] = frame;
  b_points[first + joint.node] = vec4f(point, select(kind_of(fade), hand.z, hand.z > 0.0));
}

// w θ̃ (Di Giacomo, Capo & Faure 2001, eq. 1–2), rad. With what hands add, (1 − α) e, it is the angle (§4.3).
fn blown(joint: Joint, instance: u32, fade: vec4f) -> vec2f {
  let felt = b_felt[instance * u_block.slots + joint.slot].xyz;
  let angles = vec2f(dot(joint.by_theta, felt), dot(joint.by_phi, felt));
  let softly = inverseSqrt(1.0 + dot(angles, angles) * u_block.limit);
  return faded(fade) * softly * angles;
}

fn faded(fade: vec4f) -> f32 {
  let u = fade.w;
  if (SMOOTH == 0u) { return mix(fade.x, fade.z, u); }
  return mix(fade.x, fade.z, u * u * (3.0 - 2.0 * u)) + fade.y * u * (1.0 - u) * (1.0 - u);
}

// `Kind` of motion/hybrid/branch_kinds.py: in transition, animated, or fixed.
fn kind_of(fade: vec4f) -> f32 {
  return select(select(0.0, 1.0, fade.z > 0.0), 2.0, fade.w < 1.0);
}

// Rot(θ) Rot(φ); the two axes are normal to one another.
fn turned(joint: Joint, angle: vec2f) -> vec4f {
  let s = sin(angle / 2.0);
  let c = cos(angle / 2.0);
  let across = cross(joint.theta, joint.phi);
  return vec4f(s.x * c.y * joint.theta + c.x * s.y * joint.phi + s.x * s.y * across, c.x * c.y);
}
