// Things that grow or lie on the ground, as sow.wgsl throws them and the vertex shaders read them.

// One blade, herb, leaf or stone.
struct Sown {
  root: vec4f,       // foot in the world; w: height, m, 0 for nothing
  lean: vec4f,       // x, z: how far its tip is bent over, in heights; its yaw, rad; half its width, m
  colour: vec4f,     // linear RGB; w: which kind it is, and a random number as its fraction
  air: vec4f,        // share of the sky it sees; how dead it is; droop; distance from the camera, m
};
