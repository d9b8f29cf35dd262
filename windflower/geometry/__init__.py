"""Meshes at rest and posed, levels of detail, culling and baked textures; needs no device.

Plant, Blades, Sheet ──> lod_meshes ──> mesh of each level at rest (mesh, grids) ──> render: vertex buffers
                            │               │
                            │           posed nodes (count, nodes, 3) ──> frames ──> triangle_mesh ──> export
                            v
Places, camera ──────> culling ──> candidates ──> lod: level of each visible instance ──> render

mesh, grids            segments, leaves and sheets as arrays that shaders read
mesh_ranges            meshes of different plants merged into one
frames, triangle_mesh  from posed nodes to triangles, in two steps; twins of deform.wgsl and grids.wgsl
leaf_textures          leaf card textures with mipmaps
phototropism           leaves turned to the light, before they are drawn
sprigs, sprig_cards    the leaves of a slot as a few cards of real size, and their corners
crown_light            sky light on each leaf, baked from the leaf area around it
bark, sheet_textures   bark, veins and flags as pictures; twins of tubes.wgsl and surface.wgsl
finishes               which of them a plant or an object has, and in which colours
canopy_shade           map of the forest's shade on the ground
sward, trunks          tiles on which grass is drawn; feet and roots of trunks
ground_textures        tiling textures of soil, turf, dead leaves, moss, sand and snow
"""
