"""Pictures of data passes and of what data sets have drawn: colours and bars that tell what the numbers are."""

import numpy as np
import pytest

from windflower import pass_picture
from windflower.batch.summary import _counts, _small
from windflower.render.passes.registry import PASSES, Layer, layers_of


@pytest.mark.parametrize("layer", layers_of(PASSES.values()), ids=lambda layer: layer.name)
def test_every_layer_has_a_picture_also_where_there_is_nothing(layer: Layer) -> None:
    shape = (5, 7) if len(layer.channels) == 1 else (5, 7, len(layer.channels))
    for value in (0, 1, np.inf if layer.name == "depth" else 0):
        picture = pass_picture(layer.name, np.full(shape, value).astype(layer.dtype))
        assert picture.shape == (5, 7, 3)
        assert picture.dtype == np.uint8


def test_flow_has_a_hue_for_each_direction_and_is_stronger_where_it_is_longer() -> None:
    right, left, down, none = pass_picture("flow", np.array([[[2.0, 0], [-2, 0], [0, 2], [0, 0]]]), full=2.0)[0].astype(
        int
    )
    assert np.ptp(none) == 0
    assert min(np.abs(one - other).max() for one, other in ((right, left), (left, down), (right, down))) > 100
    weak, strong = pass_picture("flow", np.array([[[0.5, 0], [1.5, 0]]]), full=2.0)[0].astype(int)
    assert np.ptp(weak) < np.ptp(strong) < np.ptp(right)


def test_what_is_near_is_dark_and_the_sky_bright() -> None:
    shown = pass_picture("depth", np.array([[1.0, 3.0, 9.0, np.inf]]))[0, :, 0].astype(int)
    assert (np.diff(shown) > 0).all()
    assert shown[1] - shown[0] == pytest.approx(shown[2] - shown[1], abs=1), "equal factors are equal steps"


def test_ids_have_colours_of_their_own_that_stay() -> None:
    picture = pass_picture("instance", np.arange(30, dtype=np.uint32)[None])[0]
    assert len(np.unique(picture, axis=0)) == 30
    np.testing.assert_array_equal(pass_picture("instance", np.array([[7, 900]], np.uint32))[0, 0], picture[7])


def test_albedo_is_shown_as_a_display_has_it() -> None:
    assert pass_picture("albedo", np.full((1, 1, 3), 0.214, np.float32))[0, 0].tolist() == [127, 127, 127]


def test_small_pictures_of_labels_have_no_colours_between_two() -> None:
    ids = np.repeat(np.arange(1, 41, dtype=np.uint32), 10)[None].repeat(30, axis=0)
    picture = pass_picture("instance", ids)
    small = _small(picture, mixed=False).reshape(-1, 3)
    assert {*map(tuple, small.tolist())} <= {*map(tuple, picture.reshape(-1, 3).tolist())}
    assert len(np.unique(_small(picture, mixed=True).reshape(-1, 3), axis=0)) > 60


def test_few_whole_numbers_have_a_bar_each() -> None:
    assert _counts([3, 1, 1, 5], np.array([3.0, 1, 1, 5])) == [2, 0, 1, 0, 1]
    assert len(_counts([0.5, 7.5], np.array([0.5, 7.5]))) == len(_counts([0, 99], np.array([0.0, 99]))) > 5
