"""The notebook's two cells, run as a notebook would run them."""

import asyncio
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from windflower.core.device import Gpu

NOTEBOOK = Path(__file__).parents[1] / "examples" / "notebook.ipynb"


def cells() -> list[str]:
    found = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in found if cell["cell_type"] == "code"]


@pytest.mark.filterwarnings("ignore")
def test_the_notebook_shows_frames_and_takes_commands(gpu: Gpu) -> None:
    pytest.importorskip("jupyter_rfb", reason="the widget needs jupyter_rfb")
    pytest.importorskip("imgui_bundle", reason="the panel needs imgui-bundle")
    assert gpu.summary
    names: dict[str, Any] = {}
    frames: list[tuple[int, ...]] = []

    async def read() -> None:
        first, second, _ = cells()
        exec(first, names)
        view = names["view"]
        view.send_frame = lambda frame, *_: frames.append(np.asarray(frame).shape)
        view.handle_event({"event_type": "resize", "width": 320.0, "height": 200.0, "pixel_ratio": 1.0})
        view.force_draw()
        exec(second, names)
        view.force_draw()
        assert view.window.failure is None
        view.close()

    asyncio.run(read())
    assert frames == [(200, 320, 4)] * 2
    session = names["view"].window.session
    assert session.settings.wind.preset == "gale"
    assert len(session.settings.wind.gusts) == 1
