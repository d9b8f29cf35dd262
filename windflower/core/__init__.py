"""What everything stands on: arrays, rotations, randomness, tables, files, and the device."""
