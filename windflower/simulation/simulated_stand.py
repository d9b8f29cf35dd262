"""What every backend of a stand offers."""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray, IntArray
from windflower.motion.poses.pose import ShapeState
from windflower.motion.stand import Stand
from windflower.motion.touch import Touch
from windflower.wind import Wind

__all__ = ["SimulatedStand"]


class SimulatedStand(Protocol):
    """Protocol of a stand on a backend; `gone` (count,) are instances that broke and have stands of their own."""

    stand: Stand
    gone: NDArray[np.bool_]

    def advance(self, wind: Wind, times: FloatArray, touch: Touch | None) -> None:
        """Take a step to each of these times, s."""
        ...

    def points(self, instances: IntArray) -> FloatArray:
        """Node positions (n, nodes, 3) of some instances in their plant's frame, m."""
        ...

    def strain(self, instances: IntArray) -> FloatArray:
        """Largest strain (n, nodes) of the wood at each segment's base."""
        ...

    @property
    def air(self) -> FloatArray:
        """Wind (count, 3) over each crown, m/s."""
        ...

    def shape_state(self) -> ShapeState | None:
        """The motion as amounts of shapes; None if it does not move by shapes."""
        ...

    def resume(self, state: ShapeState) -> None:
        """Continue from amounts of shapes, where the same plants stand."""
        ...

    def fits(self, stand: Stand) -> bool:
        """Whether `retune` accepts this stand."""
        ...

    def retune(self, stand: Stand, dt: float) -> None:
        """Change stand or step, keeping the state."""
        ...

    def take_over(self, before: Any) -> None:
        """Continue another stand of the same backend where the same plants stand, as far as the models allow."""
        ...
