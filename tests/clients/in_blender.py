"""Runs in Blender's own Python: opens a file or runs a script, and saves where all vertices are at some times.

python in_blender.py FILE OUT.npz TIME…
"""

import runpy
import sys
from pathlib import Path
from typing import Any

import bpy
import numpy as np


def opened(path: Path) -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    if path.suffix == ".py":
        runpy.run_path(str(path), run_name="__main__")
    elif path.suffix == ".glb":
        bpy.ops.import_scene.gltf(filepath=str(path), disable_bone_shape=True)
    elif path.suffix == ".obj":
        bpy.ops.wm.obj_import(filepath=str(path))
    elif path.suffix in (".exr", ".png"):
        bpy.data.images.load(str(path)).colorspace_settings.name = "Non-Color"
    elif path.suffix == ".ply":
        bpy.ops.wm.ply_import(filepath=str(path), up_axis="Y", forward_axis="NEGATIVE_Z")  # the file does not say
    else:
        bpy.ops.wm.usd_import(filepath=str(path))


def vertices(thing: Any) -> Any:
    """(vertices, 3) as they are shown, Y up."""
    shown = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    mesh = shown.to_mesh()
    numbers = np.empty(3 * len(mesh.vertices), np.float32)
    mesh.vertices.foreach_get("co", numbers)
    world = np.array(shown.matrix_world)
    x, y, z = (numbers.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]).T
    shown.to_mesh_clear()
    return np.column_stack([x, z, -y])


def pixels(picture: Any) -> Any:
    """(height, width, 3), first row above."""
    numbers = np.empty(picture.size[0] * picture.size[1] * picture.channels, np.float32)
    picture.pixels.foreach_get(numbers)
    return numbers.reshape(picture.size[1], picture.size[0], -1)[::-1, :, :3]


def main(path: str, out: str, *times: str) -> None:
    opened(Path(path))
    scene, found = bpy.context.scene, dict[str, list[Any]]()
    rate = 24.0 if ".usd" in path else scene.render.fps / scene.render.fps_base
    for time in times:
        frame = float(time) * rate
        scene.frame_set(int(frame), subframe=frame - int(frame))
        for thing in bpy.data.objects:
            if thing.type == "MESH" and thing.users_scene:
                found.setdefault(thing.name, []).append(vertices(thing))
    shown = bpy.context.evaluated_depsgraph_get().object_instances
    wood = [
        one.matrix_world.translation.copy() for one in shown if one.is_instance and one.object.name.startswith("bark")
    ]
    facts: dict[str, Any] = {
        "instances": [(x, z, -y) for x, y, z in wood],
        "frames": [scene.frame_start, scene.frame_end],
        "actions": [action.name for action in bpy.data.actions],
        "materials": [material.name for material in bpy.data.materials],
        "pictures": [image.name for image in bpy.data.images if image.has_data or image.size[0]],
    }
    if path.endswith((".exr", ".png")):
        facts["pixels"] = pixels(bpy.data.images[0])
    facts |= {f"mesh {name}": np.array(each) for name, each in found.items()}
    np.savez(out, **facts)


if __name__ == "__main__":
    main(*sys.argv[1:])
