"""Meshes, levels of detail, culling and baked textures; needs no device."""
