"""Puts a plant that Windflower has exported into the open scene of Blender, with its loops as shape keys.

Run it in Blender's text editor, or by `blender --python THIS_FILE`. Needs Blender 4.2 or newer; its files lie beside
it. The loops are actions of the shape keys and repeat for ever; the first one plays.
"""

from pathlib import Path
from typing import Any

import bpy
import numpy as np

__all__ = ["import_plant"]

DATA = "plant.npz"


def folder() -> Path:
    """Where this script and its files lie."""
    text = getattr(getattr(bpy.context, "space_data", None), "text", None)
    return Path(bpy.path.abspath(text.filepath)).parent if text is not None and text.filepath else Path(__file__).parent


def import_plant(path: Path) -> Any:
    """Make the plant of a file, and return its object."""
    with np.load(path, allow_pickle=False) as archive:
        data = {name: archive[name] for name in archive.files}
    name = str(data["name"])
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(data["base"], [], data["triangle"])
    for kind in data["kinds"].tolist():
        mesh.materials.append(material(kind, path.parent, data))
    mesh.polygons.foreach_set("material_index", data["material"])
    mesh.uv_layers.new(name="UVMap").uv.foreach_set("vector", data["uv"][data["triangle"]].ravel())
    tint = mesh.color_attributes.new("tint", "FLOAT_COLOR", "POINT")
    tint.data.foreach_set("color", np.column_stack([data["colour"], np.ones(len(data["colour"]))]).ravel())
    mesh.normals_split_custom_set_from_vertices(data["normal"])
    plant = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(plant)
    play(plant, data)
    if float(data["flutter_hertz"]) > 0:
        flutter(plant, data)
    return plant


def flutter(plant: Any, data: dict[str, Any]) -> None:
    """Let leaves flutter by a modifier: each vertex swings by its attribute `flutter`, at its `flutter_phase`."""
    swing = plant.data.attributes.new("flutter", "FLOAT_VECTOR", "POINT")
    swing.data.foreach_set("vector", data["flutter"].ravel())
    phase = plant.data.attributes.new("flutter_phase", "FLOAT", "POINT")
    phase.data.foreach_set("value", data["flutter_phase"])
    group = bpy.data.node_groups.new("flutter", "GeometryNodeTree")
    for side in ("INPUT", "OUTPUT"):
        group.interface.new_socket("Geometry", in_out=side, socket_type="NodeSocketGeometry")
    strength = group.interface.new_socket("Strength", in_out="INPUT", socket_type="NodeSocketFloat")
    strength.default_value = 1.0
    nodes, link = group.nodes, group.links.new
    begin, end, moved = (nodes.new(kind) for kind in ("NodeGroupInput", "NodeGroupOutput", "GeometryNodeSetPosition"))
    turns = calculated(
        group, "MULTIPLY", nodes.new("GeometryNodeInputSceneTime").outputs["Seconds"], data["flutter_hertz"]
    )
    angle = calculated(group, "ADD", turns, attribute(nodes, "flutter_phase", "FLOAT"))
    sine = calculated(group, "SINE", calculated(group, "MULTIPLY", angle, 2 * np.pi))
    offset = nodes.new("ShaderNodeVectorMath")
    offset.operation = "SCALE"
    link(attribute(nodes, "flutter", "FLOAT_VECTOR"), offset.inputs[0])
    link(calculated(group, "MULTIPLY", sine, begin.outputs["Strength"]), offset.inputs["Scale"])
    link(begin.outputs["Geometry"], moved.inputs["Geometry"])
    link(offset.outputs["Vector"], moved.inputs["Offset"])
    link(moved.outputs["Geometry"], end.inputs["Geometry"])
    plant.modifiers.new("Flutter", "NODES").node_group = group


def attribute(nodes: Any, name: str, kind: str) -> Any:
    """What an attribute of this name and kind gives, as an output of a node."""
    node = nodes.new("GeometryNodeInputNamedAttribute")
    node.data_type = kind
    node.inputs["Name"].default_value = name
    return next(output for output in node.outputs if output.enabled and output.name == "Attribute")


def calculated(group: Any, operation: str, *values: Any) -> Any:
    """What an operation makes of outputs of nodes and of numbers, as an output of a node."""
    node = group.nodes.new("ShaderNodeMath")
    node.operation = operation
    for socket, value in zip(node.inputs, values, strict=False):
        if isinstance(value, bpy.types.NodeSocket):
            group.links.new(value, socket)
        else:
            socket.default_value = float(value)
    return node.outputs[0]


def play(plant: Any, data: dict[str, Any]) -> None:
    """Give a plant its shape keys, and an action for each loop; the scene gets the length of the first."""
    plant.shape_key_add(name="Basis", from_mix=False)
    for number, shape in enumerate(data["shape"]):
        block = plant.shape_key_add(name=f"shape {number}", from_mix=False)
        block.points.foreach_set("co", (data["base"] + shape).ravel())
    keys, scene = plant.data.shape_keys, bpy.context.scene
    rate = scene.render.fps / scene.render.fps_base
    keys.animation_data_create()
    weights = np.split(data["weight"], len(data["clips"]))
    actions = [loop(keys, clip, own, data, rate) for clip, own in zip(data["clips"].tolist(), weights, strict=True)]
    assign(keys, *actions[0])
    scene.frame_start, scene.frame_end = 0, round(float(data["seconds"]) * rate) - 1


def loop(keys: Any, clip: str, weight: Any, data: dict[str, Any], rate: float) -> tuple[Any, Any]:
    """An action that plays a loop again and again, and its slot where Blender has slots."""
    action = bpy.data.actions.new(clip)
    action.use_fake_user = True
    slot, curves = channels(action, keys)
    times = np.arange(len(weight) + 1) * (float(data["seconds"]) * rate / len(weight))
    for number in range(weight.shape[1]):
        curve = curves.new(f'key_blocks["shape {number}"].value')
        points = curve.keyframe_points
        points.add(len(times))
        points.foreach_set("co", np.column_stack([times, np.append(weight[:, number], weight[0, number])]).ravel())
        for point in points:
            point.interpolation = "LINEAR"
        curve.modifiers.new("CYCLES")
        curve.update()
    return action, slot


def channels(action: Any, keys: Any) -> tuple[Any, Any]:
    """The slot of an action for some shape keys, and its curves; Blender before 4.4 has no slots."""
    if bpy.app.version < (4, 4):
        return None, action.fcurves
    slot = action.slots.new(id_type="KEY", name=keys.name)
    strip = action.layers.new("Layer").strips.new(type="KEYFRAME")
    return slot, strip.channelbag(slot, ensure=True).fcurves


def assign(keys: Any, action: Any, slot: Any) -> None:
    """Let some shape keys play an action."""
    keys.animation_data.action = action
    if slot is not None:
        keys.animation_data.action_slot = slot


def material(kind: str, beside: Path, data: dict[str, Any]) -> Any:
    """The material of a part: its picture times the vertices' tint, its outline, its relief."""
    made = bpy.data.materials.new(kind)
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    surface = nodes["Principled BSDF"]
    surface.inputs["Roughness"].default_value = float(data[f"{kind} roughness"])
    picture = image(nodes, beside / str(data[f"{kind} picture"]), "sRGB")
    tint = nodes.new("ShaderNodeVertexColor")
    tint.layer_name = "tint"
    mixed = nodes.new("ShaderNodeVectorMath")
    mixed.operation = "MULTIPLY"
    links.new(picture.outputs["Color"], mixed.inputs[0])
    links.new(tint.outputs["Color"], mixed.inputs[1])
    links.new(mixed.outputs["Vector"], surface.inputs["Base Color"])
    if bool(data[f"{kind} outline"]):
        links.new(picture.outputs["Alpha"], surface.inputs["Alpha"])
    if f"{kind} relief" in data:
        relief, bump = image(nodes, beside / str(data[f"{kind} relief"]), "Non-Color"), nodes.new("ShaderNodeNormalMap")
        links.new(relief.outputs["Color"], bump.inputs["Color"])
        links.new(bump.outputs["Normal"], surface.inputs["Normal"])
    return made


def image(nodes: Any, path: Path, space: str) -> Any:
    """A node that shows a picture."""
    node = nodes.new("ShaderNodeTexImage")
    node.image = bpy.data.images.load(str(path), check_existing=True)
    node.image.colorspace_settings.name = space
    return node


if __name__ == "__main__":
    import_plant(folder() / DATA)
