"""Array types, and read-only arrays."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = ["FloatArray", "IntArray", "freeze", "frozen"]

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Scalar = TypeVar("Scalar", bound=np.generic)


def freeze(owner: object, name: str, array: NDArray[np.generic]) -> None:
    """Set a read-only array on a frozen dataclass."""
    object.__setattr__(owner, name, frozen(array))


def frozen(array: NDArray[Scalar]) -> NDArray[Scalar]:
    """Make an array read-only."""
    array.flags.writeable = False
    return array
