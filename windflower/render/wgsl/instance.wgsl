// The instances of a stand that a block draws: where each is, and how much of it is shown.
// include "core/yaw.wgsl"
// include "render/wgsl/frame.wgsl"
// include "render/wgsl/stipple.wgsl"

struct Instance {
  place: vec4f,      // foot in the world; w: scale
  turn: vec4f,       // cos and sin of yaw; a random number; fade of this level, see `kept`
  id: vec4u,         // its number in the stand; how it is painted, see paint.wgsl; its label in data views, if it is not painted; which leaves: all, hanging, fallen
};

@group(1) @binding(0) var<storage, read> b_points: array<vec4f>;     // slots x nodes, in the plant's own frame; w: strain
@group(1) @binding(1) var<storage, read> b_instances: array<Instance>;
@group(1) @binding(2) var<storage, read> b_air: array<vec4f>;        // wind at each plant of the stand, m/s
@group(1) @binding(3) var<storage, read> b_cards: array<vec4f>;      // plants x leaves x 2, if leaves may fall: see shed.wgsl

fn to_world(instance: Instance, p: vec3f) -> vec3f {
  return turned(instance, p) * instance.place.w + instance.place.xyz;
}

fn turned(instance: Instance, v: vec3f) -> vec3f {
  return turned_to_world(instance.turn.xy, v);
}

// A vector of the world as the plant sees it: turned, not scaled.
fn turned_back(instance: Instance, v: vec3f) -> vec3f {
  return turned_to_plant(instance.turn.xy, v);
}

// The rotation of `turned_back`, a quaternion.
fn yaw_back(instance: Instance) -> vec4f {
  let c = instance.turn.x;
  let s = instance.turn.y;
  let half = normalize(select(vec2f(s, 1.0 - c), vec2f(1.0 + c, s), c > 0.0));
  return vec4f(0.0, -half.y, 0.0, half.x);
}

// The rotation of `turned`, a quaternion.
fn yaw_of(instance: Instance) -> vec4f {
  let back = yaw_back(instance);
  return vec4f(-back.xyz, back.w);
}

// A point of the world in the plant's own frame.
fn from_world(instance: Instance, p: vec3f) -> vec3f {
  return turned_back(instance, (p - instance.place.xyz) / instance.place.w);
}

// Where a point's shadow falls on the level ground, in the picture.
fn on_ground(world: vec3f) -> vec4f {
  let fallen = world - u_frame.sun.xyz * (world.y / max(u_frame.sun.y, 0.02));
  return u_frame.view_proj * vec4f(fallen.x, 0.0, fallen.z, 1.0);
}

// Whether a level shows what looks alike at both while two levels share a plant: the one that has more of it. A fade from
// 0 to 1 is the share of the finer one, from 0 to -1 that of the coarser one.
fn has_more(fade: f32) -> bool {
  return select(fade <= -0.5, fade > 0.5, fade > 0.0);
}

// Whether a pixel of a picture that is averaged later belongs to what covers it by this share.
fn kept(share: f32, pixel: vec2f) -> bool {
  return share > threshold(pixel);
}
