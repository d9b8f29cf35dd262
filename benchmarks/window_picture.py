"""The picture of docs/viewer.md, drawn without a window: `python benchmarks/window_picture.py docs/viewer.webp`.

A storm bends a bare walnut, the colours show the strain of its wood, and a hand pulls a branch.
"""

import sys
from pathlib import Path

import numpy as np
from rendercanvas.offscreen import RenderCanvas

from windflower.render.output import save_picture
from windflower.scene import SceneSettings, read_scene
from windflower.viewer.picking import Hand
from windflower.viewer.session import Session
from windflower.viewer.window import Window

FPS, UNTIL = 10, 7.5  # frames a second, and when the picture is taken, s
PULL = np.array([1.3, -0.25, 0.4])  # m
LOW = 0.45  # share of the height below which the branch begins that is pulled


def storm() -> SceneSettings:
    """The stock scene's walnut without leaves, in a storm."""
    tables = read_scene("walnut-in-a-breeze").model_dump(exclude_unset=True)
    tables["stands"][0]["leaves"] = False
    tables["wind"] = {"preset": "storm"}
    tables["camera"] |= {"turn": 0.0, "elevation": 2.0, "target": [0.0, 4.2, 0.0], "distance": 18.0}
    return SceneSettings.model_validate(tables)


def main(path: Path) -> None:
    """Draw frames until the hand has bent the branch, and keep the last."""
    session, now = Session(storm()), [0.0]
    session.display.paint, session.display.statistics = "strain", False
    window = Window(RenderCanvas(size=(1280, 720)), session, now=lambda: now[0])
    plant = session.scene.stands[0].plant
    low = np.flatnonzero((plant.order > 0) & (plant.position[:, 1] < LOW * plant.height))
    node = int(low[np.argmax(plant.position[low, 0])])
    held = session.scene.stands[0].places.to_world(plant.position[[node]])[0, 0]
    picture = None
    for number in range(round(UNTIL * FPS)):
        now[0] = (number + 1) / FPS
        grown = min(now[0] / 3, 1.0)
        session.hand = Hand(0, 0, node, held + grown * PULL, np.zeros(3))
        if number + 12 > UNTIL * FPS:  # only the last frames are seen
            session.greet()
            session.display.quality = "good"
            window.canvas._process_events()
            picture = np.asarray(window.canvas.draw())[..., :3]
        else:
            window._move(1 / FPS)
    save_picture(path, np.ascontiguousarray(picture))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
