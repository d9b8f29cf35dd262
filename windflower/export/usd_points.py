"""A moving plant in USD as a point cache: every vertex at every key. For film; large."""

from windflower.export.posed_plant import PosedPlant
from windflower.export.usd_materials import material_prims
from windflower.export.usd_meshes import box, mesh_prims
from windflower.export.usd_skin import RATE
from windflower.export.usda import Prim, numbers

__all__ = ["cached_root"]


def cached_root(name: str, looped: PosedPlant, *, stem: str) -> Prim:
    """The plant under its name; pictures lie beside `stem`. The last key is the first."""
    root = Prim("Xform", name, 'kind = "component"')
    root.add(material_prims(looped.look, f"/{name}", stem))
    frames = list(looped.vertices())
    times = [k * looped.seconds * RATE / len(frames) for k in range(len(frames) + 1)]
    keys = dict(zip(times, [*frames, frames[0]], strict=True))
    for kind, _, prim in mesh_prims(looped.look, looped.bound.position[0], f"/{name}", flutter=looped.flutter):
        own = {time: frame[kind] for time, frame in keys.items()}
        prim.vary("point3f[] points", {time: numbers(position) for time, (position, _) in own.items()})
        prim.vary("float3[] extent", {time: box(position) for time, (position, _) in own.items()})
        if kind != "leaves":  # they keep theirs
            prim.vary("normal3f[] normals", {time: numbers(normal, "%.4g") for time, (_, normal) in own.items()})
        root.add(prim)
    return root
