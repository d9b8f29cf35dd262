// Light of the ground where a view pass has marked it.
// include "render/wgsl/marked.wgsl"
// include "render/wgsl/ground.wgsl"

const LEAST = 0.002;  // cosine between ray and ground below which pixels reach no farther

fn in_world(at: vec2f, depth: f32) -> vec3f {
  let p = u_frame.inverse_view_proj * vec4f(at, depth, 1.0);
  return p.xyz / p.w;
}

// How far a place on the ground moves when its ray is turned: the ground about it is a plane.
fn moved(world: vec3f, ray: vec3f, beside: vec3f, normal: vec3f) -> vec2f {
  let turn = beside - ray;
  let down = min(dot(normal, ray), -LEAST);
  return (distance(world, u_frame.eye.xyz) * (turn - ray * dot(normal, turn) / down)).xz;
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (!is_in_picture(id.xy)) {
    return;
  }
  let depth = textureLoad(t_depth, id.xy, 0);
  if (depth == 0.0 || textureLoad(t_marked, id.xy, 0).w >= 0.0) {
    return;
  }
  let at = place_in_picture(id.xy);
  let step = 2.0 / vec2f(textureDimensions(t_found));
  let world = in_world(at, depth);
  let eye = u_frame.eye.xyz;
  let ray = normalize(world - eye);
  let slope = land_slope(world.xz, distance(world, eye) * u_frame.viewport.z);
  let normal = normalize(vec3f(-slope.x, 1.0, -slope.y));
  let dx = moved(world, ray, normalize(in_world(at + vec2f(step.x, 0.0), depth) - eye), normal);
  let dy = moved(world, ray, normalize(in_world(at - vec2f(0.0, step.y), depth) - eye), normal);
  textureStore(t_found, id.xy, vec4f(ground_light(world, dx, dy, vec2i(id.xy)), 1.0));
}
