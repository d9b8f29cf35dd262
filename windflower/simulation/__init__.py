"""The scene in time, without a picture.

Scene ──> Simulation ── advance, grab ──> stands on a backend ── pose, strain, air ──> geometry, export, numbers
                                           NumpyStand   the motions' own NumPy
                                           DeviceStand  their twins on the device ──> render

simulation      all stands under one wind, hands on them, and changes while they move
falling_leaves  leaves that come off on the device
figure          someone who walks with the camera
"""

from windflower.simulation.simulation import DeviceSimulation, Simulation

__all__ = ["DeviceSimulation", "Simulation"]
