// Roots that leave a trunk, run over the ground and go into it.
// include "render/wgsl/feet.wgsl"
// include "render/wgsl/land.wgsl"
// include "render/wgsl/noise.wgsl"
// include "render/wgsl/sward.wgsl"

struct Root {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(perspective, centroid) world: vec3f,
  @location(1) @interpolate(perspective, centroid) normal: vec3f,
  @location(2) @interpolate(perspective, centroid) bark: vec3f,     // around it and along it, m
  @location(3) @interpolate(perspective, centroid) colour: vec3f,
  @location(4) @interpolate(perspective, centroid) light: vec3f,    // share of the sky; height over the ground, m; moss
};

const AROUND = 8u;
const ROWS = 9u;
const CORNERS = 90u;  // (AROUND + 1) x (ROWS + 1), as in sward.py

// The middle of a root at a share of its length: away from the trunk's axis, aside, and up.
fn course(grown: Sown, s: f32) -> vec3f {
  let trunk = grown.lean.x;
  let own = fract(grown.colour.w);
  let aside = (sin(2.6 * s + 6.0 * own) - sin(6.0 * own)) * 0.30 * grown.root.w * s + 0.06 * grown.root.w * sin(9.0 * s + 20.0 * own) * s;
  let up = 0.26 * trunk * exp(-2.6 * s) - 0.07 * trunk + 0.04 * trunk * sin(7.0 * s + 9.0 * own) - 0.8 * grown.lean.w * s * s;
  return vec3f(0.8 * trunk + grown.root.w * s, up, aside);
}

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32, @builtin(instance_index) root: u32) -> Root {
  let grown = b_grown[root];
  let turn = 6.2832 * f32(vertex % (AROUND + 1u)) / f32(AROUND);
  let s = f32(vertex / (AROUND + 1u)) / f32(ROWS);
  let trunk = grown.lean.x;
  let here = course(grown, s);
  let way = normalize(course(grown, s + 0.02) - here);
  let side = normalize(cross(way, vec3f(0.0, 1.0, 0.0)));
  let up = cross(side, way);
  // A buttress near the trunk, round farther out, thin at its end.
  let thick = grown.lean.w * pow(1.0 - 0.93 * s, 0.8);
  let high = thick + 0.12 * trunk * exp(-4.0 * s);
  let out = side * cos(turn) * thick + up * sin(turn) * high;
  let n = normalize(side * cos(turn) / thick + up * sin(turn) / high);
  let own = here + out;
  let yaw = vec2f(cos(grown.lean.z), sin(grown.lean.z));
  let flat_place = grown.root.xz + vec2f(own.x * yaw.x - own.z * yaw.y, own.x * yaw.y + own.z * yaw.x);
  let ground = land_height(flat_place);
  var root_at: Root;
  root_at.world = vec3f(flat_place.x, ground + own.y, flat_place.y);
  root_at.normal = vec3f(n.x * yaw.x - n.z * yaw.y, n.y, n.x * yaw.y + n.z * yaw.x);
  root_at.bark = vec3f(cos(turn) * thick, sin(turn) * thick, s * grown.root.w + 7.0 * fract(grown.colour.w));
  root_at.colour = grown.colour.rgb;
  root_at.light = vec3f(sky_above(flat_place), own.y, grown.air.y);
  root_at.position = u_frame.view_proj * vec4f(root_at.world, 1.0);
  return root_at;
}

@fragment
fn fs_view(in: Root) -> Seen {
  let fine = 1.0 - smoothstep(0.008, 0.05, length(fwidth(in.bark)));
  let furrow = abs(2.0 * noise3(in.bark * vec3f(34.0, 34.0, 6.0)) - 1.0);
  let grain = noise3(in.bark * vec3f(90.0, 90.0, 26.0));
  let crack = mix(0.7, 0.45 + 0.75 * smoothstep(0.03, 0.5, furrow), fine);
  let tilt = fine * (vec3f(noise3(in.bark * 60.0), noise3(in.bark * 60.0 + 30.0), noise3(in.bark * 60.0 + 70.0)) - 0.5);
  let n = normalize(in.normal + 0.8 * tilt);
  let moss = smoothstep(0.45, 0.7, 0.7 * in.light.z * (0.35 + 0.65 * max(in.normal.y, 0.0)) + 0.6 * (noise3(in.world * 7.0) - 0.35));
  let bark = in.colour * 0.8 * crack * (0.75 + 0.4 * grain);
  let wood = mix(bark, mix(vec3f(0.030, 0.055, 0.012), vec3f(0.085, 0.12, 0.022), grain), 0.9 * moss);
  // Earth lies against its sides.
  let albedo = mix(vec3f(0.055, 0.038, 0.024) * (0.6 + 0.8 * grain), wood, smoothstep(0.0, 0.035, in.light.y + 0.02 * (grain - 0.5)));
  let low = smoothstep(-0.02, 0.12, in.light.y);
  let shade = sun_on(in.position.xy, in.world, normalize(in.normal)) * mix(0.6, 1.0, low);
  let light = sunshine(in.world) * shade * max(dot(n, u_frame.sun.xyz), 0.0) + around_light(n) * in.light.x * mix(0.4, 1.0, low);
  return Seen(vec4f(hazed(albedo * light, in.world), 1.0), velocity_of(in.position, seen_before(in.world)));
}
