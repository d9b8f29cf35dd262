// Herbs: a stem, and ten kites that are petals, leaflets or the leaves of a rosette.
// include "render/wgsl/herb_kinds.wgsl"
// include "render/wgsl/sward.wgsl"

struct Herb {
  @builtin(position) position: vec4f,
  @location(0) @interpolate(perspective, centroid) world: vec3f,
  @location(1) @interpolate(perspective, centroid) normal: vec3f,
  @location(2) @interpolate(perspective, centroid) colour: vec3f,
  @location(3) @interpolate(perspective, centroid) light: vec3f,   // share of the sky; share of the sun; translucency
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

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32, @builtin(instance_index) tile: u32) -> Herb {
  let grown = b_grown[tile * u_ground.each.y + vertex / CORNERS];
  let tall = grown.root.w;
  if (tall <= 0.0) {
    return Herb(vec4f(0.0, 0.0, -1.0, 1.0), vec3f(0.0), vec3f(0.0), vec3f(0.0), vec3f(0.0));
  }
  let corner = vertex % CORNERS;
  let kind = floor(grown.colour.w);
  let own = fract(grown.colour.w);
  let bend = grown.lean.xy;
  let lies = kind == ROSETTE;
  let size = grown.lean.w;
  let top = vec3f(bend.x, sqrt(max(1.0 - dot(bend, bend), 0.05)), bend.y) * tall;
  let knee = vec3f(0.1 * bend.x, 0.55, 0.1 * bend.y) * tall;
  var out: Herb;
  if (corner < STEM) {
    let t = f32(corner / 2u) * 0.5;
    let ray = normalize((grown.root.xyz - u_frame.eye.xyz).zx * vec2f(-1.0, 1.0) + vec2f(1e-5, 0.0));
    let thick = select(0.0013 + 0.00028 * grown.air.w, 0.0, lies);
    out.world = grown.root.xyz + 2.0 * t * (1.0 - t) * knee + t * t * top + vec3f(ray.x, 0.0, ray.y) * thick * select(1.0, -1.0, (corner & 1u) == 1u);
    out.normal = normalize(vec3f(ray.y, 0.6, -ray.x));
    out.colour = u_ground.colour.rgb * 0.9;
    out.light = vec3f(grown.air.x * mix(0.35, 1.0, t), mix(0.3, 1.0, t), 0.3);
  } else {
    let number = (corner - STEM) / 4u;
    let which = (corner - STEM) % 4u;
    let kite = kite_of(kind, number, own, grown.colour.rgb, grown.lean.z);
    let side = cross(kite.way, kite.face);
    // Base, left, right, tip; leaves bend down toward their tips.
    let along = select(select(0.55, 0.0, which == 0u), 1.0, which == 3u) * kite.length;
    let across = select(0.0, select(-1.0, 1.0, which == 1u), which == 1u || which == 2u) * kite.width;
    let sag = select(0.0, -0.45 * kite.length, lies && which == 3u);
    let from_top = (kite.base + kite.way * along + side * across + vec3f(0.0, sag, 0.0)) * size;
    out.world = grown.root.xyz + select(top, vec3f(0.0, 0.01, 0.0), lies) + from_top;
    out.normal = normalize(kite.face + 0.4 * side * sign(across) + vec3f(0.0, 0.3, 0.0));
    out.colour = kite.colour * select(1.0, 0.85, which == 0u);
    let deep = select(1.0, 0.75 + 0.25 * f32(which == 3u), kind >= CLOVER);
    out.light = vec3f(grown.air.x * deep, deep, select(0.35, 0.5, kind >= CLOVER));
  }
  out.position = u_frame.view_proj * vec4f(out.world, 1.0);
  return out;
}

@fragment
fn fs_view(in: Herb) -> @location(0) vec4f {
  let light = thin_light(in.position.xy, in.world, normalize(in.normal), in.colour, in.light.x, in.light.y, in.light.z, 0.02);
  return vec4f(hazed(light, in.world), 1.0);
}
