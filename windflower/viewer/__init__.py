"""Walk up to it: a window on a scene, with a panel and a hand.

settings ──> Workshop (thread) ──> Scene ──┐
   ^                                       ├─> Theatre (device) ──> picture ──blit──> canvas
Session <── Controls, Panel <── events     │                                 panel ──^
   └── clock, eye, hand, what is shown ────┘

session, cameras, clock, knobs, settings   what a person does; no window and no device
workshop, carry                            growing beside the frame, and taking over the motion
theatre, grasp, picking, strokes           the scene on the device, touched and marked
window, controls, panel/, recorder, blit   a canvas of rendercanvas: glfw, a notebook's, or none
"""

from windflower.viewer.opening import open_window, scene_or_plant, widget
from windflower.viewer.session import Session
from windflower.viewer.window import Window

__all__ = ["Session", "Window", "open_window", "scene_or_plant", "widget"]
