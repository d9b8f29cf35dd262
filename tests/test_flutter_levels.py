"""Leaves flutter alike at every level of detail."""

import numpy as np
import pytest

from windflower import grow
from windflower.geometry.frames import LeafConditions, leaf_frames
from windflower.geometry.lod_meshes import plant_meshes
from windflower.wind import beaufort_speed


@pytest.mark.parametrize("force", [2, 6])
def test_an_aspen_flutters_as_far_at_four_levels(force: int) -> None:
    """Rms angle by which drawn cards turn from their mean, over the crown and two seconds."""
    lod, air = plant_meshes(grow("quaking-aspen", detail=0.3)), np.array([[beaufort_speed(force), 0.0, 0.0]])
    assert len(lod.meshes) == 4
    far = []
    for mesh in lod.meshes:
        turn = [
            leaf_frames(mesh, mesh.rest[None], LeafConditions(time=t, air=air)).turn[0] for t in np.arange(0, 2, 0.1)
        ]
        turns = np.array(turn)
        scalar = np.abs((turns[1:] * turns[:-1]).sum(axis=-1))
        far.append(np.sqrt(np.square(2 * np.arccos(np.clip(scalar, 0, 1))).mean()))
    assert np.degrees(far[0]) > 3
    assert far == pytest.approx([far[0]] * 4, rel=0.08)
