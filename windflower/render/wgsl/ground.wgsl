// The ground: a wide plane, or hills, of grass, soil, sand or snow that receives shadow.
// include "render/wgsl/breeze.wgsl"
// include "render/wgsl/corners.wgsl"
// include "render/wgsl/drift.wgsl"
// include "render/wgsl/land.wgsl"
// include "render/wgsl/light.wgsl"

struct Ground {
  @builtin(position) position: vec4f,
  @location(0) world: vec3f,
};

@group(1) @binding(1) var t_planar: texture_2d<f32>;

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32) -> Ground {
  let corner = vec2f(f32(vertex & 1u), f32(vertex >> 1u)) * 2.0 - 1.0;
  let world = vec3f(corner.x, 0.0, corner.y) * u_ground.colour.w;
  return Ground(u_frame.view_proj * vec4f(world, 1.0), world);
}

const CELLS = 64u;  // along a side of a patch, as in ground.py

// Hills: square patches about the camera, each twice as coarse and as wide as the one before, which it leaves a hole for.
@vertex
fn vs_land(@builtin(vertex_index) vertex: u32, @builtin(instance_index) patch_number: u32) -> Ground {
  let side = u_ground.land.y * exp2(f32(patch_number));
  let quad = vec2i(vec2u(vertex / 6u % CELLS, vertex / 6u / CELLS)) - i32(CELLS / 2u);
  let corner = vec2i(quad_corner(vertex % 6u));
  // A patch moves with the camera by whole cells of the next, so that its points stay where they are.
  let cell = quad + 2 * vec2i(floor(u_frame.eye.xz / (2.0 * side)));
  let hole = vec2i(floor(u_frame.eye.xz / side));
  let quarter = i32(CELLS / 4u);
  if (patch_number > 0u && all(cell >= hole - quarter) && all(cell < hole + quarter)) {
    return Ground(vec4f(0.0, 0.0, -1.0, 1.0), vec3f(0.0));
  }
  // Toward its rim every other point slides onto its neighbour: there it is as coarse as the next patch.
  let point = cell + corner;
  let away = abs(vec2f(point) - u_frame.eye.xz / side);
  let coarse = clamp((max(away.x, away.y) - 20.0) / 9.0, 0.0, 1.0);
  let at = (vec2f(point) - vec2f(point & vec2i(1)) * coarse) * side;
  let world = vec3f(at.x, land_height(at), at.y);
  return Ground(u_frame.view_proj * vec4f(world, 1.0), world);
}

// A network of light under waves.
fn caustics(p: vec2f) -> f32 {
  let a = abs(drifting2(p * 1.7, vec2f(-0.35, -0.1)) - 0.5);
  let b = abs(drifting2(p * 2.3 + 8.0, vec2f(0.21, 0.35)) - 0.5);
  return pow(1.0 - clamp(a + b, 0.0, 1.0), 8.0);
}

@fragment
fn fs_view(in: Ground) -> @location(0) vec4f {
  let p = in.world.xz;
  let pixel = length(fwidth(p));
  // Most of the ground is far: what cannot be seen there is not worked out.
  var rough = vec2f(0.0);
  if (pixel < 0.25) {
    rough = vec2f(noise2(p * 0.9 + 3.0) - 0.5, noise2(p * 0.9 + 40.0) - 0.5) * 0.2 * u_ground.kind.y * (1.0 - smoothstep(0.03, 0.25, pixel));
  }
  let slope = land_slope(p, pixel);
  let steep = smoothstep(0.55, 1.0, length(slope));
  var shine = 1.0;
  if (u_ground.kind.x > 0.0) {
    shine = sheen(lean_in(breeze(p, pixel)), normalize(in.world - u_frame.eye.xyz));
  }
  var albedo = ground_colour(p, pixel, shine);
  if (steep > 0.0) {
    albedo = mix(albedo, bare_ground(p, pixel), steep);
  }
  let n = normalize(vec3f(rough.x - slope.x, 1.0, rough.y - slope.y));
  // Where the shadow map ends, the shade of the whole forest takes over.
  let mapped = in_shadow_map(in.world, normalize(vec3f(-slope.x, 1.0, -slope.y)));
  let beyond = (1.0 - in_map(mapped)) * u_frame.shadow.z;
  var shade = softly_lit(mapped);
  if (beyond > 0.0) {
    shade *= mix(1.0, under_canopy(p, pixel), beyond);
  }
  if (u_frame.shadow.w > 0.5) {
    shade = 1.0 - textureLoad(t_planar, vec2i(in.position.xy), 0).r * u_frame.shadow.z;
  }
  var light = sunshine(in.world) * max(dot(n, u_frame.sun.xyz), 0.0) * shade + sky_light(n) * 0.9;
  if (u_frame.wind.w > 0.5) {
    light *= 0.6 + 1.6 * caustics(p);
  }
  return vec4f(hazed(albedo * light, in.world), 1.0);
}
