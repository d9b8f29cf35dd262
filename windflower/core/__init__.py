"""The base of all other packages: arrays, rotations, random numbers, tables, files, and the GPU device.

arrays ──> vectors (…, 3) ──> components (3, …), quaternions (…, 4, instances)      NumPy only
randomness    hashed random numbers, a pure function of seed and keys
registry      parts by name, imported on first use: motions, wind sources, importers, exporters
table         base class and number types of the tables of a scene file
files         NumPy archives and atomic writes; kept  textures that are made once and kept on disk

.wgsl files ──> shaders (includes) ──> layouts: structs as NumPy dtypes ──┐
adapter ──────> device: Gpu ──────────────────────────────────────────────┴─> buffers: upload, bind, dispatch, read

Only device, shaders, layouts and buffers deal with the GPU; wgpu is imported when a device is first opened.
"""
