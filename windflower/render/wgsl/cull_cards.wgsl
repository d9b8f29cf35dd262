// Which far plants are drawn as cards, front to back: the twin of `geometry.cards.cards_in_view`. Three stages in turn:
// count what each workgroup has at each distance, add up before each, and write the list. No order depends on chance.
// include "core/workgroups.wgsl"

override STAGE: u32 = 0u;    // count, add up, write
const LANES = 256u;          // plants of a workgroup, as in card_culling.py
const STEPS = 32u;           // of distance, as in geometry/cards.py
const NOT_DRAWN = STEPS;

struct Judge {
  planes: array<vec4f, 4>,   // of the view, inward
  camera: vec4f,             // w: how far out of view a plant may be, m
  chosen: vec4f,             // the camera by which levels are chosen; w: pixels of a metre at a distance of 1, times the factor
  size: vec4f,               // octaves of pixels above which a plant is no card; radii that distances are less; -; workgroups
};

struct Plant {
  ball: vec4f,               // centre and radius, m; a radius below 0 for none
  tall: f32,                 // m
  number: f32,               // in its block
};

struct Run {
  first: u32,                // lane, and workgroup
  group: u32,
  groups: u32,
};

@group(0) @binding(0) var<uniform> u_judge: Judge;
@group(0) @binding(1) var<storage, read> b_plant: array<Plant>;
@group(0) @binding(2) var<storage, read> b_run: array<Run>;               // of each block of cards
@group(0) @binding(3) var<storage, read> b_run_of: array<u32>;            // of each workgroup
@group(0) @binding(4) var<storage, read_write> b_count: array<u32>;       // workgroups x steps: how many, then how many before
@group(0) @binding(5) var<storage, read_write> b_list: array<f32>;        // numbers of the plants that are drawn, run by run
@group(0) @binding(6) var<storage, read_write> b_draw: array<vec4u>;      // of each block: vertices, instances, 0, 0

var<workgroup> w_step: array<u32, LANES>;
var<workgroup> w_count: array<atomic<u32>, STEPS>;

@compute @workgroup_size(256)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let group = workgroup_number(groups);
  if (STAGE == 1u) {
    add_up(min(group, arrayLength(&b_run) - 1u), thread);
    return;
  }
  let lane = group * LANES + thread;
  var step = NOT_DRAWN;
  if (group < u32(u_judge.size.w)) { step = step_of(b_plant[lane]); }
  w_step[thread] = step;
  if (thread < STEPS) { atomicStore(&w_count[thread], 0u); }  // some drivers leave there what the last workgroup had
  workgroupBarrier();
  if (STAGE == 0u) {
    if (step < STEPS) { atomicAdd(&w_count[step], 1u); }
    workgroupBarrier();
    if (thread < STEPS && group < u32(u_judge.size.w)) { b_count[group * STEPS + thread] = atomicLoad(&w_count[thread]); }
    return;
  }
  if (step == NOT_DRAWN) { return; }
  var before = b_count[group * STEPS + step];
  for (var k = 0u; k < thread; k++) { before += select(0u, 1u, w_step[k] == step); }
  b_list[b_run[b_run_of[group]].first + before] = b_plant[lane].number;
}

// How far away a card is, in steps; `NOT_DRAWN` for what is no card or cannot be seen.
fn step_of(plant: Plant) -> u32 {
  let centre = plant.ball.xyz;
  let radius = plant.ball.w;
  if (radius < 0.0) { return NOT_DRAWN; }
  var inside = 1e30;
  for (var k = 0u; k < 4u; k++) { inside = min(inside, dot(u_judge.planes[k].xyz, centre) + u_judge.planes[k].w); }
  if (-inside - radius > u_judge.camera.w) { return NOT_DRAWN; }
  let away = max(distance(centre, u_judge.chosen.xyz) - u_judge.size.y * radius, 0.5);
  if (log2(plant.tall * u_judge.chosen.w / away) >= u_judge.size.x) { return NOT_DRAWN; }
  let far = distance(centre, u_judge.camera.xyz);
  return u32(clamp(3.0 * log2(max(far, 1.0) / 16.0), 0.0, f32(STEPS - 1u)));
}

// Of a run, how many plants come before those of each workgroup at each distance: nearer ones, then those before.
fn add_up(number: u32, thread: u32) {
  let run = b_run[number];
  let total = run.groups * STEPS;
  let each = (total + LANES - 1u) / LANES;
  let first = min(thread * each, total);
  let end = min(first + each, total);
  var own = 0u;
  for (var k = first; k < end; k++) { own += b_count[place_of(run, k)]; }
  w_step[thread] = own;
  workgroupBarrier();
  var before = 0u;
  for (var k = 0u; k < thread; k++) { before += w_step[k]; }
  for (var k = first; k < end; k++) {
    let here = b_count[place_of(run, k)];
    b_count[place_of(run, k)] = before;
    before += here;
  }
  if (thread == LANES - 1u) { b_draw[number] = vec4u(6u, before, 0u, 0u); }
}

// Where a count lies that is so manieth by distance, then by workgroup.
fn place_of(run: Run, k: u32) -> u32 {
  return (run.group + k % run.groups) * STEPS + k / run.groups;
}
