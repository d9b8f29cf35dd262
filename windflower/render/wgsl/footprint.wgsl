// Samples that are averaged later look at textures as coarsely as the pixel does that they belong to.

override FOOTPRINT: f32 = 1.0;  // samples along a side of a pixel
