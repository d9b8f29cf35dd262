// What every pass knows of a frame.

struct Frame {
  view_proj: mat4x4f,
  inverse_view_proj: mat4x4f,
  light_proj: mat4x4f,    // world to the shadow map
  eye: vec4f,             // xyz; w: time in seconds
  sun: vec4f,             // direction to what gives direct light, the sun or the moon; w: half its angle, rad
  sun_colour: vec4f,      // its light; w: how dark it is, 0 by day and 1 at night
  aloft: vec4f,           // light of the sun, or the moon, at the height of clouds, which see it when it has set below; w: day of the year
  star: vec4f,            // direction to the sun itself, below the horizon at night; w: cloud cover, 0 to 1
  ambient: array<vec4f, 9>,  // light of sky and ground on a surface by its normal: spherical harmonics, see `sky_light`
  clock: vec4f,           // time in the period of all rhythms, or of the loop, s; how many periods of all rhythms went
                          // before; period after which all repeats, s, 0 for never; 1 if hills hide the skyline
  viewport: vec4f,        // width, height; height of a pixel at distance 1; distance at which haze has taken half
  shadow: vec4f,          // texels, size of a texel in m, strength; 1 for the planar shadow instead of the map
  wind: vec4f,            // over the ground at the camera, m/s; w: 1 under water
  path: vec4f,            // of the air that carries eddies along x and z, m, modulo 8192; zw: that of one loop earlier
  clouds: vec4f,          // how far they have drifted, m; strength of their shadows; texture coordinates of hill shade per m
  breeze: vec4f,          // map of the wind over the grass: corner x, z, m; texels per m; texels along a side
  before_proj: mat4x4f,   // view_proj of the frame before, without its jitter
  before_eye: vec4f,      // the camera of the frame before
  jitter: vec4f,          // how far the picture is moved, pixels; number of the frame among those that follow one another
};

@group(0) @binding(0) var<uniform> u_frame: Frame;
