// Data views: facts about the surface that a pixel's middle shows, in place of its light.
//
// A fragment shader fills a `Fact`; each kind of data is a function of it, numbered as SOURCES in passes/data_pipelines.py.
// Pixels have one sample, in their middle, and nothing is stippled: what is there, is there as a whole.
// include "render/wgsl/footprint.wgsl"
// include "render/wgsl/velocity.wgsl"

override FIRST: u32 = 0u;   // data of the first target, and of the second
override SECOND: u32 = 1u;

const LABELS = 0u;
const MOTION = 1u;
const NORMAL = 2u;
const ALBEDO = 3u;

// Parts, as PARTS in passes/registry.py.
const SKY = 0u;
const GROUND = 1u;
const WOOD = 2u;
const LEAF = 3u;
const GRASS = 4u;
const WATER = 5u;
const SHEET = 6u;

struct Fact {
  position: vec4f,  // of the fragment
  other: vec3f,     // where it is in the picture of the other time: see `seen_before`
  normal: vec3f,    // unit vector in the world, on either side
  toward: vec3f,    // from the surface to the camera
  albedo: vec3f,
  label: u32,       // of the plant, 0 for none
  part: u32,
  strain: f32,
};

struct Data {
  @location(0) first: vec4f,
  @location(1) second: vec4f,
};

fn wants(what: u32) -> bool {
  return FIRST == what || SECOND == what;
}

// Label, part, strain, and the distance along the camera's axis, m; 0 for the sky.
fn labels(f: Fact) -> vec4f {
  return vec4f(f32(f.label), f32(f.part), f.strain, select(1.0 / f.position.w, 0.0, f.part == SKY));
}

// Pixels to where it is at the other time, and how far it is from the camera then, m.
fn motion(f: Fact) -> vec4f {
  let at = (f.other.xy / max(f.other.z, 1e-3) * vec2f(0.5, -0.5) + 0.5) * u_frame.viewport.xy;
  return vec4f(clamp(at - f.position.xy, vec2f(-1e5), vec2f(1e5)), select(f.other.z, 0.0, f.part == SKY), 0.0);
}

// The side that is seen.
fn facing(f: Fact) -> vec4f {
  return vec4f(select(-f.normal, f.normal, dot(f.normal, f.toward) > 0.0), 0.0);
}

// Colour, and which part of which plant it is of: mean.wgsl makes a share of that.
fn albedo(f: Fact) -> vec4f {
  return vec4f(f.albedo, f32(f.label * 8u + f.part));
}

fn shown_data(f: Fact, what: u32) -> vec4f {
  switch (what) {
    case LABELS: { return labels(f); }
    case MOTION: { return motion(f); }
    case NORMAL: { return facing(f); }
    default: { return albedo(f); }
  }
}

fn data_of(f: Fact) -> Data {
  return Data(shown_data(f, FIRST), shown_data(f, SECOND));
}

// Normal of a flat piece of surface, from how its points change from pixel to pixel.
fn facet_normal(world: vec3f) -> vec3f {
  let n = cross(dpdx(world), dpdy(world));
  return n / max(length(n), 1e-20);
}
