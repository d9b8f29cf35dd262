// Where the cards of posed leaves are in the world.
// include "render/wgsl/deform.wgsl"
// include "render/wgsl/leaf_elements.wgsl"
// include "render/wgsl/paint.wgsl"

fn card_of(frame: LeafFrame, instance: Instance) -> LeafCard {
  let hidden = instance.id.y == STRAIN || instance.id.y == KINDS;  // leaves would hide the wood
  let shown = select(1.0, 0.0, hidden) * instance.place.w;
  let across = turned(instance, turned_by(frame.turn, vec3f(frame.card.x, 0.0, 0.0))) * shown;
  let along = turned(instance, turned_by(frame.turn, frame.foot.w * vec3f(0.0, 1.0, -SAG))) * shown;
  return LeafCard(vec4f(to_world(instance, frame.foot.xyz), 0.0), vec4f(across, 0.0), vec4f(along, 0.0));
}
