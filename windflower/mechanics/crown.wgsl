// A crown in the wind: how it streamlines, and how much wind passes through it.

struct Crown {
  exponent: f32,  // from 10 m/s on, drag falls as speed^-exponent …
  least: f32,     // … down to this share
  depth: f32,     // -ln of its porosity; 0 if it gives no shelter
  area: f32,      // drag area of all its cells, m²
};

// The dynamic wind w = s(|v|) |v| v of what reaches a part of the crown, (m/s)²: the twin of `Foliage.streamlined`.
fn dynamic_wind(crown: Crown, v: vec3f) -> vec3f {
  let speed = length(v);
  let streamlined = max(pow(max(speed, 10.0) / 10.0, -crown.exponent), crown.least);
  return v * (speed * streamlined);
}
