// How a point lies over another blade: the twin of `heights`.
// include "motion/broadleaf/broadleaf_body.wgsl"

const RIM = 0.3;      // as in motion/broadleaf/overlap.py
const OVER = 0.5;

@group(0) @binding(0) var<uniform> u_body: Body;
// count x blades x along x (centre, m; w: wind, m/s), (across), (along), (normal)
@group(0) @binding(1) var<storage, read> b_frame: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> b_points: array<vec4f>;     // count x stride, m
@group(0) @binding(3) var<storage, read_write> b_motion: array<vec4f>;     // count x stride: velocity, m/s; w: lift, m
// blades x blades gaps, m; blades x (width, m; reach, m; drag of all of it; slack, N); blades x along x across floors, m; where
// stems of each point begin in b_stem, and their end
@group(0) @binding(4) var<storage, read> b_meet: array<f32>;
@group(0) @binding(5) var<storage, read_write> b_side: array<f32>;         // count x blades x blades: points that touch, negative below; 0: neither above nor below; ±GROWN: let be

struct Over {
  height: f32,     // m
  uphill: vec3f,   // how it grows for each metre that the point moves
  share: f32,      // 1 over the blade, 0 well beyond its rim
  fading: vec3f,   // outward where it falls, 1/m
  along: vec3f,    // velocity of the blade there, m/s
};

// How a row has a point that is `to` from its centre: height above it, distance beyond its rim, their slopes, and its speed there.
struct Beside {
  height: f32,
  uphill: vec3f,
  aside: f32,
  outward: vec3f,
  speed: vec3f,
};

fn blade_number(blade: u32, which: u32) -> f32 {
  return b_meet[u_body.blades * u_body.blades + 4u * blade + which];
}

fn far_off(instance: u32, blade: u32, place: vec3f) -> bool {
  let middle = b_frame[4u * ((instance * u_body.blades + blade) * u_body.along + u_body.along / 2u)].xyz;
  return distance(place, middle) > blade_number(blade, 1u);
}

fn beside_row(frame: u32, first: u32, to: vec3f) -> Beside {
  let centre = b_frame[frame].xyz;
  let across = b_frame[frame + 1u].xyz;
  let u = dot(to, across);
  let last = u_body.across - 1u;
  var cell = 0u;
  for (var j = 0u; j < last; j++) {
    if (dot(b_points[first + j].xyz - centre, across) <= u) { cell = j; }
  }
  let near = dot(b_points[first + cell].xyz - centre, across);
  let far = dot(b_points[first + cell + 1u].xyz - centre, across);
  let wide = max(far - near, 1e-12);
  let between = clamp((u - near) / wide, 0.0, 1.0);
  let one = b_motion[first + cell];
  let other = b_motion[first + cell + 1u];
  let left = dot(b_points[first].xyz - centre, across) - u;
  let right = u - dot(b_points[first + last].xyz - centre, across);
  let aside = max(max(left, right), 0.0);
  let normal = b_frame[frame + 3u].xyz;
  let height = dot(to, normal) - mix(one.w, other.w, between);
  let uphill = normal - select((other.w - one.w) / wide, 0.0, aside > 0.0) * across;
  let outward = (select(0.0, 1.0, right > 0.0) - select(0.0, 1.0, left > 0.0)) * across;
  return Beside(height, uphill, aside, outward, mix(one.xyz, other.xyz, between));
}

fn over_blade(instance: u32, blade: u32, place: vec3f) -> Over {
  let frames = 4u * (instance * u_body.blades + blade) * u_body.along;
  let first = instance * u_body.stride + u_body.nodes + blade * u_body.along * u_body.across;
  var count = 0u;
  for (var i = 0u; i < u_body.along; i++) {
    if (dot(place - b_frame[frames + 4u * i].xyz, b_frame[frames + 4u * i + 2u].xyz) >= 0.0) { count++; }
  }
  let row = min(max(count, 1u) - 1u, u_body.along - 2u);
  let end = frames + 4u * (u_body.along - 1u);
  let here = frames + 4u * row;
  let to = place - b_frame[here].xyz;
  let onward = place - b_frame[here + 4u].xyz;
  let before = dot(to, b_frame[here + 2u].xyz);
  let after = dot(onward, b_frame[here + 6u].xyz);
  let apart = max(before - after, 1e-12);
  let part = clamp(before / apart, 0.0, 1.0);
  let low = -dot(place - b_frame[frames].xyz, b_frame[frames + 2u].xyz);
  let high = dot(place - b_frame[end].xyz, b_frame[end + 2u].xyz);
  let one = beside_row(here, first + row * u_body.across, to);
  let other = beside_row(here + 4u, first + (row + 1u) * u_body.across, onward);
  let between = part > 0.0 && part < 1.0;
  let shift = select(0.0, 1.0 / apart, between) * mix(b_frame[here + 2u].xyz, b_frame[here + 6u].xyz, part);
  let uphill = mix(one.uphill, other.uphill, part) + (other.height - one.height) * shift;
  let outward = mix(one.outward, other.outward, part) + (other.aside - one.aside) * shift;
  let height = mix(one.height, other.height, part);
  let aside = mix(one.aside, other.aside, part);
  let past = select(-b_frame[frames + 2u].xyz, b_frame[end + 2u].xyz, high > low);
  let beyond = max(max(low, high), aside);
  let width = blade_number(blade, 0u);
  let share = select(0.0, clamp(1.0 - beyond / (RIM * width), 0.0, 1.0), abs(height) < OVER * width);
  let fading = select(0.0, 1.0 / (RIM * width), share < 1.0) * select(outward, past, beyond > aside);
  return Over(height, uphill, share, fading, mix(one.speed, other.speed, part));
}
