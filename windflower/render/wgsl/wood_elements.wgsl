// What a render pass knows of a segment.
// include "render/wgsl/deform.wgsl"

struct Limb {
  frame: SegmentFrame,
  facts: vec4f,  // strain at its base and at its tip; its slot, as bits; how much wider it is drawn, as 1 or more: negative for what is no twig
};
