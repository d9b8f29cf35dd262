// Sheets: blades of broad leaves, flags, signs. Each is a grid of points with two sides.
// include "render/wgsl/frame.wgsl"
// include "render/wgsl/noise.wgsl"
// include "render/wgsl/instance.wgsl"
// include "render/wgsl/grids.wgsl"
// include "render/wgsl/paint.wgsl"
// include "render/wgsl/plant_shading.wgsl"
// include "render/wgsl/light.wgsl"
// include "render/wgsl/cast.wgsl"
// include "render/wgsl/velocity.wgsl"

struct Sheet {
  @builtin(position) position: vec4f,
  @location(0) world: vec3f,
  @location(1) normal: vec3f,
  @location(2) uv: vec2f,
  @location(3) @interpolate(flat) number: u32,
  @location(4) paint: vec4f,
  @location(5) before: vec3f,  // see `seen_before`
  @location(6) @interpolate(flat) label: u32,  // of its plant, see `Instance`
};

fn sheet_at(number: u32, slot: u32) -> Sheet {
  let vertex = b_vertices[number];
  let instance = b_instances[slot];
  let corner = grid_corner(slot, vertex);
  var out: Sheet;
  out.world = to_world(instance, corner.point);
  out.normal = turned(instance, corner.normal);
  out.uv = vertex.uv;
  out.number = vertex.sheet + instance.id.x * 131u;
  out.paint = painted(instance, b_points[slot * u_style.count.x + vertex.node].w);
  out.label = instance.id.z;
  return out;
}

// Two levels of a sheet look alike: one of them is shown, whole.
fn shown(position: vec4f, slot: u32) -> vec4f {
  return select(vec4f(0.0, 0.0, -1.0, 1.0), position, has_more(b_instances[slot].turn.w));
}

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> Sheet {
  var out = sheet_at(vertex, slot);
  out.position = shown(u_frame.view_proj * vec4f(out.world, 1.0), slot);
  if (OVER_TIME) {
    out.before = seen_before(to_world(b_instances[slot], grid_corner_before(slot, b_vertices[vertex]).point));
  }
  return out;
}

@vertex
fn vs_shadow(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> @builtin(position) vec4f {
  return shown(u_frame.light_proj * vec4f(sheet_at(vertex, slot).world, 1.0), slot);
}

@vertex
fn vs_planar(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> @builtin(position) vec4f {
  return shown(on_ground(sheet_at(vertex, slot).world), slot);
}

@fragment
fn fs_shadow(@builtin(position) position: vec4f) -> @location(0) f32 {
  return cast_depth(position.z);
}

@fragment
fn fs_planar() -> @location(0) vec4f {
  return vec4f(1.0);
}

// How much there is of veins that leave the mid-rib at a slant, run beside it, or spread from the base; 1 between two.
fn between_veins(uv: vec2f) -> f32 {
  let side = abs(uv.x - 0.5) * 2.0;
  let lines = u_style.second.w;
  switch (u_style.count.y) {
    case 4u: { return 0.5 - 0.5 * cos(6.2832 * lines * 0.5 * side); }
    case 5u: {
      let p = vec2f(uv.x - 0.5, (uv.y + 0.04) * u_style.shape.x);
      let fan = 0.5 - 0.5 * cos(lines * atan2(abs(p.x), p.y));
      let net = 0.5 - 0.5 * cos(6.2832 * lines * (uv.y - 0.3 * side));
      return 1.0 - (1.0 - fan) * (1.0 - fan) - 0.25 * (1.0 - net);
    }
    case 6u: { return 1.0; }
    default: { return 0.5 + 0.5 * cos(6.2832 * lines * (uv.y - 0.18 * side)); }
  }
}

// A paler mid-rib, and veins; older blades are yellower at the rim.
fn blade(uv: vec2f, number: u32) -> vec3f {
  let side = abs(uv.x - 0.5) * 2.0;
  let rib = exp(-pow(side / 0.035, 2.0));
  let tone = 0.8 + 0.4 * hash(number * 11u + 3u) + 0.1 * (noise2(uv * vec2f(6.0, 30.0) + f32(number)) - 0.5);
  let rim = smoothstep(0.86, 1.0, side) * hash(number * 5u + 1u) * 0.5;
  let green = u_style.colour.rgb * vec3f(1.05, 0.92, 0.88) * tone * (0.82 + 0.18 * between_veins(uv));
  return mix(mix(green, vec3f(0.30, 0.27, 0.08), rim), u_style.second.rgb, rib * 0.8);
}

fn is_blade() -> bool {
  return u_style.count.y == 0u || u_style.count.y > 3u;
}

fn striped(uv: vec2f) -> vec3f {
  let stripe = u32(floor(uv.x * u_style.second.w));
  return select(u_style.second.rgb, u_style.colour.rgb, stripe % 2u == 0u);
}

// From 0 to 1 where x passes an edge, over about a pixel.
fn beyond(edge: f32, x: f32, pixel: f32) -> f32 {
  return smoothstep(edge - pixel, edge + pixel, x);
}

// A windflower: six petals about a yellow heart, between two bands; a long sheet has several, one after another.
fn flowered(uv: vec2f, pixel: f32) -> vec3f {
  let many = max(round(u_style.shape.x / 1.5), 1.0);
  let p = vec2f(uv.x - 0.5, (fract(uv.y * many) - 0.5) * u_style.shape.x / many) * 2.0;
  let r = length(p);
  let petal = 0.36 + 0.30 * sqrt(abs(cos(3.0 * atan2(p.x, p.y))));
  let line = smoothstep(0.02, 0.10, abs(sin(3.0 * atan2(p.x, p.y)))) * 0.12 + 0.88;
  let flower = mix(u_style.second.rgb * line, u_style.colour.rgb, beyond(petal, r, pixel));
  let heart = mix(vec3f(0.62, 0.36, 0.03), flower, beyond(0.15, r, pixel));
  let band = beyond(0.86, abs(p.x), pixel) - beyond(0.94, abs(p.x), pixel);
  return mix(heart, u_style.second.rgb, band);
}

// An arrow within a border; its back is bare metal.
fn signed(uv: vec2f, front: bool, pixel: f32) -> vec3f {
  let p = (uv - 0.5) * 2.0;
  let rim = max(abs(p.x), abs(p.y));
  let border = beyond(0.86, rim, pixel) - beyond(0.95, rim, pixel);
  let shaft = (1.0 - beyond(0.13, abs(p.x), pixel)) * (1.0 - beyond(0.62, abs(p.y), pixel));
  let head = (1.0 - beyond(0.0, abs(p.x) * 1.1 + p.y - 0.68, pixel)) * beyond(0.08, p.y, pixel);
  let plain = mix(u_style.colour.rgb, u_style.second.rgb, clamp(border + max(shaft, head), 0.0, 1.0));
  return select(vec3f(0.30, 0.31, 0.32), plain, front);
}

fn albedo_of(in: Sheet, front: bool) -> vec3f {
  let pixel = max(length(fwidth(in.uv)), 1e-4) * 1.4;
  var natural = u_style.colour.rgb;
  switch (u_style.count.y) {
    case 0u, 4u, 5u, 6u: { natural = blade(in.uv, in.number); }
    case 1u: { natural = striped(in.uv); }
    case 2u: { natural = flowered(in.uv, pixel); }
    default: { natural = signed(in.uv, front, pixel); }
  }
  return mix(natural, in.paint.rgb, in.paint.a);
}

// What a blade lets through, over what it reflects: yellower, and less where veins are.
const THROUGH = vec3f(1.5, 1.6, 0.45);

// A normal tilted by a relief of so many m (Mikkelsen 2010), and not where a vein is smaller than a pixel.
fn veined(n: vec3f, in: Sheet, between: f32) -> vec3f {
  let dx = dpdx(in.world);
  let dy = dpdy(in.world);
  let over = vec2f(length(dpdx(in.uv)), length(dpdy(in.uv)));
  let size = length(vec2f(length(dx), length(dy))) / max(length(over), 1e-6);  // of the blade, m
  let seen = smoothstep(0.5, 0.12, length(over) * u_style.second.w);
  let height = 0.04 * size / max(u_style.second.w, 1.0) * between;
  let right = cross(dy, n);
  let down = cross(n, dx);
  let area = dot(dx, right);
  let slope = sign(area) * (dpdx(height) * right + dpdy(height) * down) * seen;
  return normalize(abs(area) * n - slope + 1e-12 * n);
}

// Light of a living blade: lit through against the sun, and waxy above, so that it mirrors the sky where it turns away.
fn blade_light(in: Sheet, smooth_normal: vec3f, albedo: vec3f, sun: vec3f, front: bool) -> vec3f {
  let between = between_veins(in.uv);
  let n = veined(smooth_normal, in, between * select(-1.0, 1.0, front));
  let toward = dot(n, u_frame.sun.xyz);
  let eye = normalize(u_frame.eye.xyz - in.world);
  let through = u_style.colour.w * THROUGH * mix(0.82, 1.0, between);
  let wax = select(0.3, 1.0, front);
  let rim = pow(1.0 - clamp(dot(n, eye), 0.0, 1.0), 4.0);
  let shine = 0.045 * wax * pow(max(dot(reflect(-u_frame.sun.xyz, n), eye), 0.0), 9.0) * f32(toward > 0.0);
  let mirrored = wax * (0.012 + 0.16 * rim) * sky_light(reflect(-eye, n));
  let direct = sun * (albedo * (max(toward, 0.0) + through * max(-toward, 0.0)) + shine);
  return direct + albedo * (0.9 * sky_light(n) + 0.5 * through * sky_light(-n)) + mirrored;
}

@fragment
fn fs_view(in: Sheet, @builtin(front_facing) front: bool) -> Seen {
  let albedo = albedo_of(in, front);
  let n = normalize(in.normal) * select(-1.0, 1.0, front);
  let sun = sunshine(in.world) * sunlit(in.world, n);
  let leaf = blade_light(in, n, albedo, sun, front);
  let toward = dot(n, u_frame.sun.xyz);
  let through = max(-toward, 0.0) * u_style.colour.w;
  let eye = normalize(u_frame.eye.xyz - in.world);
  let shine = 0.06 * pow(max(dot(reflect(-u_frame.sun.xyz, n), eye), 0.0), 24.0);
  let cloth = sun * (albedo * (max(toward, 0.0) + through) + shine) + albedo * sky_light(n) * 0.9;
  return Seen(vec4f(hazed(select(cloth, leaf, is_blade()), in.world), 1.0), velocity_of(in.position, in.before));
}
