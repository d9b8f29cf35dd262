"""The state of modal motion: amplitudes of modes and static vectors, and what hands add."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from windflower.core.arrays import FloatArray, IntArray
from windflower.motion.places import Places
from windflower.motion.touch import Grips

__all__ = ["ModalState"]


@dataclass(frozen=True, eq=False, kw_only=True)
class ModalState:
    """Amplitudes of the modes and static vectors, at each place.

    q, rate          (count, modes)     amplitudes of the modes and their rates of change
    lean, lean_rate  (count, cells, 3)  amounts of the static vectors, (m/s)², and theirs
    slow, band       (count, modes)     of each modal force, what is slower than the mode and what is as fast as it
    push             (count, cells, 3)  the dynamic wind at the end of the last step, in the plant's frame, (m/s)²
    excess           (count, modes + 3 cells)  modal forces, and what static vectors follow, on the posed shape, less
                                        those on the shape at rest: see `posed_forces`
    grips                               what hands add
    """

    places: Places
    q: FloatArray
    rate: FloatArray
    lean: FloatArray
    lean_rate: FloatArray
    slow: FloatArray
    band: FloatArray
    push: FloatArray
    excess: FloatArray
    grips: Grips

    def __len__(self) -> int:
        return len(self.q)

    @property
    def amount(self) -> FloatArray:
        """(count, modes + 3 cells) how much there is of each shape: modes, then static vectors cell by cell."""
        return np.concatenate([self.q, self.lean.reshape(len(self), -1)], axis=1)

    @property
    def amount_rate(self) -> FloatArray:
        """(count, modes + 3 cells) how fast those amounts change."""
        return np.concatenate([self.rate, self.lean_rate.reshape(len(self), -1)], axis=1)

    def with_amounts(self, amount: FloatArray, rate: FloatArray, *, excess: FloatArray) -> "ModalState":
        """The same state with other amounts of all shapes (count, modes + 3 cells), and their rates and excess."""
        modes = self.q.shape[1]
        q, lean = amount[:, :modes], amount[:, modes:].reshape(self.lean.shape)
        q_rate, lean_rate = rate[:, :modes], rate[:, modes:].reshape(self.lean.shape)
        return replace(self, q=q, rate=q_rate, lean=lean, lean_rate=lean_rate, excess=excess)

    def some(self, chosen: IntArray) -> "ModalState":
        """The state of some instances, with the grips on them."""
        grips = self.grips
        mine = np.isin(grips.instance, chosen)
        rank = np.zeros(len(self), np.int64)
        rank[chosen] = np.arange(len(chosen))
        return ModalState(
            places=self.places.some(chosen),
            q=self.q[chosen],
            rate=self.rate[chosen],
            lean=self.lean[chosen],
            lean_rate=self.lean_rate[chosen],
            slow=self.slow[chosen],
            band=self.band[chosen],
            push=self.push[chosen],
            excess=self.excess[chosen],
            grips=Grips(
                instance=rank[grips.instance[mine]],
                node=grips.node[mine],
                pull=grips.pull[mine],
                rate=grips.rate[mine],
                force=grips.force[mine],
            ),
        )

    @staticmethod
    def joined(states: "Sequence[ModalState]") -> "ModalState":
        """One state of the instances of all of these, in order."""
        first = np.cumsum([0, *map(len, states)])
        grips = [replace(one.grips, instance=one.grips.instance + k) for one, k in zip(states, first, strict=False)]
        places = [one.places for one in states]
        return ModalState(
            places=Places(
                np.concatenate([one.position for one in places]),
                yaw=np.concatenate([one.yaw for one in places]),
                scale=np.concatenate([one.scale for one in places]),
                stiffness=np.concatenate([one.stiffness for one in places]),
            ),
            q=np.concatenate([one.q for one in states]),
            rate=np.concatenate([one.rate for one in states]),
            lean=np.concatenate([one.lean for one in states]),
            lean_rate=np.concatenate([one.lean_rate for one in states]),
            slow=np.concatenate([one.slow for one in states]),
            band=np.concatenate([one.band for one in states]),
            push=np.concatenate([one.push for one in states]),
            excess=np.concatenate([one.excess for one in states]),
            grips=Grips(
                instance=np.concatenate([one.instance for one in grips]),
                node=np.concatenate([one.node for one in grips]),
                pull=np.concatenate([one.pull for one in grips]),
                rate=np.concatenate([one.rate for one in grips]),
                force=np.concatenate([one.force for one in grips]),
            ),
        )
