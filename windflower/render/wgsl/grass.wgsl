// Blades of grass: curved, tapering strips that lean in the wind; stalks carry a seed head.
// include "render/wgsl/sward.wgsl"

struct Blade {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(perspective, centroid) world: vec3f,
  @location(1) @interpolate(perspective, centroid) normal: vec3f,
  @location(2) @interpolate(perspective, centroid) colour: vec3f,
  @location(3) @interpolate(perspective, centroid) light: vec4f,   // share of the sky; share of the sun; translucency; place across it, -1 to 1
  @location(4) before: vec3f,  // see `seen_before`
};

override ROWS: u32 = 4u;  // segments of a blade

fn is_stalk(grown: Sown) -> bool {
  return floor(grown.colour.w) > 1.5;
}

struct BladeCorner {
  world: vec3f,
  along: vec3f,  // which way the blade runs there
  side: vec3f,
  t: f32,        // along it, 0 to 1
  sign: f32,     // which side
};

// A corner of a blade of so many segments, seen from a camera.
fn corner_of(grown: Sown, corner: u32, rows: u32, eye: vec3f) -> BladeCorner {
  let tall = grown.root.w;
  let row = corner / 2u;
  let stalk = is_stalk(grown);
  // A stalk has most of its rows in its seed head.
  let t = pow(f32(row) / f32(rows), select(1.0, 0.6, stalk));
  // A parabola from the foot over a point above it to the tip: as long however far it bends.
  let far = length(grown.lean.xy);
  let bend = grown.lean.xy * min(1.0, 0.98 / max(far, 1e-3));
  let up = sqrt(max(1.0 - dot(bend, bend), 0.03));
  let droop = grown.air.z * select(0.35 * dot(bend, bend), 0.45 * min(far, 0.7), stalk);  // heads nod
  let tip = vec3f(bend.x, up - droop, bend.y) * tall;
  let knee = vec3f(0.12 * bend.x, mix(0.5, 0.62, up), 0.12 * bend.y) * tall;
  let along = 2.0 * (1.0 - t) * knee + 2.0 * t * (tip - knee);
  let spine = grown.root.xyz + 2.0 * t * (1.0 - t) * knee + t * t * tip;
  // Far blades turn toward the camera, so that none is seen edge-on.
  let ray = grown.root.xyz - eye;
  let facing = normalize(vec2f(-ray.z, ray.x) + vec2f(1e-5, 0.0));
  let yaw = vec2f(cos(grown.lean.z), sin(grown.lean.z));
  let turned = select(-yaw, yaw, dot(yaw, facing) >= 0.0);
  let side2 = normalize(mix(turned, facing, clamp(grown.air.w / 14.0, 0.25, 1.0)));
  let side = vec3f(side2.x, 0.0, side2.y);
  let leaf = 1.0 - pow(t, 2.2);
  let head = smoothstep(0.62, 0.8, t) * 2.6;
  let taper = select(mix(1.0 - t, leaf, 0.7), 1.0 + head, stalk);
  let half = grown.lean.w * taper;
  let sign = select(1.0, -1.0, (corner & 1u) == 1u);
  let world = spine + side * half * select(sign, 0.0, corner == 2u * rows);
  return BladeCorner(world, along, side, t, sign);
}

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32, @builtin(instance_index) tile: u32) -> Blade {
  let corners = 2u * ROWS + 1u;
  let number = tile * u_ground.each.x + vertex / corners;
  if (b_grown[number].root.w <= 0.0) {
    return Blade(vec4f(0.0, 0.0, -1.0, 1.0), vec3f(0.0), vec3f(0.0), vec3f(0.0), vec4f(0.0), vec3f(0.0));
  }
  return blade_corner(number, vertex % corners, ROWS);
}

// A corner of a blade of so many segments.
fn blade_corner(number: u32, corner: u32, rows: u32) -> Blade {
  let grown = b_grown[number];
  let own = fract(grown.colour.w);
  let stalk = is_stalk(grown);
  let at = corner_of(grown, corner, rows, u_frame.eye.xyz);
  let t = at.t;
  let flat_normal = normalize(cross(at.side, at.along));
  var out: Blade;
  out.world = at.world;
  if (OVER_TIME) {
    out.before = seen_before(corner_of(sown_before(number), corner, rows, u_frame.before_eye.xyz).world);
  }
  // Rounded across, and not far from upright: so a sward shades as one surface of many blades.
  let across = at.side * at.sign * 0.45;
  let n = select(-flat_normal, flat_normal, flat_normal.y > 0.0);
  out.normal = normalize(n + across + vec3f(0.0, 0.55, 0.0));
  let withered = mix(vec3f(1.0), vec3f(1.9, 1.25, 0.7), grown.air.y * smoothstep(0.45, 1.0, t));
  let husk = mix(grown.colour.rgb, mix(vec3f(0.17, 0.125, 0.070), vec3f(0.14, 0.085, 0.085), own), select(0.0, smoothstep(0.62, 0.8, t), stalk));
  out.colour = husk * withered * mix(vec3f(0.82, 0.80, 0.60), vec3f(1.0), smoothstep(0.0, 0.35, t));
  // Deep in the sward it is dark, if it is dense; far away one sees its tips only.
  let depth = select(t, 0.3 + 0.7 * t, stalk);
  let dense = u_ground.veil.z;
  let dark = mix(mix(1.0, 0.46, dense), 1.0, smoothstep(0.0, 0.85, depth));
  let seen = mix(dark, 1.0, 0.55 * smoothstep(20.0, 90.0, grown.air.w));
  out.light = vec4f(grown.air.x * seen, mix(mix(0.9, 0.30, dense), 1.0, smoothstep(0.05, 0.75, depth)), 0.85, select(at.sign, 0.0, corner == 2u * rows));
  out.position = u_frame.view_proj * vec4f(out.world, 1.0);
  return out;
}

// Light that a point of a blade sends to the camera.
fn blade_light(in: Blade) -> vec3f {
  let across = abs(in.light.w);
  let albedo = in.colour * (0.86 + 0.22 * smoothstep(0.0, 0.3, across) - 0.10 * across);
  let light = thin_light(in.position.xy, in.world, normalize(in.normal), albedo, in.light.x, in.light.y, in.light.z, 0.05);
  return hazed(light, in.world);
}

@fragment
fn fs_view(in: Blade) -> Seen {
  return Seen(vec4f(blade_light(in), 1.0), velocity_of(in.position, in.before));
}
