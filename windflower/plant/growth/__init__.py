"""Growing a plant from a species and a seed."""
