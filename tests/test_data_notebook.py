"""The notebook of data sets, cell by cell, with smaller pictures."""

import json
from pathlib import Path
from typing import Any

import pytest

from windflower.core.device import Gpu

NOTEBOOK = Path(__file__).parents[1] / "examples" / "data_passes.ipynb"


@pytest.mark.filterwarnings("ignore")
def test_the_notebook_shows_flow_depth_and_wind(
    gpu: Gpu, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    plt = pytest.importorskip("matplotlib.pyplot", reason="the notebook draws with matplotlib")
    plt.switch_backend("Agg")
    plt.close("all")
    monkeypatch.chdir(tmp_path)
    assert gpu.summary
    names: dict[str, Any] = {}
    for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]).replace("size = [240, 160]", "size = [120, 80]"), names)
    shown = [axis.get_images()[0].get_array() for axis in plt.figure(1).axes]
    assert len(shown) == 10
    assert all(picture.shape == (80, 120, 3) and picture.std() > 0 for picture in shown)
    assert len(plt.figure(2).axes[0].lines) == 2
    plt.close("all")
    assert names["along"] < 0.8 * names["without"]
    assert "along the flow" in capsys.readouterr().out
