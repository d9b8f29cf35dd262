// Sheets: blades of broad leaves, flags, signs. Each is a grid of points with two sides.
// include "frame.wgsl"
// include "noise.wgsl"
// include "light.wgsl"

struct Instance {
  place: vec4f,      // foot in the world; w: scale
  turn: vec4f,       // cos and sin of yaw; a random number; fade
  id: vec4u,
};

struct Style {
  count: vec4u,      // points along and across a sheet; sheets of an instance; pattern
  colour: vec4f,     // w: how much light passes through
  second: vec4f,     // second colour of the pattern; w: stripes or veins
};

@group(1) @binding(0) var<storage, read> b_points: array<vec4f>;     // instances x sheets x along x across
@group(1) @binding(1) var<storage, read> b_instances: array<Instance>;
@group(2) @binding(0) var<uniform> u_style: Style;

struct Sheet {
  @builtin(position) position: vec4f,
  @location(0) world: vec3f,
  @location(1) normal: vec3f,
  @location(2) uv: vec2f,
  @location(3) @interpolate(flat) number: u32,
};

fn point_of(slot: u32, sheet: u32, i: u32, j: u32) -> vec3f {
  let per_sheet = u_style.count.x * u_style.count.y;
  return b_points[(slot * u_style.count.z + sheet) * per_sheet + i * u_style.count.y + j].xyz;
}

fn turned(instance: Instance, v: vec3f) -> vec3f {
  return vec3f(instance.turn.x * v.x + instance.turn.y * v.z, v.y, instance.turn.x * v.z - instance.turn.y * v.x);
}

fn sheet_at(vertex: u32, slot: u32) -> Sheet {
  let rows = u_style.count.x;
  let columns = u_style.count.y;
  let sheet = vertex / (rows * columns);
  let i = (vertex / columns) % rows;
  let j = vertex % columns;
  let instance = b_instances[slot];
  // Smooth normals from the neighbours in the grid.
  let along = point_of(slot, sheet, min(i + 1u, rows - 1u), j) - point_of(slot, sheet, max(i, 1u) - 1u, j);
  let across = point_of(slot, sheet, i, min(j + 1u, columns - 1u)) - point_of(slot, sheet, i, max(j, 1u) - 1u);
  let n = cross(across, along);
  var out: Sheet;
  out.world = turned(instance, point_of(slot, sheet, i, j)) * instance.place.w + instance.place.xyz;
  out.normal = turned(instance, n / max(length(n), 1e-12));
  out.uv = vec2f(f32(j) / f32(columns - 1u), f32(i) / f32(rows - 1u));
  out.number = sheet + slot * 131u;
  return out;
}

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> Sheet {
  var out = sheet_at(vertex, slot);
  out.position = u_frame.view_proj * vec4f(out.world, 1.0);
  return out;
}

@vertex
fn vs_shadow(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> @builtin(position) vec4f {
  return u_frame.light_proj * vec4f(sheet_at(vertex, slot).world, 1.0);
}

@vertex
fn vs_planar(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> @builtin(position) vec4f {
  let world = sheet_at(vertex, slot).world;
  let fallen = world - u_frame.sun.xyz * (world.y / max(u_frame.sun.y, 0.02));
  return u_frame.view_proj * vec4f(fallen.x, 0.0, fallen.z, 1.0);
}

@fragment
fn fs_shadow() {
}

@fragment
fn fs_planar() -> @location(0) vec4f {
  return vec4f(1.0);
}

// A mid-rib and parallel veins that leave it at a slant; older blades are yellower at the rim.
fn blade(uv: vec2f, number: u32) -> vec3f {
  let side = abs(uv.x - 0.5) * 2.0;
  let rib = exp(-pow(side / 0.035, 2.0));
  let veins = 0.5 + 0.5 * cos(6.2832 * u_style.second.w * (uv.y - 0.18 * side));
  let tone = 0.8 + 0.4 * hash(number * 11u + 3u) + 0.1 * (noise2(uv * vec2f(6.0, 30.0) + f32(number)) - 0.5);
  let rim = smoothstep(0.86, 1.0, side) * hash(number * 5u + 1u) * 0.5;
  return mix(mix(u_style.colour.rgb * tone * (0.88 + 0.12 * veins), vec3f(0.30, 0.27, 0.08), rim), u_style.second.rgb, rib * 0.8);
}

fn striped(uv: vec2f) -> vec3f {
  let stripe = u32(floor(uv.x * u_style.second.w));
  return select(u_style.second.rgb, u_style.colour.rgb, stripe % 2u == 0u);
}

fn bordered(uv: vec2f) -> vec3f {
  let rim = max(abs(uv.x - 0.5), abs(uv.y - 0.5)) * 2.0;
  return select(u_style.colour.rgb, u_style.second.rgb, rim > 0.86);
}

@fragment
fn fs_view(in: Sheet, @builtin(front_facing) front: bool) -> @location(0) vec4f {
  var albedo = blade(in.uv, in.number);
  if (u_style.count.w == 1u) {
    albedo = striped(in.uv);
  } else if (u_style.count.w == 2u) {
    albedo = bordered(in.uv);
  }
  let n = normalize(in.normal) * select(-1.0, 1.0, front);
  let shade = sunlit(in.world, n);
  let toward = dot(n, u_frame.sun.xyz);
  let through = max(-toward, 0.0) * u_style.colour.w;
  let eye = normalize(u_frame.eye.xyz - in.world);
  let shine = 0.06 * pow(max(dot(reflect(-u_frame.sun.xyz, n), eye), 0.0), 24.0);
  let warm = mix(vec3f(1.0), vec3f(1.05, 1.15, 0.5), step(f32(u_style.count.w), 0.5));
  let direct = u_frame.sun_colour.rgb * shade * (albedo * (max(toward, 0.0) + through * warm) + shine);
  return vec4f(hazed(direct + albedo * sky_light(n) * 0.9, in.world), 1.0);
}
