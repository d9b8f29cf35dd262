// Dead leaves, curled and folded along their mid-rib, and twigs.
// include "render/wgsl/land.wgsl"
// include "render/wgsl/sward.wgsl"

struct Leaf {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(perspective, centroid) world: vec3f,
  @location(1) @interpolate(perspective, centroid) normal: vec3f,
  @location(2) @interpolate(perspective, centroid) colour: vec3f,
  @location(3) @interpolate(perspective, centroid) open: f32,
};

const CORNERS = 12u;  // four rows of left, middle and right; as in sward.py

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32, @builtin(instance_index) tile: u32) -> Leaf {
  let grown = b_grown[tile * u_ground.each.z + vertex / CORNERS];
  let size = grown.root.w;
  if (size <= 0.0) {
    return Leaf(vec4f(0.0, 0.0, -1.0, 1.0), vec3f(0.0), vec3f(0.0), vec3f(0.0), 0.0);
  }
  let corner = vertex % CORNERS;
  let t = f32(corner / 3u) / 3.0;
  let across = f32(corner % 3u) - 1.0;
  let twig = grown.colour.w >= 1.0;
  let outline = select(select(0.05, 1.0, t > 0.0 && t < 1.0) * select(1.0, 0.75, t > 0.5), 1.0, twig);
  let curl = select(grown.lean.x, 0.12 * grown.lean.x, twig);
  let fold = select(0.9 * grown.lean.y, -0.9, twig);
  let s = t - 0.5;
  let way = vec3f(cos(grown.lean.z), 0.0, sin(grown.lean.z));
  let side = vec3f(-way.z, 0.0, way.x);
  let slope = land_slope(grown.root.xz, 0.3);
  let bent = select(0.0, 0.10 * sin(9.0 * t + 20.0 * grown.lean.x), twig) * size;
  let wide = grown.lean.w * outline;
  let lift = 1.6 * curl * s * s * size + fold * abs(across) * wide;
  let flat_place = way * s * size + side * (across * wide + bent);
  var out: Leaf;
  out.world = grown.root.xyz + flat_place + vec3f(0.0, max(lift, 0.0) + dot(slope, flat_place.xz), 0.0);
  out.normal = normalize(vec3f(0.0, 1.0, 0.0) - way * 3.2 * curl * s - side * fold * across - vec3f(slope.x, 0.0, slope.y));
  let rib = select(1.0, 1.18, across == 0.0);
  out.colour = grown.colour.rgb * rib;
  out.open = grown.air.x;
  out.position = u_frame.view_proj * vec4f(out.world, 1.0);
  return out;
}

@fragment
fn fs_view(in: Leaf) -> Seen {
  let light = thin_light(in.position.xy, in.world, normalize(in.normal), in.colour, in.open, 1.0, 0.15, 0.03);
  return Seen(vec4f(hazed(light, in.world), 1.0), velocity_of(in.position, seen_before(in.world)));
}
