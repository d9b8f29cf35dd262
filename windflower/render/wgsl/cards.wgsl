// Cards that show the leaves of a mesh, or the several that stand together: what is alike for all of them; sprigs.py.

struct Cards {
  style: vec4f,      // corners of a card, 4 or 3; how pale the undersides of leaves are, 0 to 1; 1 for needles
  aspect: vec4f,     // width over length of a card with one leaf, a spray, a bough, a branch
  stretch: vec4f,    // length of such a card over that of one leaf of the same area
  cover: array<vec4f, 8>,  // corners about each kind of card's outline, two to a vec4f; see `card_at_corner`
  sprig: vec4f,      // of a leaf that stands for several: its cards, their picture, their length, the length of their shoot
  tight: vec4f,      // what the cover of a single leaf is scaled by to be as large as the leaf itself, and about what place along it; how far cards reach from their foot, over the leaf's size
  cards: array<vec4f, 64>,  // of four arrangements of up to eight cards: where each begins, with its length over their mean, and its quaternion
};

const MESHES = 8u;  // whose leaves a kernel draws together, as in drawn_leaves.py

@group(2) @binding(8) var<uniform> u_cards: array<Cards, MESHES>;

var<private> p_cards = 0u;  // which of them the leaf at hand has: where one mesh is drawn, the first
