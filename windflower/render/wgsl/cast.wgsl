// What a caster writes into the shadow map where it is drawn as triangles.

// Depth of a fragment, farther from the sun by its slope, or a surface would lie in its own shadow.
fn cast_depth(depth: f32) -> f32 {
  return depth + 1.5 * max(abs(dpdx(depth)), abs(dpdy(depth)));
}
