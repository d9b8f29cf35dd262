"""The interactive viewer of a scene: real-time picture, control panel, camera, and grabbing of branches.

pointer, keys ──> input ──┐
                          v
   panel/ ───────────> session ── scene_edits ──> settings ──> background_build (thread) ──┐
                          │                                                                 v
                          │ clock and display options (view_state), view_camera, hand     scene
                          v                                                                 │
                       live_scene (device: grasp, picking, overlays)   <─────────────────┘
                          │
                          └──> picture ──> window ──> canvas, with panel/ and statistics over it
                                             └──────> recorder ──> PNG, MP4

session, scene_edits, view_state, view_camera need no window and no device. The canvas is one of rendercanvas: a
desktop window or a notebook's widget (opening), or offscreen (tests).
"""

from windflower.viewer.opening import view, widget
from windflower.viewer.session import Session
from windflower.viewer.window import Window

__all__ = ["Session", "Window", "view", "widget"]
