"""Kernels at scale: the one device, its buffers, and the WGSL twins of the motions.

    Modes ──upload──> state kernel ──q──> pose kernel ──points──> renderer, or read back

Only this folder and `render` make GPU calls. Shaders are plain `.wgsl` files beside the code that runs them.
"""
