"""From amounts of shapes to node positions, in NumPy and on the device."""
