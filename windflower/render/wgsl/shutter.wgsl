// What motion blur knows of the shutter.

struct Shutter {
  share: f32,   // of the time between two frames that it is open
  side: u32,    // of a tile, pixels: no pixel is spread farther than this to either side
};
