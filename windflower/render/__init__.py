"""Rendering: the passes of a frame, pictures and videos.

rendering: render() ──> film: frames of a clip ──────────────────────────────────────┐
                          │ t                                                         │
DeviceSimulation ──> drawn_scene: culling, levels of detail, poses ──> frame: Frame ──┴─> renderer ──> output
                          │                                              ^                 shadow, view,
                     drawn_stand, one a stand                            │                 tone passes
                          │                          Sun ──> daylight: Light
                          ├── drawn           meshes and posed instances in GPU buffers
                          ├── surfaces        sheets: blades, flags, signs
                          └── impostors       cards of far plants, from an impostor_atlas baked once a plant

ground      ground, terrain and shade map on the device; ground_covers  what covers each kind of ground
sward       grass, herbs, dead leaves and stones on it; roots  those of trunks; ground_pipelines  their pipelines
pipelines   bind-group layouts and pipelines of all passes
quality     budgets by quality; memory  device memory of a scene; timing  GPU time of the passes
"""
