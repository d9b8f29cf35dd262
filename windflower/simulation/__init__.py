"""The scene in time, without a picture."""
