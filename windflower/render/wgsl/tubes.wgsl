// Branches: tubes built from the posed nodes.
// include "frame.wgsl"
// include "deform.wgsl"

struct Wood {
  @builtin(position) position: vec4f,
  @location(0) world: vec3f,
  @location(1) normal: vec3f,
  @location(2) bark: vec4f,      // direction around the axis, metres along it
  @location(3) cover: vec2f,     // coverage of a twig thinner than a pixel; height above the ground
};

fn segment_of(vertex: u32) -> vec3u {
  let ring = u_mesh.count.y;
  let per_segment = ring * (u_mesh.count.z + 1u);
  let rest = vertex % per_segment;
  return vec3u(vertex / per_segment, rest / ring, rest % ring);
}

fn wood_at(vertex: u32, slot: u32) -> Wood {
  let address = segment_of(vertex);
  let segment = b_segments[address.x];
  let instance = b_instances[slot];
  let t = f32(address.y) / f32(u_mesh.count.z);
  let angle = 6.2831853 * f32(address.z) / f32(u_mesh.count.y);
  let own = mix(segment.tangent_a.w, segment.tangent_b.w, t);
  let middle = to_world(instance, point_of(slot, segment.node.z));
  let pixel = distance(middle, u_frame.eye.xyz) * u_frame.viewport.z / instance.place.w;
  let surface = tube_point(slot, segment, t, angle, 0.5 * pixel);
  var out: Wood;
  out.world = to_world(instance, surface.world);
  out.normal = turned(instance, surface.normal);
  let way = mix(segment.normal_a.w, segment.normal_b.w, t);
  out.bark = vec4f(cos(angle), sin(angle), way, own);
  out.cover = vec2f(clamp(own / (0.5 * pixel), 0.0, 1.0), out.world.y - instance.place.y);
  return out;
}

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> Wood {
  var out = wood_at(vertex, slot);
  out.position = u_frame.view_proj * vec4f(out.world, 1.0);
  return out;
}

@vertex
fn vs_shadow(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> @builtin(position) vec4f {
  return u_frame.light_proj * vec4f(wood_at(vertex, slot).world, 1.0);
}

fn noise(p: vec3f) -> f32 {
  let cell = floor(p);
  let f = fract(p);
  let w = f * f * (3.0 - 2.0 * f);
  var total = 0.0;
  for (var k = 0u; k < 8u; k++) {
    let corner = vec3f(f32(k & 1u), f32((k >> 1u) & 1u), f32(k >> 2u));
    let at = vec3i(cell + corner);
    let value = hash(u32(at.x * 73856093) ^ u32(at.y * 19349663) ^ u32(at.z * 83492791));
    let weight = mix(1.0 - w, w, corner);
    total += value * weight.x * weight.y * weight.z;
  }
  return total;
}

@fragment
fn fs_view(in: Wood) -> @location(0) vec4f {
  let n = normalize(in.normal);
  let ridges = noise(vec3f(in.bark.xy * 9.0, in.bark.z * 2.5)) * 0.6 + noise(vec3f(in.bark.xy * 23.0, in.bark.z * 9.0)) * 0.4;
  let albedo = u_mesh.bark.rgb * (0.55 + 0.9 * ridges);
  let sun = max(dot(n, u_frame.sun.xyz), 0.0) * sunlit(in.world, n);
  let light = u_frame.sun_colour.rgb * sun + sky_light(n);
  return vec4f(hazed(albedo * light, in.world), in.cover.x);
}
