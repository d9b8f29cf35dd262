// Cards of leaves: where the corners of the cards are that show a leaf, or the several that stand together; sprigs.py.
// include "render/wgsl/cards.wgsl"
// include "render/wgsl/deform.wgsl"
// include "render/wgsl/leaf_elements.wgsl"
// include "render/wgsl/noise.wgsl"

@group(3) @binding(0) var<storage, read> b_foliage: array<LitLeaf>;

const STEM = 4u;         // in place of a picture: the shoot that bears single leaves
const FOLD = 0.30;       // rad by which the halves of a single leaf are raised from its midrib, on average
const SMALL = vec2f(5.0, 9.0);  // pixels along a leaf below which its outline is not seen, and above which all of it is
const STEM_WIDTH = 0.006;  // of a shoot over the leaf's size

struct LeafCorner {
  place: u32,     // of the leaf among the elements
  random: u32,    // of this card
  world: vec3f,
  uv: vec2f,
  kind: u32,      // picture, or STEM
  small: f32,     // 1 for a leaf so small that its outline cannot be seen: a plain kite or triangle as large as the leaf
  across: vec3f,  // unit vectors of the card in the world
  along: vec3f,
};

// Cards of each element, with one for the shoot.
fn cards_of_leaf() -> u32 {
  return cards_of(p_cards);
}

// The same of a leaf that has this of `u_cards`.
fn cards_of(own: u32) -> u32 {
  return u32(u_cards[own].sprig.x) + select(0u, 1u, u_cards[own].sprig.w > 0.0);
}

fn leaf_corner(vertex: u32, slot: u32) -> LeafCorner {
  let place = slot * u_mesh.count.w + vertex / (u32(u_cards[p_cards].style.x) * cards_of_leaf());
  return corner_of(b_foliage[place], place, vertex, is_fallen(slot));
}

// Whether the leaves of a block are those that came off: all of them, or none.
fn is_fallen(slot: u32) -> bool {
  return b_instances[slot].id.w == FALLEN;
}

// The same corner of an element, of this frame or of the one before.
fn corner_of(leaf: LitLeaf, place: u32, vertex: u32, fallen: bool) -> LeafCorner {
  let corners = u32(u_cards[p_cards].style.x);
  let card = (vertex / corners) % cards_of_leaf();
  let corner = vertex % corners;
  let random = scrambled(leaf.facts.w * 8u + card + 977u);
  if (fallen) { return fallen_corner(place, leaf, card, corner, random); }
  if (card == u32(u_cards[p_cards].sprig.x)) { return stem_corner(place, leaf, corner, random); }
  let kind = u32(u_cards[p_cards].sprig.y);
  let row = 2u * (8u * (leaf.facts.w % 4u) + card);
  let own = u_cards[p_cards].cards[row];
  let twist = shimmer_in(leaf) * (2.0 * uniform_of(random) - 0.6);
  let turn = joined(joined(turn_of(leaf), u_cards[p_cards].cards[row + 1u]), vec4f(0.0, sin(twist * 0.5), 0.0, cos(twist * 0.5)));
  let foot = leaf.foot.xyz + leaf.foot.w * turned_by(turn_of(leaf), own.xyz);
  return placed_corner(place, random, kind, corner, foot, turn, leaf.foot.w * u_cards[p_cards].sprig.z * own.w);
}

// A corner of a card, x across from 0 to 1, y along: of a kite or a triangle about its outline.
fn card_at_corner(kind: u32, number: u32) -> vec2f {
  let pair = u_cards[p_cards].cover[2u * kind + number / 2u];
  return select(pair.xy, pair.zw, number % 2u == 1u);
}

// A corner of a card that begins at `foot`; the halves of a single leaf are raised from its midrib.
fn placed_corner(place: u32, random: u32, kind: u32, number: u32, foot: vec3f, turn: vec4f, size: f32) -> LeafCorner {
  let small = select(0.0, smallness(size, foot), kind == 0u && u_cards[p_cards].style.z == 0.0);  // needles never fill their shoot
  let whole = card_at_corner(kind, number);
  let middle = vec2f(0.5, u_cards[p_cards].tight.y);
  let corner = mix(whole, middle + (whole - middle) * u_cards[p_cards].tight.x, small);
  let fold = select(0.0, FOLD * (0.4 + 1.2 * uniform_of(scrambled(random))), kind == 0u && u_cards[p_cards].style.x == 4.0);
  let aside = (corner.x - 0.5) * u_cards[p_cards].aspect[kind];
  let at = size * vec3f(aside * cos(fold), corner.y, abs(aside) * sin(fold));
  let across = turned_by(turn, vec3f(1.0, 0.0, 0.0));
  let along = turned_by(turn, vec3f(0.0, 1.0, 0.0));
  return LeafCorner(place, random, foot + turned_by(turn, at), vec2f(corner.x, 1.0 - corner.y), kind, small, across, along);
}

// How small a leaf is seen, 0 to 1.
fn smallness(size: f32, foot: vec3f) -> f32 {
  let pixels = size / max(distance(foot, u_frame.eye.xyz) * u_frame.viewport.z, 1e-9);
  return 1.0 - smoothstep(SMALL.x, SMALL.y, pixels);
}

// One that came off is a single leaf: its first card.
fn fallen_corner(place: u32, leaf: LitLeaf, card: u32, number: u32, random: u32) -> LeafCorner {
  let size = select(0.0, leaf.foot.w * u_cards[p_cards].stretch.x, card == 0u);
  return placed_corner(place, random, 0u, number, leaf.foot.xyz, turn_of(leaf), size);
}

// The shoot: a thin triangle from the twig to the last leaf.
fn stem_corner(place: u32, leaf: LitLeaf, number: u32, random: u32) -> LeafCorner {
  let turn = turn_of(leaf);
  let aside = STEM_WIDTH * (f32(number % 2u) - 0.5) * f32(number < 2u);
  let at = leaf.foot.w * vec3f(aside, select(u_cards[p_cards].sprig.w, 0.0, number < 2u), 0.0);
  let across = turned_by(turn, vec3f(1.0, 0.0, 0.0));
  let along = turned_by(turn, vec3f(0.0, 1.0, 0.0));
  return LeafCorner(place, random, leaf.foot.xyz + turned_by(turn, at), vec2f(0.5), STEM, 1.0, across, along);
}
