// On which side of another each blade lies: the twin of `Contacts._sides`. One workgroup for each of two blades of a plant.
// include "core/workgroups.wgsl"
// include "motion/broadleaf/blade_over.wgsl"

const THREADS = 64u;
const GAP = 0.16;     // as in motion/broadleaf/contact.py
const SOON = 0.25;
const FEWEST = 4.0;
const GROWN = 0.5;

var<workgroup> w_met: array<vec4f, THREADS>;
var<workgroup> w_above: array<f32, THREADS>;

@compute @workgroup_size(THREADS)
fn main(groups: Workgroups, @builtin(local_invocation_index) thread: u32) {
  let k = workgroup_number(groups);
  let pairs = u_body.blades * u_body.blades;
  if (k >= u_body.count * pairs) { return; }
  let instance = k / pairs;
  let mine = (k % pairs) / u_body.blades;
  let theirs = k % u_body.blades;
  let size = u_body.along * u_body.across;
  let first = instance * u_body.stride + u_body.nodes + mine * size;
  let scale = GAP * blade_number(theirs, 0u);
  var met = vec4f(0.0);  // points over the blade, how high they are, and how many touch it above and below
  var above = 0.0;       // of these points
  if (mine != theirs) {
    for (var p = thread; p < size; p += THREADS) {
      let place = b_points[first + p].xyz;
      if (far_off(instance, theirs, place)) { continue; }
      let over = over_blade(instance, theirs, place);
      let high = clamp(over.height / scale, -9.0, 9.0);
      above += select(0.0, over.share, over.height > 0.0);
      met += over.share * vec4f(1.0, tanh(high), clamp((1.0 - high) / SOON, 0.0, 1.0), clamp((1.0 + high) / SOON, 0.0, 1.0));
    }
  }
  w_met[thread] = met;
  w_above[thread] = above;
  workgroupBarrier();
  if (thread != 0u) { return; }
  var sum = vec4f(0.0);
  above = 0.0;
  for (var t = 0u; t < THREADS; t++) {
    sum += w_met[t];
    above += w_above[t];
  }
  let was = b_side[k];
  let parted = above == 0.0 || above == sum.x;
  if (abs(was) == GROWN && sum.x > 0.0 && !parted) { return; }
  let over = select(sum.y >= 0.0, was > 0.0, abs(was) > GROWN);
  b_side[k] = select(0.0, select(-max(sum.w, FEWEST), max(sum.z, FEWEST), over), sum.x > 0.0);
}
