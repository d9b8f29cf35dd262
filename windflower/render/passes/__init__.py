"""Data passes: what a simulation knows of each pixel, beside the picture.

scene ──> film ── two times, levels of detail fixed ──> data view (data_*.wgsl) ──> labels, motion, normals, albedo
                                                                                        │
            labels ──> ids of plants and species;  wind ──> at each pixel's place ──────┤
                                                                                        └──> FrameData ──> files
"""
