// Triangles that a compute kernel puts into a picture, pixel by pixel.
//
// Triangles of plants are hardly larger than a pixel or a texel, and a card may have far more processors for kernels than for
// drawing. A thread waits for memory at every pixel, so a team of them shares those of a triangle that has more than a few.
// include "core/workgroups.wgsl"

@group(3) @binding(2) var<storage, read> b_counted: array<vec4u>;  // of the first: -, elements in all

override TEAM: u32 = 16u;  // threads, as in deformed.py

// One of an element's team.
struct Member {
  place: u32,   // of the element
  number: u32,  // in its team
};

fn member(groups: Workgroups, thread: u32) -> Member {
  let number = workgroup_number(groups) * 64u + thread;
  return Member(number / TEAM, number % TEAM);
}

// A triangle over the pixels of a picture.
struct Facet {
  at: vec2f,         // its first corner, pixels
  to_second: vec2f,  // along these the shares of the other corners rise from 0 to 1
  to_third: vec2f,
  deeper: vec2f,     // depths of the other corners less that of the first
  low: vec2i,        // first of the pixels that it may cover
  size: vec2i,       // their number
  depth: f32,        // of the first corner
};

// Corners are pixels and depths; `size` is that of the picture.
fn facet(a: vec3f, b: vec3f, c: vec3f, size: vec2f) -> Facet {
  let second = b - a;
  let third = c - a;
  let area = second.x * third.y - second.y * third.x;
  let whole = select(0.0, 1.0 / area, abs(area) > 1e-9);
  // Pixels are covered if their middles are.
  let low = clamp(ceil(min(min(a.xy, b.xy), c.xy) - 0.5), vec2f(0.0), size);
  let high = clamp(floor(max(max(a.xy, b.xy), c.xy) - 0.5), vec2f(-1.0), size - 1.0);
  return Facet(
    a.xy,
    vec2f(third.y, -third.x) * whole,
    vec2f(-second.y, second.x) * whole,
    vec2f(second.z, third.z),
    vec2i(low),
    select(max(vec2i(high - low) + 1, vec2i(0)), vec2i(0), whole == 0.0),
    a.z,
  );
}

fn pixels_of(f: Facet) -> u32 {
  return u32(f.size.x) * u32(f.size.y);
}

fn pixel_of(f: Facet, number: u32) -> vec2i {
  return f.low + vec2i(vec2u(number % u32(f.size.x), number / u32(f.size.x)));
}

// Shares of the second and the third corner in the middle of a pixel.
fn shares_at(f: Facet, pixel: vec2i) -> vec2f {
  let p = vec2f(pixel) + 0.5 - f.at;
  return vec2f(dot(p, f.to_second), dot(p, f.to_third));
}

fn is_within(shares: vec2f) -> bool {
  return shares.x >= 0.0 && shares.y >= 0.0 && shares.x + shares.y <= 1.0;
}

fn depth_at(f: Facet, shares: vec2f) -> f32 {
  return f.depth + dot(f.deeper, shares);
}

// First and last pixel of a row that a triangle may cover.
fn span_of(f: Facet, y: i32) -> vec2i {
  let p = vec2f(f32(f.low.x) + 0.5, f32(y) + 0.5) - f.at;
  let second = dot(p, f.to_second);
  let third = dot(p, f.to_third);
  // How the three shares change from pixel to pixel, and what they are in the first.
  let rise = vec3f(f.to_second.x, f.to_third.x, -f.to_second.x - f.to_third.x);
  let share = vec3f(second, third, 1.0 - second - third);
  let at = -share / select(rise, vec3f(1e-12), abs(rise) < vec3f(1e-12));
  let last = vec3f(f32(f.size.x) - 1.0);
  let low = select(vec3f(0.0), at, rise > vec3f(0.0));
  let high = select(last, at, rise < vec3f(0.0));
  let first = max(max(low.x, max(low.y, low.z)), 0.0);
  let end = min(min(high.x, min(high.y, high.z)), last.x);
  return f.low.x + vec2i(vec2f(ceil(first - 0.01), floor(end + 0.01)));
}
