"""Copies of what was posed in the frame before."""

from typing import Any

import numpy as np

from windflower.core.buffers import Recorder, read_floats, storage
from windflower.core.device import Gpu
from windflower.motion.device.twin import Posed
from windflower.render.remembered import Remembered


class Copies(Recorder):
    """A recorder that counts copies."""

    def __init__(self, gpu: Gpu) -> None:
        super().__init__(gpu)
        self.count = 0

    def copy_buffer_to_buffer(self, *copied: Any) -> None:
        self.count += 1
        super().copy_buffer_to_buffer(*copied)


def test_levels_that_share_a_buffer_share_its_copy_which_is_made_in_every_frame(gpu: Gpu) -> None:
    air, points, others = (storage(gpu, np.full(16, value, "<f4")) for value in (1.0, 2.0, 3.0))
    some = np.arange(2)
    remembered, copies = Remembered(gpu), []
    for number, shown in enumerate(((0, 1, 2), (1, 2), (0,))):
        gpu.queue.write_buffer(points, 0, np.full(16, 5.0 + number, "<f4"))
        recorder = Copies(gpu)
        remembered.begin(recorder, air, None)
        for level in shown:
            remembered.keep(recorder, level, [Posed(others if level == 2 else points, some)])
        assert recorder.count == 1 + len({level == 2 for level in shown}), "the wind, and each buffer once"
        gpu.queue.submit([recorder.finish()])
        assert (read_floats(gpu, remembered.air) == 1.0).all()
        taken = [remembered.take(level, [some]) for level in shown]
        for level, one in zip(shown, taken, strict=True):
            assert one is not None
            assert (read_floats(gpu, one[0].points) == (3.0 if level == 2 else 5.0 + number)).all()
            copies += [one[0].points] if level < 2 else []
        remembered.end()
        assert remembered.take(shown[0], [some]) is None
    assert all(copy is copies[0] for copy in copies), "what is drawn with it is bound once"
