"""The strength of a wind is read in one way everywhere: a bare number is m/s, Beaufort is `b5` or a name."""

import numpy as np
import pytest

from windflower.batch import Sweep
from windflower.cli.options import wind_speeds
from windflower.errors import WindError
from windflower.export import ExportSettings
from windflower.wind import beaufort_speed, gusty_wind, speeds_text, strength_in, wind_from, wind_speed


def test_a_bare_number_is_metres_a_second_everywhere() -> None:
    expected = gusty_wind(9.0, seed=4, direction=90.0).velocity([3.0, 8.0, 2.0], 2.0)
    for word in ("9", "9.0", " 9 ", "9m/s", "9 M/S", "0.9e1", 9, 9.0, np.float64(9)):
        assert np.array_equal(wind_from(word, seed=4, direction=90.0).velocity([3.0, 8.0, 2.0], 2.0), expected)
    assert wind_speeds("3, 8m/s,b9") == (3.0, 8.0, beaufort_speed(9))
    assert ExportSettings(winds=(3, "b9")).winds == (3.0, beaufort_speed(9))  # type: ignore[arg-type]
    assert Sweep(["oak"], ["9", "gale", 2]).speeds == (9.0, beaufort_speed(8), 2.0)
    blown = wind_from("9", seed=4)
    assert wind_from(blown) is blown
    assert speeds_text((3, 9.5)) == "3.0 m/s (Beaufort 2), 9.5 m/s (Beaufort 5)"


@pytest.mark.parametrize(
    ("word", "rule"),
    [
        ("-1", "at least 0 m/s; it is -1"), ("nan", "finite number; it is nan"), ("inf", "finite number"),
        ("101", "at most 100 m/s; it is 101"), (1e9, "at most 100 m/s"), (True, "finite number"),
        ("b13", "from 0 .calm. to 12 .hurricane.; it is 13"), ("b2.5", "whole"), ("13bft", "it is 13"),
        ("36 km/h", "in m/s; it is '36 km/h'. Write 10."), ("20 knots", "Write 10.3"), ("10mph", "Write 4.47"),
    ],
)  # fmt: skip
def test_a_strength_that_no_wind_has_is_refused_in_one_sentence(word: str | float, rule: str) -> None:
    for read in (wind_from, wind_speed):
        with pytest.raises(WindError, match=rule) as error:
            read(word)
        assert "\n" not in str(error.value)
    with pytest.raises(WindError, match=rule):
        Sweep(["oak"], [word])
    with pytest.raises(WindError, match=rule):
        ExportSettings(winds=(word,))  # type: ignore[arg-type]


def test_what_is_no_strength_may_be_a_file() -> None:
    assert [strength_in(word) for word in ("mast.csv", "9.csv", "3d", "12.dat", "wind", "")] == [None] * 6
    with pytest.raises(WindError, match=r"a speed in m/s, a Beaufort number or a name; it is 'mast\.csv'"):
        wind_speed("mast.csv")
