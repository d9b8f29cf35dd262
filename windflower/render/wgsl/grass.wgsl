// Blades of grass near the camera, bending in the same wind. Each is one triangle; where they stand is hashed.
// include "render/wgsl/breeze.wgsl"
// include "render/wgsl/drift.wgsl"
// include "render/wgsl/land.wgsl"
// include "render/wgsl/light.wgsl"

struct Blade {
  @builtin(position) position: vec4f,
  @location(0) world: vec3f,
  @location(1) colour: vec3f,
  @location(2) tip: f32,       // 0 deep between the blades, 1 at their tips
};

const ROW = 200u;          // blades along a side of a carpet

// Four carpets, one around the other, each coarser: near blades, then tufts.
@vertex
fn vs_view(@builtin(vertex_index) vertex: u32, @builtin(instance_index) carpet: u32) -> Blade {
  let number = vertex / 3u;
  let corner = vertex % 3u;
  let coarse = pow(2.6, f32(carpet));
  let pitch = 0.042 * coarse;     // m between blades
  // The carpet moves with the camera in whole cells, so a blade stays where it is.
  let ahead = u_frame.eye.xz - vec2f(f32(ROW) * pitch * 0.5);
  let cell = floor(ahead / pitch) + vec2f(f32(number % ROW), f32(number / ROW));
  let jitter = vec2f(lattice2(cell), lattice2(cell + 19.0));
  let foot = (cell + jitter) * pitch;
  let root = vec3f(foot.x, land_height(foot), foot.y);
  let far = distance(root, u_frame.eye.xyz);
  let reach = far / (f32(ROW) * pitch);
  let rim = (1.0 - smoothstep(0.30, 0.48, reach)) * select(smoothstep(0.11, 0.17, reach), 1.0, carpet == 0u);
  let tall = u_ground.kind.w * (0.35 + 0.8 * lattice2(cell + 41.0)) * rim * pow(coarse, 0.12) * (1.0 - bare_share(foot)) * u_ground.kind.x * (1.0 - smoothstep(0.40, 0.47, pond_share(foot)));
  // Gusts run over the meadow as lighter waves.
  let air = breeze(foot, 0.0);
  let lean = lean_in(air);
  let speed = length(air);
  let tremble = 0.05 * speed / (speed + 3.0) * sin(u_frame.clock.x * looped(7.0 + 5.0 * jitter.x) + 40.0 * jitter.y);
  let turn = 6.2832 * lattice2(cell + 67.0);
  let side = vec2f(cos(turn), sin(turn)) * (0.0032 * pow(coarse, 0.7) + 0.0009 * far) * (0.7 + 0.6 * jitter.y);
  let rest = vec2f(cos(turn * 3.0), sin(turn * 3.0)) * 0.35;
  let bend = lean + rest + tremble;
  let tip = vec3f(bend.x, sqrt(max(1.0 - dot(bend, bend) * 0.6, 0.1)), bend.y) * tall;
  var out: Blade;
  out.world = root + select(select(vec3f(side.x, 0.0, side.y), -vec3f(side.x, 0.0, side.y), corner == 1u), tip, corner == 2u);
  out.tip = select(0.25 * f32(carpet), 1.0, corner == 2u);  // far tufts are dark at the foot only where one sees it
  // Far blades stand for many, and are as light as the ground between them.
  out.colour = meadow(foot, 0.0) * (0.75 + 0.5 * jitter.x) * (1.0 - 0.09 * f32(carpet)) * sheen(lean, (root - u_frame.eye.xyz) / far);
  out.position = u_frame.view_proj * vec4f(out.world, 1.0);
  if (tall < 0.01) {
    out.position = vec4f(0.0, 0.0, -1.0, 1.0);
  }
  return out;
}

@fragment
fn fs_view(in: Blade) -> @location(0) vec4f {
  let shade = sunlit_quickly(in.world, vec3f(0.0, 1.0, 0.0));
  let up = vec3f(0.0, 1.0, 0.0);
  let deep = mix(0.68, 1.0, in.tip);
  let light = sunshine(in.world) * shade * (max(u_frame.sun.y, 0.0) * 0.8 + 0.15) + sky_light(up) * 0.9;
  return vec4f(hazed(in.colour * deep * light, in.world), 1.0);
}
