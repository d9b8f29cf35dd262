"""A part of a mesh in a file: the vertices of one material, with all that they need for it."""

from dataclasses import dataclass

from windflower.core.arrays import FloatArray, IntArray

__all__ = ["Part"]


@dataclass(frozen=True, eq=False)
class Part:
    """Vertices of one material.

    vertex   (vertices,)     which vertices of the mesh they are
    triangle (triangles, 3)  numbered among them
    normal   (vertices, 3)
    uv       (vertices, 2)   y down
    colour   (vertices, 3)   factor on the texture, linear
    tangent  (vertices, 4)   or None where there is no relief
    """

    vertex: IntArray
    triangle: IntArray
    normal: FloatArray
    uv: FloatArray
    colour: FloatArray
    tangent: FloatArray | None = None
