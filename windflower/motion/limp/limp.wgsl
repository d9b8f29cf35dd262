// Limp axes hung over posed nodes, in place: the twin of `motion.limp.drape`. An invocation takes one chain of one plant.
// include "motion/limp/felt.wgsl"

const MOST = 32u;      // links of a chain, as in motion/limp/limp_kernels.py
const ROUNDS = 24u;    // this and what follows as in motion/limp/drape.py
const ALONG = 0.3;
const FURTHEST = 0.8;
const CALMING = 0.5;
const THREADS = 64u;

struct Level {
  points: u32,       // of an instance
  slots: u32,
  chains: u32,
  felt: u32,         // chains of the whole plant
};

struct Chain {
  first: u32,        // of its links
  links: u32,
  bearer: u32,       // the node that it hangs from
  number: u32,       // among the chains of the whole plant
};

struct Link {
  rest: vec3f,       // unit direction at rest
  node: u32,         // at its tip
  prestress: vec3f,  // pull of weight across it at rest times its length, N·m
  spring: f32,       // of the joint at its base, N·m/rad
  reach: f32,        // its length, m
  weight: f32,       // N
  drag: f32,         // force per unit of dynamic wind, kg/m
  place: f32,        // along the chain, 0 to 1
};

@group(0) @binding(0) var<uniform> u_level: Level;
@group(0) @binding(1) var<storage, read_write> b_points: array<vec4f>;
@group(0) @binding(2) var<storage, read> b_chain: array<Chain>;
@group(0) @binding(3) var<storage, read> b_link: array<Link>;
@group(0) @binding(4) var<storage, read> b_felt: array<Felt>;      // instances × chains of the whole plant
@group(0) @binding(5) var<storage, read> b_slot: array<u32>;       // the instance in each slot, among those of b_felt

@compute @workgroup_size(THREADS)
fn main(@builtin(global_invocation_id) at: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let item = at.x + at.y * groups.x * THREADS;
  if (item >= u_level.slots * u_level.chains) { return; }
  let slot = item / u_level.chains;
  let chain = b_chain[item % u_level.chains];
  hang(chain, slot * u_level.points, b_felt[b_slot[slot] * u_level.felt + chain.number]);
}

fn hang(chain: Chain, first: u32, felt: Felt) {
  var carried: array<vec3f, MOST>;
  var d: array<vec3f, MOST>;
  var size: array<f32, MOST>;
  var field: array<vec3f, MOST>;
  var pivot: array<f32, MOST>;
  var spring: array<f32, MOST>;
  var at = b_points[first + chain.bearer].xyz;
  let start = at;
  for (var i = 0u; i < chain.links; i++) {
    let tip = b_points[first + b_link[chain.first + i].node].xyz;
    size[i] = length(tip - at);
    carried[i] = (tip - at) / max(size[i], 1e-12);
    d[i] = carried[i];
    at = tip;
  }
  for (var round = 0u; round < ROUNDS; round++) {
    var beyond = vec3f(0.0);
    var caught_beyond = 0.0;
    for (var k = chain.links; k > 0u; k--) {
      let i = k - 1u;
      let link = b_link[chain.first + i];
      let wind = felt.base + link.place * (felt.tip - felt.base);
      let strength = length(wind);
      let caught = link.drag * strength;
      let toward = wind / max(strength, 1e-12);
      let t = dot(toward, d[i]);
      let n = toward - t * d[i];
      let force = vec3f(0.0, -link.weight, 0.0) + caught * (length(n) * n + ALONG * abs(t) * t * d[i]);
      let pull = beyond + 0.5 * force;
      let held = caught_beyond + 0.5 * caught;
      beyond += force;
      caught_beyond += caught;
      field[i] = link.reach * pull - arc(link.rest, d[i], link.prestress);
      pivot[i] = link.reach * (max(dot(pull, d[i]), 0.0) + CALMING * held);
    }
    for (var i = 0u; i < chain.links; i++) {
      var wanted = carried[0];
      if (i > 0u) { wanted = arc(carried[i - 1u], d[i - 1u], carried[i]); }
      let joint = b_link[chain.first + i].spring * felt.stiffness;
      spring[i] = joint * (2.0 / max(1.0 + dot(d[i], wanted), 0.1));
      pivot[i] += spring[i];
      field[i] += spring[i] * wanted;
      if (i > 0u) {
        pivot[i - 1u] += spring[i];
        field[i - 1u] += spring[i] * arc(carried[i], d[i], carried[i - 1u]);
      }
    }
    for (var i = 0u; i < chain.links; i++) { field[i] = cross(d[i], field[i]); }
    for (var i = 1u; i < chain.links; i++) {
      let share = spring[i] / pivot[i - 1u];
      pivot[i] -= share * spring[i];
      field[i] += share * field[i - 1u];
    }
    var turn = vec3f(0.0);
    var beside = 0.0;
    for (var k = chain.links; k > 0u; k--) {
      let i = k - 1u;
      turn = (field[i] + beside * turn) / pivot[i];
      beside = spring[i];
      d[i] = turned(d[i], turn * (FURTHEST / max(length(turn), FURTHEST)));
    }
  }
  at = start;
  for (var i = 0u; i < chain.links; i++) {
    let node = first + b_link[chain.first + i].node;
    let shown = carried[i] + felt.share * (d[i] - carried[i]);
    at += size[i] * shown / max(length(shown), 1e-12);
    b_points[node] = vec4f(at, b_points[node].w);
  }
}

// A vector turned by the shortest arc from one unit vector to another.
fn arc(start: vec3f, end: vec3f, vector: vec3f) -> vec3f {
  let axis = cross(start, end);
  let across = cross(axis, vector);
  return vector + across + cross(axis, across) / max(1.0 + dot(start, end), 1e-2);
}

// A unit vector turned by a rotation vector, without a sine: by 2 atan(|r| / 2).
fn turned(d: vec3f, r: vec3f) -> vec3f {
  let h = 0.5 * r;
  let across = cross(h, d);
  return normalize(d + (across + cross(h, across)) * (2.0 / (1.0 + dot(h, h))));
}
