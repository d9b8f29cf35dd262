// Data of branches.
// include "render/wgsl/data.wgsl"
// include "render/wgsl/tubes.wgsl"

struct WoodPoint {
  @builtin(position) position: vec4f,
  @location(0) world: vec3f,
  @location(1) normal: vec3f,
  @location(2) bark: vec3f,   // as in `Wood`
  @location(3) cover: vec4f,  // as in `Wood`
  @location(4) other: vec3f,
  @location(5) strain: f32,
  @location(6) @interpolate(flat) label: u32,
};

// A segment as thick as it is: nothing is widened, neither to a pixel nor for what is not drawn.
fn as_it_is(limb: Limb) -> Limb {
  return Limb(limb.frame, vec4f(limb.facts.xyz, 1.0));
}

@vertex
fn vs_data(@builtin(vertex_index) vertex: u32, @builtin(instance_index) slot: u32) -> WoodPoint {
  let at = tube_vertex(vertex);
  let place = slot * u_mesh.parts.x + at.segment;
  let limb = b_limbs[place];
  let instance = b_instances[bitcast<u32>(limb.facts.z)];
  let frame = limb.frame;
  let corner = corner_at(as_it_is(limb), instance, at, camera(), 0.0, 1.0);
  var around = vec2f(cos(at.angle), sin(at.angle));
  if (is_band()) {
    around = vec2f(dot(corner.normal, frame.normal_base.xyz), dot(corner.normal, cross(frame.tangent_base.xyz, frame.normal_base.xyz)));
  }
  let world = to_world(instance, corner.point);
  let then = corner_at(as_it_is(b_limbs_before[place]), instance, at, vec4f(u_frame.before_eye.xyz, 1.0), 0.0, 1.0);
  return WoodPoint(
    u_frame.view_proj * vec4f(world, 1.0),
    world,
    turned(instance, corner.normal),
    vec3f(around, between_ends(frame.foot.x, frame.foot.y, at.t)),
    vec4f(1.0, world.y - instance.place.y, times_around(frame.foot.z), along_tube(frame, at.t).y),
    seen_before(to_world(instance, then.point)),
    mix(limb.facts.x, limb.facts.y, at.t),
    instance.id.z,
  );
}

@fragment
fn fs_data(in: WoodPoint) -> Data {
  let n = normalize(in.normal);
  var colour = vec3f(0.0);
  if (wants(ALBEDO)) {
    colour = bark_at(in.bark, in.world, n, in.cover).albedo;
  }
  return data_of(Fact(in.position, in.other, n, u_frame.eye.xyz - in.world, colour, in.label, WOOD, in.strain));
}
