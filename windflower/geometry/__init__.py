"""Meshes at rest and posed, levels of detail, culling and baked textures; needs no device.

Plant, Blades, Sheet ──> plant_meshes, stand_meshes ──> Mesh of each level: what there is to draw, at rest
                                                          │
posed points (count, nodes, 3) ───────────────────────────┴─> frames ──> triangle_mesh: vertices and triangles

mesh, grids            segments, leaves and sheets as arrays that shaders read
frames, triangle_mesh  from posed nodes to triangles, in two steps; twins of deform.wgsl and grids.wgsl
rotations              how far segments have turned, carried along the path from the root
lod_meshes             meshes of all levels of a plant or a stand; mesh_ranges: of many plants as one
lod, culling, tiles    which instances are in a picture, and which level each has
leaf_textures, mipmaps, canopy_shade   what is painted once
"""
