"""The simulation of a scene over time, without a picture.

Scene ──> simulation ── advance, grab ──> stands on a backend ── pose, strain, air ──> geometry, export, numbers
                                           numpy_stand   the motions' NumPy reference
                                           device_stand  their GPU twins ──> render

simulation      Simulation, DeviceSimulation: all stands under one wind, grabs, and scene changes while they move
breakage        plants that break: what is left of them and what came off, as stands of their own
simulated_stand the protocol of both backends
ground_wind     the wind over the ground, as grass and water feel it
falling_leaves  shed leaves, stepped on the device
figure          collision capsule of a person who walks with the camera
"""

from windflower.simulation.simulation import DeviceSimulation, Simulation

__all__ = ["DeviceSimulation", "Simulation"]
