// Sheets: blades of broad leaves, flags, signs. Each is a grid of points with two sides.
// include "frame.wgsl"
// include "noise.wgsl"
// include "instance.wgsl"
// include "paint.wgsl"
// include "portrait.wgsl"
// include "light.wgsl"

struct Vertex {
  node: u32,         // which of an instance's points it is
  sheet: u32,
  along: vec2u,      // the points before and after it along the sheet, and across it; its own at an edge
  across: vec2u,
  uv: vec2f,         // across and along, 0 to 1
};

struct Style {
  count: vec4u,      // points of an instance; pattern
  colour: vec4f,     // w: how much light passes through
  second: vec4f,     // second colour of the pattern; w: stripes or veins
};

@group(2) @binding(0) var<uniform> u_style: Style;
@group(2) @binding(1) var<storage, read> b_vertices: array<Vertex>;

struct Sheet {
  @builtin(position) position: vec4f,
  @location(0) world: vec3f,
  @location(1) normal: vec3f,
  @location(2) uv: vec2f,
  @location(3) @interpolate(flat) number: u32,
  @location(4) @interpolate(flat) fade: f32,
  @location(5) paint: vec4f,
};

struct SheetShadow {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(flat) fade: f32,
};

fn point_of(slot: u32, node: u32) -> vec3f {
  return b_points[slot * u_style.count.x + node].xyz;
}

fn sheet_at(number: u32, slot: u32) -> Sheet {
  let vertex = b_vertices[number];
  let instance = b_instances[slot];
  // Smooth normals from the neighbours in the grid; where a tip has no width, any will do.
  let along = point_of(slot, vertex.along.y) - point_of(slot, vertex.along.x);
  let across = point_of(slot, vertex.across.y) - point_of(slot, vertex.across.x);
  let n = cross(across, along);
  let size = length(n);
  var out: Sheet;
  out.world = to_world(instance, point_of(slot, vertex.node));
  out.normal = turned(instance, select(vec3f(0.0, 1.0, 0.0), n / size, size > 1e-12));
  out.uv = vertex.uv;
  out.number = vertex.sheet + instance.id.x * 131u;
  out.fade = instance.turn.w;
  out.paint = painted(instance, b_points[slot * u_style.count.x + vertex.node].w);
  return out;
}

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> Sheet {
  var out = sheet_at(vertex, slot);
  out.position = u_frame.view_proj * vec4f(out.world, 1.0);
  return out;
}

@vertex
fn vs_shadow(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> SheetShadow {
  let sheet = sheet_at(vertex, slot);
  return SheetShadow(u_frame.light_proj * vec4f(sheet.world, 1.0), sheet.fade);
}

@vertex
fn vs_planar(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> SheetShadow {
  let sheet = sheet_at(vertex, slot);
  return SheetShadow(on_ground(sheet.world), sheet.fade);
}

@fragment
fn fs_shadow(in: SheetShadow) {
  if (!kept(in.fade, in.position.xy)) {
    discard;
  }
}

@fragment
fn fs_planar(in: SheetShadow) -> @location(0) vec4f {
  if (!kept(in.fade, in.position.xy)) {
    discard;
  }
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

fn albedo_of(in: Sheet) -> vec3f {
  var natural = blade(in.uv, in.number);
  if (u_style.count.y == 1u) {
    natural = striped(in.uv);
  } else if (u_style.count.y == 2u) {
    natural = bordered(in.uv);
  }
  return mix(natural, in.paint.rgb, in.paint.a);
}

@fragment
fn fs_view(in: Sheet, @builtin(front_facing) front: bool) -> @location(0) vec4f {
  if (!kept(in.fade, in.position.xy)) {
    discard;
  }
  let albedo = albedo_of(in);
  let n = normalize(in.normal) * select(-1.0, 1.0, front);
  let shade = sunlit(in.world, n);
  let toward = dot(n, u_frame.sun.xyz);
  let through = max(-toward, 0.0) * u_style.colour.w;
  let eye = normalize(u_frame.eye.xyz - in.world);
  let shine = 0.06 * pow(max(dot(reflect(-u_frame.sun.xyz, n), eye), 0.0), 24.0);
  let warm = mix(vec3f(1.0), vec3f(1.05, 1.15, 0.5), step(f32(u_style.count.y), 0.5));
  let direct = u_frame.sun_colour.rgb * shade * (albedo * (max(toward, 0.0) + through * warm) + shine);
  return vec4f(hazed(direct + albedo * sky_light(n) * 0.9, in.world), 1.0);
}

// For a portrait of the plant, which is lit later.
@fragment
fn fs_portrait(in: Sheet, @builtin(front_facing) front: bool) -> Portrait {
  let n = normalize(in.normal) * select(-1.0, 1.0, front);
  return Portrait(vec4f(albedo_of(in), 1.0), vec4f(n * 0.5 + 0.5, 1.0));
}
