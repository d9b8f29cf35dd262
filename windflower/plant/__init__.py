"""What the plant is: one immutable graph of nodes and segments, grown from a species or read from a file."""
