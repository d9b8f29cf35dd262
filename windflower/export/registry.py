"""The formats that plants and scenes are exported to. To add one: a module with its `Exporter`, and a line here.

A program of its own registers one with `EXPORTERS.register(".suffix", Exporter(…))`.
"""

from windflower.core.registry import Registry
from windflower.export.exporter import Exporter

__all__ = ["EXPORTERS"]

EXPORTERS: Registry[Exporter] = Registry(
    {
        ".csv": "windflower.export.csv_table:CSV",
        ".exr": "windflower.export.openvat:OPENVAT",
        ".glb": "windflower.export.glb:GLB",
        ".obj": "windflower.export.wavefront:OBJ",
        ".parquet": "windflower.export.parquet_table:PARQUET",
        ".ply": "windflower.export.polygons:PLY",
        ".png": "windflower.export.openvat:OPENVAT",
        ".py": "windflower.export.blender_script:BLENDER",
        ".usda": "windflower.export.usd:USD",
        ".usdc": "windflower.export.usd:USD",
        ".usdz": "windflower.export.usd:USD",
    }
)
"""Exporters by the suffix of the file, in lower case."""
