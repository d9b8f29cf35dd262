"""The picture of modes."""

from pathlib import Path

import pytest

from windflower import grow
from windflower.errors import MechanicsError
from windflower.mechanics import analyse
from windflower.plots import plot_modes, save_plot


def test_modes_are_drawn_side_by_side(tmp_path: Path) -> None:
    modes = analyse(grow("palm", seed=1, detail=0.3), count=12, cache=False)
    save_plot(plot_modes(modes), tmp_path / "all.png")
    save_plot(plot_modes(modes, numbers=[1, 12]), tmp_path / "two.png")
    assert (tmp_path / "all.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "all.png").stat().st_size > (tmp_path / "two.png").stat().st_size > 5_000


@pytest.mark.parametrize("numbers", [[], [0], [1, 13]])
def test_modes_that_are_not_there_are_not_drawn(tmp_path: Path, numbers: list[int]) -> None:
    modes = analyse(grow("palm", seed=1, detail=0.3), count=12, cache=False)
    with pytest.raises(MechanicsError, match="from 1 to 12"):
        plot_modes(modes, numbers=numbers)
    assert not list(tmp_path.iterdir())
