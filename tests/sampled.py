"""Cases of a test of which the quick tests run a few."""

from collections.abc import Iterable
from typing import Any

import pytest

__all__ = ["sampled"]


def sampled(cases: Iterable[Any], *quick: Any) -> list[Any]:
    """Parameters of a test: those named stand in the quick tests, the others in the sweeps. A tuple is several."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=() if case in quick else pytest.mark.slow)
        for case in cases
    ]
