"""Modal states of some instances of a stand: taken out of a larger state, and put together."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from windflower.core.arrays import IntArray
from windflower.motion.modal.modal_motion import ModalState
from windflower.motion.places import Places
from windflower.motion.touch import Grips

__all__ = ["joined", "part"]


def part(state: ModalState, chosen: IntArray) -> ModalState:
    """Some of the instances of a state, with the grips on them."""
    mine = np.isin(state.grips.instance, chosen)
    rank = np.zeros(len(state), np.int64)
    rank[chosen] = np.arange(len(chosen))
    grips = state.grips
    return ModalState(
        places=state.places.some(chosen),
        q=state.q[chosen],
        rate=state.rate[chosen],
        lean=state.lean[chosen],
        lean_rate=state.lean_rate[chosen],
        push=state.push[chosen],
        grips=Grips(
            instance=rank[grips.instance[mine]],
            node=grips.node[mine],
            pull=grips.pull[mine],
            rate=grips.rate[mine],
            force=grips.force[mine],
        ),
    )


def joined(states: Sequence[ModalState]) -> ModalState:
    """The instances of all these states, one after the other."""
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
        push=np.concatenate([one.push for one in states]),
        grips=Grips(
            instance=np.concatenate([one.instance for one in grips]),
            node=np.concatenate([one.node for one in grips]),
            pull=np.concatenate([one.pull for one in grips]),
            rate=np.concatenate([one.rate for one in grips]),
            force=np.concatenate([one.force for one in grips]),
        ),
    )
