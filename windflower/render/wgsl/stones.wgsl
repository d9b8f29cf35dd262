// Stones: rough balls, sunk into the ground, with moss and lichen.
// include "render/wgsl/noise.wgsl"
// include "render/wgsl/sward.wgsl"

struct Stone {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(perspective, centroid) world: vec3f,
  @location(1) @interpolate(perspective, centroid) normal: vec3f,
  @location(2) @interpolate(perspective, centroid) own: vec3f,      // place on the stone, in its sizes
  @location(3) @interpolate(perspective, centroid) colour: vec3f,
  @location(4) @interpolate(perspective, centroid) light: vec4f,    // share of the sky; moss; height over the ground, in sizes; size, m
};

const AROUND = 10u;
const ROWS = 6u;
const CORNERS = 77u;  // (AROUND + 1) x (ROWS + 1), as in sward.py

fn rough(way: vec3f, own: f32) -> vec3f {
  let p = way * 1.1 + own * 57.0;
  let lumps = noise3(p) * 0.75 + noise3(p * 2.3 + 9.0) * 0.3;
  return way * (0.62 + lumps);
}

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32, @builtin(instance_index) tile: u32) -> Stone {
  let grown = b_grown[tile * u_ground.each.w + vertex / CORNERS];
  let size = grown.root.w;
  if (size <= 0.0) {
    return Stone(vec4f(0.0, 0.0, -1.0, 1.0), vec3f(0.0), vec3f(0.0), vec3f(0.0), vec3f(0.0), vec4f(0.0));
  }
  let corner = vertex % CORNERS;
  let turn = 6.2832 * f32(corner % (AROUND + 1u)) / f32(AROUND);
  let up = 1.5708 * (1.0 - 1.35 * f32(corner / (AROUND + 1u)) / f32(ROWS));
  let way = vec3f(cos(turn) * cos(up), sin(up), sin(turn) * cos(up));
  let own = fract(grown.colour.w);
  let here = rough(way, own);
  let east = rough(normalize(way + 0.12 * vec3f(-sin(turn), 0.0, cos(turn))), own) - here;
  let north = rough(normalize(way + 0.12 * vec3f(-cos(turn) * sin(up), cos(up), -sin(turn) * sin(up))), own) - here;
  let flat_shape = vec3f(1.0, grown.lean.x, grown.lean.y);
  let n = normalize(cross(north * flat_shape, east * flat_shape) + vec3f(0.0, 1e-5, 0.0));
  let yaw = vec2f(cos(grown.lean.z), sin(grown.lean.z));
  let shape = here * flat_shape;
  var out: Stone;
  out.own = here + own * 31.0;
  out.world = grown.root.xyz + size * (vec3f(shape.x * yaw.x - shape.z * yaw.y, shape.y - 0.12, shape.x * yaw.y + shape.z * yaw.x));
  out.normal = vec3f(n.x * yaw.x - n.z * yaw.y, n.y, n.x * yaw.y + n.z * yaw.x);
  out.colour = grown.colour.rgb;
  out.light = vec4f(grown.air.x, grown.lean.w, (out.world.y - grown.root.y) / size, size);
  out.position = u_frame.view_proj * vec4f(out.world, 1.0);
  return out;
}

@fragment
fn fs_view(in: Stone) -> Seen {
  let fine = 1.0 - smoothstep(0.01, 0.05, length(fwidth(in.own)));
  let speckle = mix(0.5, noise3(in.own * 34.0), fine);
  let cloud = noise3(in.own * 4.0);
  let tilt = fine * (vec3f(noise3(in.own * 15.0), noise3(in.own * 15.0 + 40.0), noise3(in.own * 15.0 + 80.0)) - 0.5);
  let n = normalize(in.normal + 0.7 * tilt);
  let moss = smoothstep(0.55, 0.8, in.light.y * (0.55 + 0.6 * in.normal.y) * (0.5 + cloud) + 0.15 * (speckle - 0.5));
  let lichen = smoothstep(0.66, 0.74, noise3(in.own * 7.0 + 13.0)) * 0.6;
  let stone = mix(in.colour * (0.62 + 0.35 * cloud + 0.4 * speckle), vec3f(0.20, 0.21, 0.15), lichen);
  let albedo = mix(stone, mix(vec3f(0.026, 0.046, 0.011), vec3f(0.074, 0.100, 0.024), speckle), moss);
  // Where it goes into the ground it is dark.
  let low = smoothstep(-0.05, 0.45, in.light.z);
  let shade = sun_on(in.position.xy, in.world, in.normal) * mix(0.45, 1.0, low);
  let light = sunshine(in.world) * shade * max(dot(n, u_frame.sun.xyz), 0.0) + sky_light(n) * in.light.x * mix(0.3, 1.0, low);
  return Seen(vec4f(hazed(albedo * light, in.world), 1.0), velocity_of(in.position, seen_before(in.world)));
}
