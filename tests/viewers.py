"""A viewer on a canvas without a window, driven by synthetic events under a manual clock."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.scene import parse_scene
from windflower.viewer.session import Session
from windflower.viewer.window import Window

TREE = """
seed = 5
[[stands]]
plant = "silver-birch"
detail = 0.06
scale_variation = 0.0
yaw_variation = 0.0
stiffness_variation = 0.0
motion = { kind = "modal", modes = 8, cells = 2 }
[wind]
speed = 5.0
[sun]
hour = 12.0
[camera]
kind = "orbit"
turn = 0.0
"""
SIZE = (640, 600)


class Driver:
    """Sends events to a viewer and looks at what it does."""

    def __init__(self, gpu: Gpu, folder: Path, text: str = TREE, *, ratio: float = 1.0) -> None:
        from rendercanvas.offscreen import RenderCanvas

        self.time = 0.0
        self.session = Session(parse_scene(text), folder=folder)
        self.session.display.resolution = 0.2
        self.canvas = RenderCanvas(size=SIZE, pixel_ratio=ratio)
        self.window = Window(self.canvas, self.session, gpu=gpu, now=lambda: self.time)

    def frames(self, count: int = 1, seconds: float = 1 / 30) -> NDArray[np.uint8]:
        """Draw some frames; the last one, with the panel."""
        image: Any = None
        for _ in range(count):
            self.time += seconds
            self.canvas._process_events()
            image = self.canvas.draw()
            if self.window.failure is not None:
                raise self.window.failure
        return np.asarray(image)[..., :3]

    def picture(self) -> NDArray[np.uint8]:
        """The latest picture without the panel."""
        return self.window.live.renderer.read()

    def let_pass(self, seconds: float, step: float = 0.1) -> list[FloatArray]:
        """Let the motion go on without drawing; where the first tree's nodes are after each step."""
        found = []
        for _ in range(round(seconds / step)):
            self.window._move(step)
            found.append(self.window.live.simulation.pose(0, 0, world=True))
        return found

    def settle(self) -> None:
        """Wait for the background build, and let it be shown."""
        while self.session.builder.busy:
            self.session.builder.wait()
            self.frames()

    def send(self, kind: str, **more: Any) -> None:
        """Submit an event."""
        self.canvas.submit_event({"event_type": kind, "modifiers": (), **more})

    def pointer(self, kind: str, x: float, y: float, *, button: int = 0, held: tuple[int, ...] = ()) -> None:
        """Submit a pointer event, and draw a frame so that it takes hold."""
        self.send(f"pointer_{kind}", x=x, y=y, button=button, buttons=held, ntouches=0, touches={})
        self.frames()

    def key(self, key: str) -> None:
        """Press and release a key."""
        self.send("key_down", key=key)
        self.frames()
        self.send("key_up", key=key)
        self.frames()

    def place(self, name: str, along: float = 0.5) -> tuple[float, float]:
        """Where a control of the panel is; `along` from its left to its right."""
        left, top, right, bottom = self.window.panel.form.rectangles[name]
        return left + along * (right - left), (top + bottom) / 2

    def click(self, name: str) -> None:
        """Press a control of the panel."""
        x, y = self.place(name)
        self.pointer("move", x, y)
        self.pointer("down", x, y, button=1, held=(1,))
        self.pointer("up", x, y, button=1)

    def slide(self, name: str, start: float, end: float) -> None:
        """Drag a slider of the panel."""
        self.pointer("move", *self.place(name, start))
        self.pointer("down", *self.place(name, start), button=1, held=(1,))
        self.pointer("move", *self.place(name, end), held=(1,))
        self.pointer("up", *self.place(name, end), button=1)

    def on_screen(self, point: FloatArray) -> tuple[float, float]:
        """Where a point of the world is in the window, in logical pixels."""
        projection = self.window.live.renderer.projection(self.session.camera.view)
        x, y, _, w = projection @ np.append(point, 1.0)
        width, height = self.canvas.get_logical_size()
        return width * (x / w + 1) / 2, height * (1 - y / w) / 2

    def nodes(self) -> FloatArray:
        """(nodes, 3) of the first tree, in the world."""
        return self.window.live.simulation.pose(0, 0, world=True)
