"""From amounts of shapes to node positions, in NumPy and on the device.

    amounts (count, shapes) ──> pose ──> points (count, nodes, 3)

pose          linear and rotated poses; correction  the paper's; paths  sums from the root along every path
single_pose   the rotated pose in single precision, for forests; compiled, transposed  loops for it that numba compiles
large_turns   rotations by the angle of their vector, and the moments that drive them
details       the same shapes on fewer nodes and modes, for levels of detail
posed_levels  poses of a stand on the device, level by level; sheets  their buffers and dispatches
level_shapes  what is constant at a level; path_chunks  how paths are cut for it; level_gauges  strain at its nodes
sheet_limits  up to where sheets may be moved by shapes
"""
