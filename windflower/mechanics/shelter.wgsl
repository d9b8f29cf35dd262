// How cells of a crown shelter one another: the twin of `mechanics.cells.shelter`.
// include "mechanics/crown.wgsl"

override CELLS: u32 = 1u;  // of the crown

@group(0) @binding(2) var<storage, read> b_plant: array<vec4f>;  // cells x (centre, m; spread², m²), (area, m²; -); then what else a kernel keeps there

fn cell_centre(cell: u32) -> vec3f {
  return b_plant[2u * cell].xyz;
}

fn cell_area(cell: u32) -> f32 {
  return b_plant[2u * cell + 1u].x;
}

// Drag area of all cells in the column of one, per m² of the column: x what lies upwind of it, y the whole.
fn columns(along: vec3f, cell: u32) -> vec2f {
  let mine = b_plant[2u * cell];
  var sum = vec2f(0.0);
  for (var other = 0u; other < CELLS; other++) {
    let theirs = b_plant[2u * other];
    let apart = mine.xyz - theirs.xyz;
    let behind = dot(along, apart);
    let aside = max(dot(apart, apart) - behind * behind, 0.0);
    let width = mine.w + theirs.w;
    let area = cell_area(other) / width * exp(-aside / (2.0 * width));
    let upwind = select(0.5 * erfc(-behind * inverseSqrt(2.0 * width)), 0.0, other == cell);
    sum += area * vec2f(upwind, 1.0);
  }
  return sum;
}

// 1 - erf(x), to 1.5e-7 (Abramowitz & Stegun 7.1.26).
fn erfc(x: f32) -> f32 {
  let t = 1.0 / (1.0 + 0.3275911 * abs(x));
  let series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))));
  let above = series * exp(-x * x);
  return select(above, 2.0 - above, x < 0.0);
}
