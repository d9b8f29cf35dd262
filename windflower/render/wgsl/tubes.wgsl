// Branches: tubes about the segments that the deform pass has posed, with the bark of their species.
// include "render/wgsl/frame.wgsl"
// include "render/wgsl/noise.wgsl"
// include "render/wgsl/deform.wgsl"
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
  @location(2) bark: vec4f,      // direction around the axis, metres along it, radius
  @location(3) cover: vec2f,     // coverage of a twig thinner than a pixel; height above the ground
  @location(4) paint: vec4f,
  @location(5) before: vec3f,    // see `seen_before`
};

// How thick wood is while two levels share a plant. The coming one grows within the other, which then shrinks within it: there
// is never a gap, nothing is stippled, and twigs that only one of them has come and go by their width.
fn thickness(fade: f32) -> f32 {
  return min(2.0 * abs(fade), 1.0);
}

// Height of a pixel where a segment is, in the plant's own frame, m.
fn pixel_at(frame: SegmentFrame, instance: Instance, eye: vec3f) -> f32 {
  return distance(to_world(instance, frame.tip.xyz), eye) * u_frame.viewport.z / instance.place.w;
}

// `toward` is what a band faces: a camera, or the sun.
fn corner_at(full: SegmentFrame, instance: Instance, at: TubeVertex, toward: vec4f, pixel: f32) -> Corner {
  var frame = full;
  let grown = thickness(instance.turn.w);
  frame.base.w *= grown;
  frame.tip.w *= grown;
  if (is_band()) {
    let away = turned_back(instance, toward.xyz - toward.w * to_world(instance, mix(frame.base.xyz, frame.tip.xyz, at.t)));
    return band_corner(frame, at.t, select(-1.0, 1.0, at.angle > 1.0), away, 0.5 * pixel * grown);
  }
  return tube_corner(frame, at.t, at.angle, 0.5 * pixel * grown);
}

// The same corner in the frame before.
fn corner_before(place: u32, instance: Instance, at: TubeVertex) -> vec3f {
  let frame = b_limbs_before[place].frame;
  let pixel = pixel_at(frame, instance, u_frame.before_eye.xyz);
  let corner = corner_at(frame, instance, at, vec4f(u_frame.before_eye.xyz, 1.0), pixel);
  return seen_before(to_world(instance, corner.point));
}

fn wood_at(vertex: u32, slot: u32, toward: vec4f) -> Wood {
  let at = tube_vertex(vertex);
  let place = slot * u_mesh.parts.x + at.segment;
  let limb = b_limbs[place];
  let instance = b_instances[bitcast<u32>(limb.facts.z)];
  let frame = limb.frame;
  let own = along_tube(frame, at.t);
  let pixel = pixel_at(frame, instance, u_frame.eye.xyz);
  let corner = corner_at(frame, instance, at, toward, pixel);
  var around = vec2f(cos(at.angle), sin(at.angle));
  if (is_band()) {
    around = vec2f(dot(corner.normal, frame.normal_base.xyz), dot(corner.normal, cross(frame.tangent_base.xyz, frame.normal_base.xyz)));
  }
  var out: Wood;
  if (OVER_TIME) {
    out.before = corner_before(place, instance, at);
  }
  out.world = to_world(instance, corner.point);
  out.normal = turned(instance, corner.normal);
  out.bark = vec4f(around, own);
  let onward = select(at.t, 0.0, instance.id.y == KINDS);  // strain changes along a segment, its kind does not
  out.paint = painted(instance, mix(limb.facts.x, limb.facts.y, onward));
  out.cover = vec2f(clamp(own.y / (0.5 * pixel), 0.0, 1.0), out.world.y - instance.place.y);
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
  var out = wood_at(vertex, slot, camera());
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

struct Bark {
  colour: vec3f,
  height: f32,       // of the relief, m
};

// Deep furrows that run along the stem: oak, walnut, poplar, willow.
fn ridged(p: vec3f, fine: f32) -> Bark {
  let wave = noise3(p * vec3f(7.0, 7.0, 1.3));
  let furrow = abs(2.0 * noise3(p * vec3f(26.0, 26.0, 4.2) + wave * 2.5) - 1.0);
  let grain = noise3(p * vec3f(90.0, 90.0, 22.0));
  let shade = mix(1.0, 0.38 + 0.85 * smoothstep(0.03, 0.45, furrow), fine) * (0.86 + 0.28 * mix(0.5, grain, fine));
  return Bark(u_mesh.bark.rgb * shade * (0.68 + 0.26 * wave), 0.012 * smoothstep(0.0, 0.5, furrow));
}

// Plates with dark joints, rust-red and papery higher up: pine, spruce.
fn plated(p: vec3f, way: f32, fine: f32) -> Bark {
  let cell = p * vec3f(13.0, 13.0, 5.0);
  let joint = abs(noise3(cell + 3.0 * noise3(p * 3.0)) - 0.5);
  let flakes = noise3(p * vec3f(60.0, 60.0, 30.0));
  let plate = mix(0.8, 0.35 + 0.75 * smoothstep(0.0, 0.11, joint), fine);
  let old = mix(u_mesh.bark.rgb, vec3f(0.16, 0.12, 0.09), 0.7 * smoothstep(4.5, 0.5, way));
  return Bark(old * plate * (0.8 + 0.4 * mix(0.5, flakes, fine)), 0.009 * smoothstep(0.0, 0.12, joint));
}

// White with dark bands across, black and cracked at the foot: birch; aspen is the same, greener and calmer.
fn banded(p: vec3f, way: f32, radius: f32, fine: f32) -> Bark {
  let band = noise3(vec3f(p.xy * 5.0, p.z * 26.0));
  let scar = smoothstep(0.70, 0.80, band) * smoothstep(0.25, 0.6, noise3(vec3f(p.xy * 16.0, p.z * 60.0) + 5.0));
  let foot = smoothstep(1.4, 0.1, way) * smoothstep(0.42, 0.62, noise3(p * vec3f(9.0, 9.0, 5.0)));
  let paper = 0.9 + 0.2 * noise3(vec3f(p.xy * 2.0, p.z * 9.0));
  // Twigs of a birch are dark brown.
  let white = mix(vec3f(0.085, 0.055, 0.045), u_mesh.bark.rgb * paper, smoothstep(0.007, 0.02, radius));
  return Bark(mix(white, vec3f(0.035, 0.03, 0.03), clamp(mix(0.3, 0.9, fine) * scar + foot, 0.0, 1.0)), 0.002 * scar);
}

// Rings of old leaf scars: palm, banana, bamboo.
fn ringed(p: vec3f, fine: f32) -> Bark {
  let wobble = 0.35 * noise3(p * 6.0);
  let ring = abs(fract(p.z * 7.0 + wobble) - 0.5) * 2.0;
  let fibres = noise3(p * vec3f(70.0, 70.0, 8.0));
  let shade = mix(0.8, 0.5 + 0.6 * smoothstep(0.0, 0.35, ring), fine) * (0.8 + 0.4 * fibres);
  return Bark(u_mesh.bark.rgb * shade, 0.008 * smoothstep(0.0, 0.4, ring));
}

// Thin and even: hazel, kelp, young wood.
fn smooth_bark(p: vec3f, fine: f32) -> Bark {
  let cloud = noise3(p * vec3f(5.0, 5.0, 3.0));
  let line = smoothstep(0.72, 0.85, noise3(vec3f(p.xy * 12.0, p.z * 80.0)));
  return Bark(u_mesh.bark.rgb * (0.82 + 0.36 * cloud - 0.25 * line * fine), 0.001 * line);
}

fn bark_at(p: vec3f, way: f32, radius: f32, fine: f32) -> Bark {
  if (fine < 0.02 && u_mesh.bark.w != 2.0) {
    return Bark(u_mesh.bark.rgb * 0.78, 0.0);
  }
  switch (u32(u_mesh.bark.w)) {
    case 0u: { return ridged(p, fine); }
    case 1u: { return plated(p, way, fine); }
    case 2u: { return banded(p, way, radius, fine); }
    case 3u: { return ringed(p, fine); }
    default: { return smooth_bark(p, fine); }
  }
}

// Tilt a normal by the slope of a relief that only the fragment knows (Mikkelsen 2010).
fn bumped(world: vec3f, n: vec3f, height: f32) -> vec3f {
  let dx = dpdx(world);
  let dy = dpdy(world);
  let across = cross(dy, n);
  let along = cross(n, dx);
  let area = dot(dx, across);
  let slope = (across * dpdx(height) + along * dpdy(height)) * sign(area);
  return normalize(max(abs(area), 1e-12) * n - slope);
}

struct Look {
  albedo: vec3f,
  flat_normal: vec3f,
  normal: vec3f,     // of the bark's relief
};

fn look_at(in: Wood) -> Look {
  let p = vec3f(in.bark.xy * in.bark.w, in.bark.z);
  // Detail smaller than a pixel only flickers: leave it out there.
  let fine = 1.0 - smoothstep(0.012, 0.07, length(fwidth(in.world)));
  let bark = bark_at(p, in.cover.y, in.bark.w, fine);
  let flat_normal = normalize(in.normal);
  let shady = 0.5 + 0.5 * flat_normal.z * -1.0;
  let moss = u_mesh.style.x * smoothstep(1.6, 0.1, in.cover.y + 0.6 * noise3(p * 9.0)) * (0.35 + 0.65 * shady);
  let albedo = mix(bark.colour, vec3f(0.055, 0.095, 0.02), clamp(moss, 0.0, 0.85));
  return Look(mix(albedo, in.paint.rgb, in.paint.a), flat_normal, bumped(in.world, flat_normal, bark.height * fine));
}

// Far wood: twigs of a pixel or two, lit at their corners, without their bark's pattern.
struct Twig {
  @builtin(position) position: vec4f,
  @location(0) sky: vec3f,     // light of the sky that it gives back, and what the air adds
  @location(1) sun: vec3f,     // light of the sun if nothing is in between
  @location(2) shadow: vec3f,  // place in the shadow map
  @location(3) cover: f32,     // coverage
  @location(4) before: vec3f,  // see `seen_before`
};

// Mean colour of bark: that of `bark_at` where no detail can be seen.
fn mean_bark(wood: Wood) -> vec3f {
  let young = mix(vec3f(0.085, 0.055, 0.045), 0.97 * u_mesh.bark.rgb, smoothstep(0.007, 0.02, wood.bark.w));
  let plain = select(u_mesh.bark.rgb * 0.78, young, u_mesh.bark.w == 2.0);
  let shady = 0.5 - 0.5 * wood.normal.z;
  let moss = u_mesh.style.x * smoothstep(1.6, 0.1, wood.cover.y + 0.3) * (0.35 + 0.65 * shady);
  return mix(mix(plain, vec3f(0.055, 0.095, 0.02), clamp(moss, 0.0, 0.85)), wood.paint.rgb, wood.paint.a);
}

@vertex
fn vs_twig(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> Twig {
  var wood = wood_at(vertex, slot, camera());
  // Nearer to what is seen of it: the light at the rims of a round twig is not that of its mean.
  wood.normal = normalize(wood.normal + 0.45 * normalize(u_frame.eye.xyz - wood.world));
  let air = air_before(wood.world);
  let albedo = mean_bark(wood) * air.left;
  let low = 0.55 + 0.45 * smoothstep(0.0, 0.5, wood.cover.y);
  return Twig(
    u_frame.view_proj * vec4f(wood.world, 1.0),
    albedo * sky_light(wood.normal) * low + air.added,
    albedo * sunshine(wood.world) * max(dot(wood.normal, u_frame.sun.xyz), 0.0),
    in_shadow_map(wood.world, wood.normal),
    wood.cover.x,
    wood.before,
  );
}

@fragment
fn fs_twig(in: Twig) -> Seen {
  if (!is_covered(in.cover, in.position.xy)) {
    discard;
  }
  return Seen(vec4f(in.sky + in.sun * quickly_lit(in.shadow), in.cover), velocity_of(in.position, in.before));
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
  let sun = max(dot(look.normal, u_frame.sun.xyz), 0.0) * shade_of(in.world, look.flat_normal);
  let low = 0.55 + 0.45 * smoothstep(0.0, 0.5, in.cover.y);
  let light = sunshine(in.world) * sun + sky_light(look.normal) * low;
  return Seen(vec4f(hazed(look.albedo * light, in.world), in.cover.x), velocity_of(in.position, in.before));
}

// For the impostor atlas, which is lit later.
@fragment
fn fs_atlas(in: Wood) -> AtlasTexel {
  let look = look_at(in);
  if (!kept(in.cover.x, in.position.xy)) {
    discard;
  }
  return AtlasTexel(vec4f(look.albedo, 1.0), vec4f(look.normal * 0.5 + 0.5, 0.8));
}
