"""A plant fitted to what was measured on it: stiffness over density, roots over stem, crown over stem.

 measured_sway ──> measured: frequencies, damping, a pull ──┐
                                                            ├─> search ──> intervals ──> fitted: Fit ──> notes
 Plant, Wood ──> reduced: few coordinates ──> sightings ────┘

reduced    the plant in few coordinates, for factors of any size
sightings  which modes a measured frequency is told from
search     least squares
intervals  how far each value may go until the measurements object
notes      what cannot be told apart, in plain sentences
"""

from windflower.mechanics.fitting.fitted import Fit, Fitted, fit
from windflower.mechanics.fitting.measured import DAMPING_ERROR, ERROR, Measured, Pull

__all__ = ["DAMPING_ERROR", "ERROR", "Fit", "Fitted", "Measured", "Pull", "fit"]
