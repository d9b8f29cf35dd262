// Fronts that cross the land: the twin of `Gust` and `Gusts`.

struct Train {
  delay: vec3f,     // s per m along x, y, z: how much later a place feels it
  clock: f32,       // s since the table's beginning, at the field's origin at the end of the first step
  aside: vec3f,     // lanes per m along x, y, z
  lane: f32,        // of the field's origin, counted from the table's first
  blows: vec3f,     // direction and strength, m/s
  spacing: f32,     // s from gust to gust; 0 for one alone
  duration: f32,    // s
  rise: f32,
  fall: f32,
  back: u32,        // gusts of how many intervals before may still blow
  table: u32,       // where its fronts are in b_front: lanes x intervals
  intervals: u32,
  lanes: u32,
};

@group(0) @binding(6) var<storage, read> b_front: array<vec2f>;  // s since the table's beginning; strength

// The wind of a train at a point, so many seconds after the first step, m/s.
fn gusts_at(train: Train, point: vec3f, after: f32) -> vec3f {
  let passed = train.clock + after - dot(train.delay, point);
  let place = train.lane + dot(train.aside, point);
  if (train.spacing == 0.0) {
    return train.blows * (smoothstep(0.0, 1.0, 1.0 - abs(place)) * gust_ramp(train, passed));
  }
  let lane = floor(place);
  let share = smoothstep(0.0, 1.0, place - lane);
  return train.blows * mix(in_lane(train, i32(lane), passed), in_lane(train, i32(lane) + 1, passed), share);
}

fn in_lane(train: Train, lane: i32, passed: f32) -> f32 {
  let row = u32(clamp(lane, 0, i32(train.lanes) - 1)) * train.intervals;
  let now = i32(floor(passed / train.spacing));
  var amount = 0.0;
  for (var back = 0u; back < train.back; back++) {
    let index = u32(clamp(now - i32(back), 0, i32(train.intervals) - 1));
    let front = b_front[train.table + row + index];
    amount += front.y * gust_ramp(train, passed - front.x);
  }
  return amount;
}

// 0 to 1 at a time after the front's arrival: rise, hold, fall.
fn gust_ramp(train: Train, age: f32) -> f32 {
  return smoothstep(0.0, 1.0, age / train.rise) * smoothstep(0.0, 1.0, (train.duration - age) / train.fall);
}
