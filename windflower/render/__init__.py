"""What it looks like: meshes from posed nodes, passes, pictures and videos.

Scene ──> meshes, levels ──┐
poses on the GPU ──────────┼─> shadow pass ─> view pass ─> tone pass ──> window, picture, video
camera, sun ──> Frame ─────┘
"""
