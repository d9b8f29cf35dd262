// The frame of a row of a blade, between the segment that carries it and the one beside, and where its middle is.
// include "motion/broadleaf/broadleaf_body.wgsl"

struct RowFrame {
  across: vec3f,
  along: vec3f,
  normal: vec3f,
};

fn row_frame(own: Joint, beside: Joint, blend: f32) -> RowFrame {
  let along = normalize(mix(own.y.xyz, beside.y.xyz, blend));
  let side = mix(own.x.xyz, beside.x.xyz, blend);
  let across = normalize(side - dot(side, along) * along);
  return RowFrame(across, along, cross(across, along));
}

// On the cubic through four nodes of its mid-rib (columns), slid so that its steps keep their lengths: the twin of `Stations.rows`.
fn row_centre(row: Row, node: mat4x3f, along: vec3f) -> vec3f {
  let before = node[1] - node[0];
  let here = node[2] - node[1];
  let after = node[3] - node[2];
  return node * row.weight + dot(row.slide, vec4f(dot(before, here), dot(here, after), dot(before, after), 1.0)) * along;
}
