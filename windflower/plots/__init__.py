"""Plots of plants, modes, winds and motions, with matplotlib (the `plot` extra).

Every function draws on the axes that it is given, or makes a figure, and returns the Axes: one `ax` where it draws one
panel, a list of `axes` where it draws several. `save_plot` writes their figure to a file:

    save_plot(plot_plant(grow("oak")), "oak.png")
"""

from windflower.plots.figure import save_plot
from windflower.plots.fit import plot_fit
from windflower.plots.loop import plot_loop
from windflower.plots.modes import plot_modes, plot_trajectories
from windflower.plots.plant import plot_plant, plot_plants
from windflower.plots.poses import plot_poses
from windflower.plots.risk import plot_risk, plot_stand_risk
from windflower.plots.sheet import plot_sheets
from windflower.plots.sway import plot_sway
from windflower.plots.wind import plot_wind

__all__ = [
    "plot_fit",
    "plot_loop",
    "plot_modes",
    "plot_plant",
    "plot_plants",
    "plot_poses",
    "plot_risk",
    "plot_sheets",
    "plot_stand_risk",
    "plot_sway",
    "plot_trajectories",
    "plot_wind",
    "save_plot",
]
