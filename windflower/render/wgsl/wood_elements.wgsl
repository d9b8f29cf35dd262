// What a render pass knows of a segment.
// include "render/wgsl/deform.wgsl"

struct Limb {
  frame: SegmentFrame,
  facts: vec4f,  // strain at its base and at its tip; its slot, as bits; 1 for a twig
};
