// The frame of a row of a blade, between the segment that carries it and the one beside.
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
