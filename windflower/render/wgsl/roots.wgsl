// Roots that leave a trunk, run over the ground and go into it.
// include "render/wgsl/feet.wgsl"
// include "render/wgsl/land.wgsl"
// include "render/wgsl/noise.wgsl"
// include "render/wgsl/sward.wgsl"
// include "render/wgsl/tilt.wgsl"

@group(3) @binding(0) var t_bark: texture_2d_array<f32>;
@group(3) @binding(1) var t_bark_relief: texture_2d_array<f32>;
@group(3) @binding(2) var smp_bark: sampler;

struct Root {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(perspective, centroid) world: vec3f,
  @location(1) @interpolate(perspective, centroid) normal: vec3f,
  @location(2) @interpolate(perspective, centroid) bark: vec2f,     // turns around it, and girths along it
  @location(3) @interpolate(perspective, centroid) colour: vec3f,
  @location(4) @interpolate(perspective, centroid) light: vec3f,    // share of the sky; height over the ground, m; moss
};

const AROUND = 8u;
const ROWS = 9u;
const CORNERS = 90u;  // (AROUND + 1) x (ROWS + 1), as in sward.py

// The middle of a root at a share of its length: away from the trunk's axis, aside, and up. It begins within the trunk's
// buttress, leaves it where that meets the ground, winds, and sinks.
fn course(grown: Sown, s: f32) -> vec3f {
  let reach = grown.lean.y;
  let own = fract(grown.colour.w);
  let way = s * (grown.root.w + 0.4 * reach);
  let free = max(way - 0.4 * reach, 0.0) / grown.root.w;
  let aside = (sin(2.6 * free + 6.0 * own) - sin(6.0 * own)) * 0.30 * grown.root.w * free + 0.06 * grown.root.w * sin(9.0 * free + 20.0 * own) * free;
  let up = 0.22 * grown.lean.x * exp(-2.5 * way / reach) - 0.45 * grown.lean.w + 0.3 * grown.lean.w * sin(7.0 * free + 9.0 * own) * free - 0.9 * grown.lean.w * free * free;
  return vec3f(0.6 * reach + way, up, aside);
}

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32, @builtin(instance_index) root: u32) -> Root {
  let grown = b_grown[root];
  let turn = 6.2832 * f32(vertex % (AROUND + 1u)) / f32(AROUND);
  let s = f32(vertex / (AROUND + 1u)) / f32(ROWS);
  let here = course(grown, s);
  let way = normalize(course(grown, s + 0.02) - here);
  let side = normalize(cross(way, vec3f(0.0, 1.0, 0.0)));
  let up = cross(side, way);
  // Thin at its end; knots make it uneven.
  let thick = grown.lean.w * pow(1.0 - 0.93 * s, 0.75) * (1.0 + 0.12 * sin(17.0 * s + 30.0 * fract(grown.colour.w)));
  let high = thick;
  let out = side * cos(turn) * thick + up * sin(turn) * high;
  let n = normalize(side * cos(turn) / thick + up * sin(turn) / high);
  let own = here + out;
  let yaw = vec2f(cos(grown.lean.z), sin(grown.lean.z));
  let flat_place = grown.root.xz + vec2f(own.x * yaw.x - own.z * yaw.y, own.x * yaw.y + own.z * yaw.x);
  let ground = land_height(flat_place);
  var root_at: Root;
  root_at.world = vec3f(flat_place.x, ground + own.y, flat_place.y);
  root_at.normal = vec3f(n.x * yaw.x - n.z * yaw.y, n.y, n.x * yaw.y + n.z * yaw.x);
  // Girths along it, which shorten as it thins: the integral of 1 over `thick`.
  let girths = (1.0 - pow(1.0 - 0.93 * s, 0.25)) / (0.93 * 0.25) * (grown.root.w + 0.4 * grown.lean.y) / (6.2832 * grown.lean.w);
  root_at.bark = vec2f(turn / 6.2832, girths + 7.0 * fract(grown.colour.w));
  root_at.colour = grown.colour.rgb;
  root_at.light = vec3f(sky_above(flat_place), own.y, grown.air.y);
  root_at.position = u_frame.view_proj * vec4f(root_at.world, 1.0);
  return root_at;
}

@fragment
fn fs_view(in: Root) -> Seen {
  let at = in.bark * vec2f(1.0, -0.5);
  let tile = textureSample(t_bark, smp_bark, at, 0);
  let relief = textureSample(t_bark_relief, smp_bark, at, 0);
  let flat_normal = normalize(in.normal);
  let n = tilted(in.world, flat_normal, dpdx(in.bark), dpdy(in.bark), (relief.xy * 2.0 - 1.0) * 1.6);
  let moss = smoothstep(0.42, 0.66, 0.62 * in.light.z * (0.35 + 0.65 * max(flat_normal.y, 0.0)) + 0.6 * (noise3(in.world * 6.0) - 0.35) + 0.2 * (relief.z - 0.5));
  let bark = in.colour * mix(0.7, 2.0 * tile.x + 0.3 * tile.y, 0.7);
  let wood = mix(bark, vec3f(0.050, 0.078, 0.016) * (0.55 + 0.9 * relief.z), 0.9 * moss);
  // Earth lies against its sides.
  let albedo = mix(vec3f(0.058, 0.042, 0.028) * (0.6 + 0.8 * relief.z), wood, smoothstep(0.0, 0.045, in.light.y + 0.05 * (relief.z - 0.5)));
  let low = smoothstep(-0.02, 0.12, in.light.y);
  let shade = sun_on(in.position.xy, in.world, flat_normal) * mix(0.6, 1.0, low);
  let light = sunshine(in.world) * shade * max(dot(n, u_frame.sun.xyz), 0.0) + sky_light(n) * in.light.x * mix(0.4, 1.0, low);
  return Seen(vec4f(hazed(albedo * light * mix(0.6, 1.0, tile.w), in.world), 1.0), velocity_of(in.position, seen_before(in.world)));
}
