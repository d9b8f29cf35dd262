// Branches: tubes about the segments that the deform pass has posed, with the bark of their species.
// include "render/wgsl/frame.wgsl"
// include "render/wgsl/noise.wgsl"
// include "render/wgsl/deform.wgsl"
// include "render/wgsl/bark.wgsl"
// include "render/wgsl/wood_elements.wgsl"
// include "render/wgsl/paint.wgsl"
// include "render/wgsl/plant_shading.wgsl"
// include "render/wgsl/light.wgsl"
// include "render/wgsl/cast.wgsl"
// include "render/wgsl/velocity.wgsl"

@group(3) @binding(0) var<storage, read> b_limbs: array<Limb>;
@group(3) @binding(1) var<storage, read> b_limbs_before: array<Limb>;  // in the frame before, in the same order

struct Wood {
  @builtin(position) position: vec4f,
  @location(0) world: vec3f,
  @location(1) normal: vec3f,
  @location(2) bark: vec4f,      // direction around the axis, girths along it; share of the sky that leaves leave to it
  @location(3) cover: vec4f,     // coverage of a twig thinner than a pixel; height above the ground, m; tiles of bark around it; radius, m
  @location(4) paint: vec4f,
  @location(5) before: vec3f,    // see `seen_before`
};

// How thick wood is while two levels share a plant. The coming one grows within the other, which then shrinks within it: there
// is never a gap, nothing is stippled, and twigs that only one of them has come and go by their width.
fn thickness(fade: f32) -> f32 {
  return min(2.0 * abs(fade), 1.0);
}

// A segment as thick as it is drawn.
fn as_drawn(limb: Limb, grown: f32) -> SegmentFrame {
  var frame = limb.frame;
  frame.base.w *= grown * abs(limb.facts.w);
  frame.tip.w *= grown * abs(limb.facts.w);
  return frame;
}

// Height of a pixel where a segment is, in the plant's own frame, m.
fn pixel_at(frame: SegmentFrame, instance: Instance, eye: vec3f) -> f32 {
  return distance(to_world(instance, frame.tip.xyz), eye) * u_frame.viewport.z / instance.place.w;
}

// `toward` is what a band faces: a camera, or the sun. So much of the bark's relief is in the outline, where sides are narrow
// enough to show it.
fn corner_at(limb: Limb, instance: Instance, at: TubeVertex, toward: vec4f, pixel: f32, relief: f32) -> Corner {
  let grown = thickness(instance.turn.w);
  let frame = as_drawn(limb, grown);
  if (is_band()) {
    let away = turned_back(instance, toward.xyz - toward.w * to_world(instance, mix(frame.base.xyz, frame.tip.xyz, at.t)));
    return band_corner(frame, at.t, select(-1.0, 1.0, at.angle > 1.0), away, 0.5 * pixel * grown);
  }
  var corner = tube_corner(frame, at.t, at.angle, 0.5 * pixel * grown);
  if (relief > 0.0 && u_mesh.count.y >= FINE_SIDES) {
    let own = along_tube(limb.frame, at.t);
    let far = bark_height(at.angle, between_ends(frame.foot.x, frame.foot.y, at.t), own, frame.foot.z) * select(1.0, 1.0 - at.t, frame.foot.w >= 1.0);
    corner.point += corner.normal * relief * grown * far;
  }
  return corner;
}

// The same corner in the frame before.
fn corner_before(place: u32, instance: Instance, at: TubeVertex, relief: f32) -> vec3f {
  let limb = b_limbs_before[place];
  let pixel = pixel_at(limb.frame, instance, u_frame.before_eye.xyz);
  let corner = corner_at(limb, instance, at, vec4f(u_frame.before_eye.xyz, 1.0), pixel, relief);
  return seen_before(to_world(instance, corner.point));
}

// Share of the sky that the leaves about it leave to wood at a point of the plant: least in the middle of a crown in leaf.
fn among_leaves(point: vec3f) -> f32 {
  let out = length(point - u_mesh.crown.xyz) / u_mesh.crown.w;
  let leafy = season_size(u_mesh.season, 0u) * f32(u_mesh.count.w > 0u);
  return mix(1.0, mix(0.42, 1.0, smoothstep(0.2, 1.0, out)), leafy);
}

fn wood_at(vertex: u32, slot: u32, toward: vec4f) -> Wood {
  return wood_with_relief(vertex, slot, toward, 0.0);
}

fn wood_with_relief(vertex: u32, slot: u32, toward: vec4f, relief: f32) -> Wood {
  let at = tube_vertex(vertex);
  return wood_of(slot * u_mesh.parts.x + at.segment, at, toward, relief);
}

// The same of the segment at a place among the elements.
fn wood_of(place: u32, at: TubeVertex, toward: vec4f, relief: f32) -> Wood {
  let limb = b_limbs[place];
  let instance = b_instances[bitcast<u32>(limb.facts.z)];
  let frame = limb.frame;
  let own = along_tube(frame, at.t);
  let pixel = pixel_at(frame, instance, u_frame.eye.xyz);
  let corner = corner_at(limb, instance, at, toward, pixel, relief);
  var around = vec2f(cos(at.angle), sin(at.angle));
  if (is_band()) {
    around = vec2f(dot(corner.normal, frame.normal_base.xyz), dot(corner.normal, cross(frame.tangent_base.xyz, frame.normal_base.xyz)));
  }
  var out: Wood;
  if (OVER_TIME) {
    out.before = corner_before(place, instance, at, relief);
  }
  out.world = to_world(instance, corner.point);
  out.normal = turned(instance, corner.normal);
  out.bark = vec4f(around, between_ends(frame.foot.x, frame.foot.y, at.t), among_leaves(corner.point));
  let onward = select(at.t, 0.0, instance.id.y == KINDS);  // strain changes along a segment, its kind does not
  out.paint = painted(instance, mix(limb.facts.x, limb.facts.y, onward));
  out.cover = vec4f(clamp(own.y * abs(limb.facts.w) / (0.5 * pixel), 0.0, 1.0), out.world.y - instance.place.y, times_around(frame.foot.z), own.y);
  return out;
}

fn camera() -> vec4f {
  return vec4f(u_frame.eye.xyz, 1.0);
}

fn sun() -> vec4f {
  return vec4f(u_frame.sun.xyz, 0.0);
}

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> Wood {
  var out = wood_with_relief(vertex, slot, camera(), 1.0);
  out.position = u_frame.view_proj * vec4f(out.world, 1.0);
  return out;
}

@vertex
fn vs_shadow(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> @builtin(position) vec4f {
  return u_frame.light_proj * vec4f(wood_at(vertex, slot, sun()).world, 1.0);
}

@fragment
fn fs_shadow(@builtin(position) position: vec4f) -> @location(0) f32 {
  return cast_depth(position.z);
}

@vertex
fn vs_planar(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> @builtin(position) vec4f {
  return on_ground(wood_at(vertex, slot, sun()).world);
}

@fragment
fn fs_planar() -> @location(0) vec4f {
  return vec4f(1.0);
}

struct Look {
  albedo: vec3f,
  flat_normal: vec3f,
  normal: vec3f,     // of the bark's relief
  open: f32,         // share of the sky that its furrows see
};

fn look_at(in: Wood) -> Look {
  let flat_normal = normalize(in.normal);
  let bark = bark_at(in.bark.xyz, in.world, flat_normal, in.cover);
  return Look(mix(bark.albedo, in.paint.rgb, in.paint.a), flat_normal, bark.normal, bark.open);
}

// Far wood: twigs of a pixel or two, lit at their corners, without their bark's pattern.
struct Twig {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(perspective, centroid) sky: vec3f,     // light of the sky that it gives back, and what the air adds
  @location(1) @interpolate(perspective, centroid) sun: vec3f,     // light of the sun if nothing is in between
  @location(2) shadow: vec3f,  // place in the shadow map
  @location(3) cover: f32,     // coverage
  @location(4) before: vec3f,  // see `seen_before`
};

@vertex
fn vs_twig(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> Twig {
  return twig_of(wood_at(vertex, slot, camera()));
}

fn twig_of(given: Wood) -> Twig {
  var wood = given;
  // Nearer to what is seen of it: the light at the rims of a round twig is not that of its mean.
  wood.normal = normalize(wood.normal + 0.45 * normalize(u_frame.eye.xyz - wood.world));
  let air = air_before(wood.world);
  let albedo = mix(mean_bark(wood.normal, wood.cover), wood.paint.rgb, wood.paint.a) * air.left;
  let low = at_foot(wood.cover.y);
  let beam = sunshine(wood.world);
  let around = sky_light(wood.normal) * wood.bark.w + thrown_by_leaves(beam, 0.5) * (1.0 - wood.bark.w);
  return Twig(
    u_frame.view_proj * vec4f(wood.world, 1.0),
    albedo * around * low + air.added,
    albedo * beam * max(dot(wood.normal, u_frame.sun.xyz), 0.0),
    in_shadow_map(wood.world, wood.normal),
    wood.cover.x,
    wood.before,
  );
}

fn twig_light(in: Twig) -> vec3f {
  return in.sky + in.sun * quickly_lit(in.shadow);
}

@fragment
fn fs_twig(in: Twig) -> Seen {
  if (!is_covered(in.cover, in.position.xy)) {
    discard;
  }
  return Seen(vec4f(twig_light(in), in.cover), velocity_of(in.position, in.before));
}

// Soft shadows fall on thick wood; on thin wood nobody sees their edges.
fn shade_of(world: vec3f, normal: vec3f) -> f32 {
  if (is_band()) {
    return sunlit_quickly(world, normal);
  }
  return sunlit(world, normal);
}

@fragment
fn fs_view(in: Wood) -> Seen {
  let look = look_at(in);
  if (!is_covered(in.cover.x, in.position.xy)) {
    discard;
  }
  let sun = max(dot(look.normal, u_frame.sun.xyz), 0.0) * shade_of(in.world, look.flat_normal) * mix(0.55, 1.0, look.open);
  let beam = sunshine(in.world);
  let around = sky_light(look.normal) * in.bark.w + thrown_by_leaves(beam, 0.5) * (1.0 - in.bark.w);
  let light = beam * sun + around * at_foot(in.cover.y) * look.open;
  return Seen(vec4f(hazed(look.albedo * light, in.world), in.cover.x), velocity_of(in.position, in.before));
}

// For the impostor atlas, which is lit later.
@fragment
fn fs_atlas(in: Wood) -> AtlasTexel {
  let look = look_at(in);
  if (!kept(in.cover.x, in.position.xy)) {
    discard;
  }
  return AtlasTexel(vec4f(look.albedo, 1.0), vec4f(look.normal * 0.5 + 0.5, 0.8 * in.bark.w));
}
