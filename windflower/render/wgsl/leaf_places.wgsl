// Where posed leaves are in the world.
// include "render/wgsl/deform.wgsl"
// include "render/wgsl/leaf_elements.wgsl"
// include "render/wgsl/paint.wgsl"

// As in `LitLeaf`.
struct LeafPlace {
  foot: vec4f,
  turn: vec2u,
};

fn place_of(frame: LeafFrame, leaf: Leaf, instance: Instance) -> LeafPlace {
  let hidden = instance.id.y == STRAIN || instance.id.y == KINDS;  // leaves would hide the wood
  let shown = select(1.0, 0.0, hidden) * instance.place.w / u_mesh.stretch[leaf_kind(leaf, instance)];
  let turn = joined(yaw_of(instance), frame.turn);
  return LeafPlace(
    vec4f(to_world(instance, frame.foot.xyz), frame.foot.w * shown),
    vec2u(pack2x16snorm(turn.xy), pack2x16snorm(turn.zw)),
  );
}
