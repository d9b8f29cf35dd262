// Data of the ground: what its materials look like unlit, and where it was.
// include "render/wgsl/data.wgsl"
// include "render/wgsl/ground.wgsl"

fn ground_albedo(p: vec2f, ray: vec3f, dx: vec2f, dy: vec2f, pixel: f32, slope: vec2f, away: f32) -> vec3f {
  let patches = patches_at(p, pixel);
  let light = crown_light(p, max(0.6, pixel));
  let foot = nearest_foot(p);
  var ground = covered(p, ray, dx, dy, pixel, patches, foot, light);
  if (u_ground.grass.x > 0.0) {
    let share = grass_share(patches, light, length(slope)) * (1.0 - smoothstep(0.44, 0.485, pond_share(p))) * grown_beside(foot);
    let veil = 1.0 - (1.0 - smoothstep(u_ground.veil.x, u_ground.veil.y, away)) * seen_as_blades(away);
    ground = with_sward(ground, p, pixel, patches, light, 1.0, share * mix(mix(0.85, 0.35, u_ground.veil.z), 1.0, veil));
    let steep = smoothstep(0.6, 1.1, length(slope));
    if (steep > 0.0) {
      ground = blended(ground, material(BARE, p, dx, dy), steep);
    }
  }
  return ground.albedo;
}

@fragment
fn fs_data(in: Ground) -> Data {
  let p = in.world.xz;
  let dx = dpdx(p) * FOOTPRINT;
  let dy = dpdy(p) * FOOTPRINT;
  let pixel = length(abs(dx) + abs(dy));
  let slope = land_slope(p, pixel);
  let toward = u_frame.eye.xyz - in.world;
  var colour = vec3f(0.0);
  if (wants(ALBEDO)) {
    colour = ground_albedo(p, -normalize(toward), dx, dy, pixel, slope, length(toward));
  }
  let n = normalize(vec3f(-slope.x, 1.0, -slope.y));
  return data_of(Fact(in.position, seen_before(in.world), n, toward, colour, 0u, GROUND, 0.0));
}
