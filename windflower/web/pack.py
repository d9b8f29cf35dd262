"""The pack: a scene as data for a page. Everything that a page draws and moves, and nothing that it runs.

    8 bytes  "WFPACK01"
    4 bytes  length of the header, little-endian
    header   JSON: things, sections, inputs, and what the page needs to fill them
    bytes    of buffers and textures, one after the other (`blobs` of the header)

all of it compressed by gzip. Shaders are files beside it, which things name.
"""

import gzip
import json
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.layouts import layout
from windflower.core.shaders import shader_text
from windflower.geometry.sward import TALL
from windflower.render.cloud_tile import CLOUD_TILE
from windflower.render.frame import ALOFT, _first_gap
from windflower.render.frame_uniforms import CLOUD_SHADOW, REPEATS, SUN_RADIUS
from windflower.render.ground_covers import JUNE
from windflower.render.sward import POPULATIONS
from windflower.scene import Scene
from windflower.scene.camera import NEAR
from windflower.web.air import wind_facts
from windflower.web.blobs import Blob, coded, halves
from windflower.web.first import first_facts
from windflower.web.hands import hand_facts
from windflower.web.light import light_facts
from windflower.web.pruning import prune
from windflower.web.stage import INPUTS, Staged
from windflower.web.textures import halve_large, pictures

__all__ = ["MAGIC", "Pack", "pack_of", "page_title"]

MAGIC = b"WFPACK01"
STRUCTS = {
    "Frame": "render/wgsl/frame.wgsl",
    "Layer": "wind/at_points.wgsl",
    "Wave": "wind/at_points.wgsl",
    "Train": "wind/at_points.wgsl",
    "Field": "wind/at_points.wgsl",
    "Stand": "motion/modal/step.wgsl",
    "Level": "motion/cantilever/twigs.wgsl",
    "Loop": "motion/spectral/loop.wgsl",
    "Follow": "motion/limp/follow.wgsl",
    "Tile": "render/wgsl/sow.wgsl",
    "Hand": "motion/modal/held.wgsl",
    "Judge": "render/wgsl/cull_cards.wgsl",
}
"""Structs that a page fills, by their names there."""
SPRINGS = "motion/cantilever/blow.wgsl"  # whose `Stand` is another one than modal motion's
ROUNDED = {"shapes", "loop"}  # labels of buffers whose floats may lose their last bits
READ = {"points"}  # labels of what tests read


class Pack:
    """A header and its blobs."""

    def __init__(self, header: dict[str, Any], blobs: list[Blob]) -> None:
        self.header, self.blobs = header, blobs

    @property
    def shaders(self) -> dict[str, str]:
        """Texts of the shaders that it names, with their includes."""
        made = [call[1] for call in self.header["things"] if call[0] == "createShaderModule"]
        return {one["shader"]: shader_text(one["shader"]) for one in made}

    def to_bytes(self) -> bytes:
        """The file."""
        places, at = [], 0
        for blob in self.blobs:
            places.append([at, len(blob.data), blob.coding, blob.size])
            at += len(blob.data)
        header = json.dumps(self.header | {"blobs": places}, separators=(",", ":"), allow_nan=False).encode()
        whole = [MAGIC, struct.pack("<I", len(header)), header, *(blob.data for blob in self.blobs)]
        return gzip.compress(b"".join(whole), 9, mtime=0)


def page_title(scene: Scene) -> str:
    """Title of a page: that of the scene, or the name of its species as a text has it."""
    title = scene.title
    return title if " " in title else title.replace("-", " ").capitalize()


def pack_of(scene: Scene, staged: Staged) -> Pack:
    """The pack of a scene that was recorded."""
    tape = staged.tape
    picture = tape.number(staged.renderer.picture)
    halve_large(tape)
    things = prune(tape, keep={picture})
    blobs = list(tape.blobs)

    def store(values: NDArray[Any]) -> int:
        blobs.append(values.tobytes())
        return len(blobs) - 1

    header: dict[str, Any] = {
        "windflower": "pack",
        "title": page_title(scene),
        "things": [_without_code(call) for call in tape.things],
        "sections": tape.sections,
        "labels": {label: some for label, some in tape.labels.items() if label in {*INPUTS, *READ}},
        "picture": things[picture],
        "first": first_facts(tape),
        "layouts": {name: _fields(layout(shader, name)) for name, shader in STRUCTS.items()}
        | {"Springs": _fields(layout(SPRINGS, "Stand"))},
        "motion": {
            "dt": staged.simulation.dt,
            "most": staged.most,
            "loops": [[things[tape.number(clock)], name, period] for clock, name, period in staged.loop_clocks],
            "only_loops": scene.period is not None,
        },
        "camera": _camera(scene),
        "frame": _frame(scene, staged),
        "light": light_facts(scene, store),
        "wind": wind_facts(scene, staged.box, store),
        "sward": _sward(staged),
        "hands": hand_facts(staged.rooms, tape, things, store),
    }
    made = pictures(tape) | _halves(header, blobs)
    return Pack(header, [made.get(at) or coded(data) for at, data in enumerate(blobs)])


def _without_code(call: list[Any]) -> list[Any]:
    return [call[0], {"shader": call[1]["label"]}] if call[0] == "createShaderModule" else call


def _fields(dtype: np.dtype[np.void]) -> dict[str, Any]:
    """Fields of a struct: offset in words of four bytes, kind and length; its own size in words."""
    fields = {}
    for name in dtype.names or ():
        own, offset = dtype.fields[name][:2]  # type: ignore[index]
        if not name.startswith("pad_"):
            kind = own.base.kind if own.base.kind in "fui" else "struct"
            fields[name] = [offset // 4, kind, own.itemsize // 4]
    return {"size": dtype.itemsize // 4, "fields": fields}


def _camera(scene: Scene) -> dict[str, Any]:
    view = scene.camera.view(0.0)
    return {
        "eye": view.eye.tolist(),
        "target": view.target.tolist(),
        "field_of_view": view.field_of_view,
        "near": NEAR,
    }


def _frame(scene: Scene, staged: Staged) -> dict[str, Any]:
    """What of `Frame` in frame.wgsl stays the same."""
    frame, renderer = staged.frame, staged.renderer
    middle, radius, height = frame.bounds
    return {
        "bounds": [*middle.tolist(), radius, height],
        "texels": renderer.quality.shadow,
        "planar": float(renderer.planar),
        "terrain": float(scene.ground.terrain is not None),
        "underwater": float(scene.ground.underwater),
        "period": frame.around.period,
        "gap": _first_gap(scene.sun.direction(0.0)).tolist(),
        "day": JUNE if scene.ground.day is None else scene.ground.day,
        "aloft": 0.0 if frame.around.period else ALOFT,
        "tile": CLOUD_TILE,
        "cloud_shadow": CLOUD_SHADOW,
        "hills": renderer._sky.hills.scale,
        "sun_radius": SUN_RADIUS,
        "repeats": REPEATS,
        "rhythm": 1024.0,
        "tallest": staged.tallest,
    }


def _sward(staged: Staged) -> dict[str, Any]:
    """Populations of the ground, in the order of their buffers of tiles."""
    ground = staged.renderer._ground
    shown = [one for one in POPULATIONS if ground and ground.cover and ground.sward.each[one.name]]
    return {
        "tall": TALL,
        "populations": [
            {
                "name": one.name,
                "layers": [[layer.side, layer.reach] for layer in one.layers],
                "each": ground.sward.each[one.name] if ground else 0,
                "most": one.most,
                "until": [min(until, 1e9) for until in one.until],
            }
            for one in shown
        ],
    }


def _halves(header: dict[str, Any], blobs: list[bytes]) -> dict[int, Blob]:
    """Blobs of buffers whose floats may be rounded."""
    made = [call[1] for call in header["things"] if call[0] == "createBufferWithData"]
    return {one["data"]["bytes"]: halves(blobs[one["data"]["bytes"]]) for one in made if one.get("label") in ROUNDED}
