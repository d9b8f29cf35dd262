// What kernels put into the view: first the depth of what is nearest, then, where it is the same, its light and velocity.
// include "render/wgsl/frame.wgsl"
// include "render/wgsl/splat.wgsl"
// include "render/wgsl/velocity.wgsl"

@group(0) @binding(14) var<storage, read_write> b_nearest: array<atomic<u32>>;  // depths as bits, 0 where nothing is; then those of tiles
@group(0) @binding(15) var<storage, read_write> b_seen: array<vec4u>;  // light and velocity as half floats

override LIT: bool = false;  // the second time
const ALIKE = 2u;   // units in the last place by which depths of the same pixel may differ
const IN_FRONT = 0.05;  // m: what comes nearer to the camera is left out

// A point in the picture: pixels from its corner and depth; w: distance along the view.
fn in_picture(world: vec3f) -> vec4f {
  let p = u_frame.view_proj * vec4f(world, 1.0);
  return vec4f((p.xy / p.w * vec2f(0.5, -0.5) + 0.5) * u_frame.viewport.xy, p.z / p.w, p.w);
}

fn place_of(pixel: vec2i) -> u32 {
  return u32(pixel.y) * u32(u_frame.viewport.x) + u32(pixel.x);
}

// Whether something at this depth may be seen: the first time, for all that is known, the second time surely.
fn may_be_seen(pixel: vec2i, depth: f32) -> bool {
  return depth <= 1.0 && bitcast<u32>(max(depth, 0.0)) + ALIKE >= atomicLoad(&b_nearest[place_of(pixel)]);
}

const SEEN_TILE = 8u;  // pixels along a side, as in seen_tiles.wgsl

fn tile_place(tile: vec2u) -> u32 {
  let size = vec2u(u_frame.viewport.xy);
  return size.x * size.y + tile.y * ((size.x + SEEN_TILE - 1u) / SEEN_TILE) + tile.x;
}

// Whether anything in a ball may be seen: what is behind all that is known of its tiles is not. A ball across more than
// `most` tiles is not looked for in them.
fn may_ball_be_seen(middle: vec3f, radius: f32, most: u32) -> bool {
  let p = u_frame.view_proj * vec4f(middle, 1.0);
  let near = p.w - radius;
  let far = p.w + radius;
  if (near < IN_FRONT) {
    return far >= IN_FRONT;
  }
  let half = 0.5 * u_frame.viewport.xy;
  let at = p.xy * half * vec2f(1.0, -1.0);
  let rim = vec2f(radius / u_frame.viewport.z);
  let low = half + min((at - rim) / near, (at - rim) / far);
  let high = half + max((at + rim) / near, (at + rim) / far);
  if (any(high < vec2f(0.0)) || any(low > u_frame.viewport.xy)) {
    return false;
  }
  let first = vec2u(clamp(low, vec2f(0.0), u_frame.viewport.xy - 1.0)) / SEEN_TILE;
  let last = vec2u(clamp(high, vec2f(0.0), u_frame.viewport.xy - 1.0)) / SEEN_TILE;
  if (any(last - first >= vec2u(most))) {
    return true;
  }
  let ahead = vec3f(u_frame.view_proj[0].w, u_frame.view_proj[1].w, u_frame.view_proj[2].w);
  let front = u_frame.view_proj * vec4f(middle - ahead * radius, 1.0);
  let depth = bitcast<u32>(clamp(front.z / front.w, 0.0, 1.0)) + ALIKE;
  for (var y = first.y; y <= last.y; y++) {
    for (var x = first.x; x <= last.x; x++) {
      if (depth >= atomicLoad(&b_nearest[tile_place(vec2u(x, y))])) {
        return true;
      }
    }
  }
  return false;
}

// Whether anything of a triangle may be seen in a tile: where it has pixels there, and not all that is known is nearer.
fn may_tile_show(f: Facet, tile: vec2u) -> bool {
  let reach = 0.5 * f32(SEEN_TILE - 1u);  // of the middles of its pixels
  let p = vec2f(tile * SEEN_TILE) + 0.5 * f32(SEEN_TILE) - f.at;
  let shares = vec2f(dot(p, f.to_second), dot(p, f.to_third));
  let both = f.to_second + f.to_third;
  let slope = f.deeper.x * f.to_second + f.deeper.y * f.to_third;
  let more = reach * vec4f(
    abs(f.to_second.x) + abs(f.to_second.y), abs(f.to_third.x) + abs(f.to_third.y), abs(both.x) + abs(both.y), abs(slope.x) + abs(slope.y),
  );
  if (any(shares + more.xy < vec2f(0.0)) || shares.x + shares.y - more.z > 1.0) {
    return false;
  }
  let nearest = min(depth_at(f, shares) + more.w, f.depth + max(0.0, max(f.deeper.x, f.deeper.y)));
  return bitcast<u32>(clamp(nearest, 0.0, 1.0)) + ALIKE >= atomicLoad(&b_nearest[tile_place(tile)]);
}

fn cover(pixel: vec2i, depth: f32) {
  atomicMax(&b_nearest[place_of(pixel)], bitcast<u32>(max(depth, 0.0)));
}

fn colour(pixel: vec2i, light: vec3f, velocity: vec2f) {
  b_seen[place_of(pixel)] = vec4u(pack2x16float(light.rg), pack2x16float(vec2f(light.b, 0.0)), pack2x16float(velocity), 0u);
}
