"""How limp axes follow the wind, on the device: the twin of `motion.limp.following`, behind steps that leave a push."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from windflower.core.buffers import Bindings, dispatch, kernel, read_floats, recorded, storage, uniform, zeros
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.motion.device.records import place_records
from windflower.motion.device.twin import Push
from windflower.motion.limp.following import FollowState
from windflower.motion.limp.limp_kernels import FELT, felt_records
from windflower.motion.limp.limp_motion import LimpMotion
from windflower.motion.places import Places
from windflower.motion.rhythm import clock_of, scrambled

__all__ = ["GpuFollowing", "follow_bytes"]

THREADS = 64  # as in follow.wgsl
SHADER = "motion/limp/follow.wgsl"
FOLLOW, PACE, FOLLOWER = (layout(SHADER, name) for name in ("Follow", "Pace", "Follower"))
FIELDS = ("tip", "base"), ("tip_rate", "base_rate")


def follow_bytes(motion: LimpMotion, count: int) -> int:
    """Bytes of the largest buffer for so many instances."""
    return FOLLOWER.itemsize * count * len(motion.chains)


class GpuFollowing:
    """What the chains of a stand feel, followed step by step on the device.

    felt  buffer of `Felt` in felt.wgsl: instances x chains
    """

    def __init__(self, gpu: Gpu, motion: LimpMotion, places: Places, state: FollowState) -> None:
        self.gpu, self.motion, self._stiffness = gpu, motion, places.stiffness
        shape = len(places) * len(motion.chains)
        self.felt = zeros(gpu, FELT.itemsize * shape, "felt by chains")
        self._state = zeros(gpu, FOLLOWER.itemsize * shape, "followers")
        self._pace = storage(gpu, _pace_records(motion), "pace of chains")
        self._places = storage(gpu, place_records(places), "places")
        self._pipeline = kernel(gpu, SHADER)
        self._rooms = [
            (uniform(gpu, FOLLOW.itemsize, "follow"), Bindings(gpu, self._pipeline.get_bind_group_layout(0)))
        ]
        self.write(state)

    def retune(self, motion: LimpMotion, places: Places) -> None:
        """Go on with other places or another motion below."""
        self.motion, self._stiffness = motion, places.stiffness
        self.gpu.queue.write_buffer(self._places, 0, place_records(places))
        self.gpu.queue.write_buffer(self._pace, 0, _pace_records(motion))

    def write(self, state: FollowState) -> None:
        """Replace the state."""
        records = np.zeros(state.share.shape, FOLLOWER)
        records["push"], records["share"] = state.push, state.share
        for names, values in zip(FIELDS, (state.felt, state.rate), strict=True):
            for place, name in enumerate(names):
                records[name] = values[:, :, place]
        self.gpu.queue.write_buffer(self._state, 0, records)
        felt = felt_records(self.motion.wind(state), state.share, self._stiffness)
        self.gpu.queue.write_buffer(self.felt, 0, felt)
        self._time, self._like = state.time, state

    def read(self) -> FollowState:
        """The state of all chains."""
        records = np.frombuffer(read_floats(self.gpu, self._state).tobytes(), FOLLOWER).reshape(
            len(self._stiffness), -1
        )
        felt, rate = (np.stack([records[name] for name in names], axis=2).astype(float) for names in FIELDS)
        return FollowState(
            felt=felt,
            rate=rate,
            push=records["push"].astype(float),
            share=records["share"].astype(float),
            number=self._like.number,
            key=self._like.key,
            time=self._time,
        )

    def step(self, pushes: Sequence[Push], dt: float) -> None:
        """Go on by dt s, at the end of which the dynamic wind in the cells is as blocks of the stand have left it."""
        self._time += dt
        seeds = [scrambled(np.uint32((self.motion.following.seed + one) % 2**32)) for one in range(2)]
        with recorded(self.gpu) as compute_pass:
            for number, push in enumerate(pushes):
                if number == len(self._rooms):
                    self._rooms.append((uniform(self.gpu, FOLLOW.itemsize, "follow"), self._rooms[0][1]))
                settings, bound = self._rooms[number]
                own = {"first": push.first, "count": push.count, "chains": len(self.motion.chains)}
                now = {"cells": push.cells, "dt": dt, "clock": clock_of(self._time)}
                values = record(FOLLOW, **own, **now, across=seeds[0], along=seeds[1])
                self.gpu.queue.write_buffer(settings, 0, values)
                group = bound.group(settings, push.buffer, self._pace, self._places, self._state, self.felt)
                dispatch(compute_pass, self._pipeline, group, -(-push.count * len(self.motion.chains) // THREADS))


def _pace_records(motion: LimpMotion) -> NDArray[np.void]:
    """(chains,) `Pace` in follow.wgsl."""
    following = motion.following
    records = np.zeros(len(motion.chains), PACE)
    for name in ("square", "by_weight", "turns", "lay", "brake"):
        records[name] = getattr(following, name)
    records["cell"] = motion.cell
    return records
