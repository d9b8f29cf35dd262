"""Figures for people: plants, modes and winds, drawn with matplotlib (the `plot` extra)."""
