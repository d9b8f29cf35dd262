// Texels of the wind map from the wind at its samples at two moments: the twin of `WindMap.texels`.

override POINTS: u32 = 28u;  // samples along a side
override FINER: u32 = 4u;    // texels between two samples
override RIM: u32 = 3u;      // samples over which the map becomes its mean
const WIDE = 6.0;            // samples from a texel beyond which their shares vanish: e^-18

struct Moment {
  share: vec2f,  // of the moment before, and of the one after
};

@group(0) @binding(0) var<uniform> u_moment: Moment;
@group(0) @binding(1) var<storage, read> b_air: array<vec4f>;  // moments x samples along z x samples along x, m/s
@group(0) @binding(2) var t_map: texture_storage_2d<rgba16float, write>;

fn sample(at: u32) -> vec2f {
  return u_moment.share.x * b_air[at].xz + u_moment.share.y * b_air[POINTS * POINTS + at].xz;
}

fn bell(away: f32) -> f32 { return exp(-0.5 * away * away); }

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let side = FINER * (POINTS - 1u) + 1u;
  if (any(id.xy >= vec2u(side))) { return; }
  let place = vec2f(id.xy) / f32(FINER);
  let first = vec2u(max(ceil(place - WIDE), vec2f(0.0)));
  let last = min(vec2u(floor(place + WIDE)), vec2u(POINTS - 1u));
  var sum = vec3f(0.0);
  for (var z = first.y; z <= last.y; z++) {
    var row = vec3f(0.0);
    for (var x = first.x; x <= last.x; x++) {
      row += bell(place.x - f32(x)) * vec3f(sample(z * POINTS + x), 1.0);
    }
    sum += bell(place.y - f32(z)) * row;
  }
  var mean = vec2f(0.0);
  for (var at = 0u; at < POINTS * POINTS; at++) { mean += sample(at); }
  mean /= f32(POINTS * POINTS);
  let inward = smoothstep(vec2f(0.0), vec2f(f32(FINER * RIM)), vec2f(min(id.xy, vec2u(side - 1u) - id.xy)));
  let inside = inward.x * inward.y;
  textureStore(t_map, id.xy, vec4f(inside * sum.xy / sum.z + (1.0 - inside) * mean, 0.0, 0.0));
}
