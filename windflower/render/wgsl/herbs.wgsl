// Herbs: a stem, and ten kites that are petals, leaflets or the leaves of a rosette.
// include "render/wgsl/herb_kinds.wgsl"
// include "render/wgsl/sward.wgsl"

struct Herb {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(perspective, centroid) world: vec3f,
  @location(1) @interpolate(perspective, centroid) normal: vec3f,
  @location(2) @interpolate(perspective, centroid) colour: vec3f,
  @location(3) @interpolate(perspective, centroid) light: vec3f,   // share of the sky; share of the sun; translucency
  @location(4) before: vec3f,  // see `seen_before`
};

const STEM = 6u;         // vertices of the stem
const KITES = 10u;
const CORNERS = 46u;     // as in sward.py

// A petal or a leaf: where it begins, where it points to, which way its face looks, and its measures in petals.
struct Kite {
  base: vec3f,
  way: vec3f,
  face: vec3f,
  length: f32,
  width: f32,
  colour: vec3f,
};

fn around(turn: f32, pitch: f32) -> vec3f {
  return vec3f(cos(turn) * cos(pitch), sin(pitch), sin(turn) * cos(pitch));
}

fn petal(turn: f32, pitch: f32, length: f32, width: f32, colour: vec3f) -> Kite {
  return Kite(vec3f(0.0), around(turn, pitch), around(turn, pitch + 1.5708), length, width, colour);
}

const HIDDEN = Kite(vec3f(0.0), vec3f(0.0, 1.0, 0.0), vec3f(1.0, 0.0, 0.0), 0.0, 0.0, vec3f(0.0));

// The heart of a flower: two kites, crossed.
fn heart(number: u32, size: f32, colour: vec3f) -> Kite {
  let turn = f32(number) * 1.5708;
  let way = around(turn, 0.0);
  return Kite(vec3f(0.0, 0.12, 0.0) - way * size, way, vec3f(0.0, 1.0, 0.0), 2.0 * size, 1.1 * size, colour);
}

fn kite_of(kind: f32, k: u32, own: f32, colour: vec3f, turn: f32) -> Kite {
  let step = f32(k);
  let yellow = vec3f(0.72, 0.42, 0.02);
  switch (u32(kind)) {
    case 0u: { // daisy
      if (k > 7u) { return heart(k, 0.42, yellow); }
      return petal(turn + step * 0.7854, 0.12 + 0.25 * own, 1.0, 0.40, colour);
    }
    case 1u: { // buttercup
      if (k > 7u) { return heart(k, 0.25, yellow * 0.9); }
      if (k > 4u) { return HIDDEN; }
      return petal(turn + step * 1.2566, 0.55, 1.0, 0.62, colour);
    }
    case 2u: { // knapweed: a green knob under a tuft
      if (k > 7u) { return heart(k, 0.30, colour * 0.6); }
      return petal(turn + step * 0.7854, select(0.35, 0.95, (k & 1u) == 0u), 1.0, 0.24, colour);
    }
    case 3u: { // a head of clover: a ball
      let pitch = select(select(1.1, 0.45, k < 7u), -0.1, k < 3u);
      return petal(turn + step * 2.1, pitch, 0.85, 0.45, colour * mix(1.0, 0.75, f32(k & 1u)));
    }
    case 4u: { // cornflower
      if (k > 7u) { return heart(k, 0.28, vec3f(0.10, 0.02, 0.22)); }
      return petal(turn + step * 0.7854, select(0.25, 0.65, (k & 1u) == 0u), 1.0, 0.42, colour);
    }
    case 5u: { // three leaves of clover, of three leaflets each
      if (k > 8u) { return HIDDEN; }
      let leaf = floor(step / 3.0);
      var leaflet = petal(turn + step * 2.0944 + leaf, 0.15 + 0.2 * own, 1.0, 0.85, colour * (0.8 + 0.2 * leaf));
      let out = around(turn + leaf * 2.4, 0.0);
      leaflet.base = out * 1.7 * min(leaf + 0.4, 1.6) - vec3f(0.0, 0.6 * leaf, 0.0);
      return leaflet;
    }
    default: { // rosette
      if (k > 7u) { return HIDDEN; }
      var leaf = petal(turn + step * 2.4, 0.30 + 0.5 * fract(own * 7.0 + step * 0.37), 0.7 + 0.3 * fract(own * 13.0 + step * 0.61), 0.17, colour * (0.75 + 0.4 * fract(step * 0.43)));
      return leaf;
    }
  }
}

// A corner of a petal or leaf, from where these begin, in petals: base, left, right, tip; leaves bend down toward their tips.
fn from_top(kite: Kite, which: u32, lies: bool) -> vec3f {
  let side = cross(kite.way, kite.face);
  let along = select(select(0.55, 0.0, which == 0u), 1.0, which == 3u) * kite.length;
  let sag = select(0.0, -0.45 * kite.length, lies && which == 3u);
  return kite.base + kite.way * along + side * across(which) * kite.width + vec3f(0.0, sag, 0.0);
}

fn across(which: u32) -> f32 {
  return select(0.0, select(-1.0, 1.0, which == 1u), which == 1u || which == 2u);
}

// Across the stem, as the camera sees it, on the level.
fn aside(grown: Sown, eye: vec3f) -> vec2f {
  return normalize((grown.root.xyz - eye).zx * vec2f(-1.0, 1.0) + vec2f(1e-5, 0.0));
}

// A corner of a herb, seen from a camera.
fn corner_of(grown: Sown, corner: u32, kite: Kite, eye: vec3f) -> vec3f {
  let tall = grown.root.w;
  let bend = grown.lean.xy;
  let lies = floor(grown.colour.w) == ROSETTE;
  let top = vec3f(bend.x, sqrt(max(1.0 - dot(bend, bend), 0.05)), bend.y) * tall;
  if (corner < STEM) {
    let t = f32(corner / 2u) * 0.5;
    let knee = vec3f(0.1 * bend.x, 0.55, 0.1 * bend.y) * tall;
    let ray = aside(grown, eye);
    let thick = select(0.0013 + 0.00028 * grown.air.w, 0.0, lies);
    return grown.root.xyz + 2.0 * t * (1.0 - t) * knee + t * t * top + vec3f(ray.x, 0.0, ray.y) * thick * select(1.0, -1.0, (corner & 1u) == 1u);
  }
  return grown.root.xyz + select(top, vec3f(0.0, 0.01, 0.0), lies) + from_top(kite, (corner - STEM) % 4u, lies) * grown.lean.w;
}

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32, @builtin(instance_index) tile: u32) -> Herb {
  let own_number = tile * u_ground.each.y + vertex / CORNERS;
  let grown = b_grown[own_number];
  if (grown.root.w <= 0.0) {
    return Herb(vec4f(0.0, 0.0, -1.0, 1.0), vec3f(0.0), vec3f(0.0), vec3f(0.0), vec3f(0.0), vec3f(0.0));
  }
  let corner = vertex % CORNERS;
  let kind = floor(grown.colour.w);
  let own = fract(grown.colour.w);
  let kite = kite_of(kind, (max(corner, STEM) - STEM) / 4u, own, grown.colour.rgb, grown.lean.z);
  var out: Herb;
  out.world = corner_of(grown, corner, kite, u_frame.eye.xyz);
  if (OVER_TIME) {
    out.before = seen_before(corner_of(sown_before(own_number), corner, kite, u_frame.before_eye.xyz));
  }
  if (corner < STEM) {
    let t = f32(corner / 2u) * 0.5;
    let ray = aside(grown, u_frame.eye.xyz);
    out.normal = normalize(vec3f(ray.y, 0.6, -ray.x));
    out.colour = u_ground.colour.rgb * 0.9;
    out.light = vec3f(grown.air.x * mix(0.35, 1.0, t), mix(0.3, 1.0, t), 0.3);
  } else {
    let which = (corner - STEM) % 4u;
    out.normal = normalize(kite.face + 0.4 * cross(kite.way, kite.face) * sign(across(which) * kite.width) + vec3f(0.0, 0.3, 0.0));
    out.colour = kite.colour * select(1.0, 0.85, which == 0u);
    let deep = select(1.0, 0.75 + 0.25 * f32(which == 3u), kind >= CLOVER);
    out.light = vec3f(grown.air.x * deep, deep, select(0.35, 0.5, kind >= CLOVER));
  }
  out.position = u_frame.view_proj * vec4f(out.world, 1.0);
  return out;
}

@fragment
fn fs_view(in: Herb) -> Seen {
  let light = thin_light(in.position.xy, in.world, normalize(in.normal), in.colour, in.light.x, in.light.y, in.light.z, 0.02);
  return Seen(vec4f(hazed(light, in.world), 1.0), velocity_of(in.position, in.before));
}
