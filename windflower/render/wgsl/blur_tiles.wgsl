// Motion blur, first step: the fastest velocity of each tile of the picture.
// include "render/wgsl/corners.wgsl"
// include "render/wgsl/shutter.wgsl"

@group(0) @binding(0) var t_velocity: texture_2d<f32>;
@group(0) @binding(1) var<uniform> u_shutter: Shutter;

@vertex
fn vs_view(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4f {
  return vec4f(screen_corner(vertex), 0.0, 1.0);
}

@fragment
fn fs_view(@builtin(position) position: vec4f) -> @location(0) vec2f {
  let size = textureDimensions(t_velocity);
  let first = vec2u(position.xy) * u_shutter.side;
  var fastest = vec2f(0.0);
  for (var y = first.y; y < min(first.y + u_shutter.side, size.y); y++) {
    for (var x = first.x; x < min(first.x + u_shutter.side, size.x); x++) {
      let velocity = textureLoad(t_velocity, vec2u(x, y), 0).xy;
      fastest = select(fastest, velocity, dot(velocity, velocity) > dot(fastest, fastest));
    }
  }
  return fastest;
}
