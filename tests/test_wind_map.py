"""The wind over the grass: kernels find the same map as the processor."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.device import Gpu
from windflower.render.wind_map import SIDE, DrawnWindMap, FoundWindMap, WindMap
from windflower.wind import Vortex, Wind

WAY = ((0.0, 2.03), (0.0, 2.05), (1.0, 2.05), (6.0, 2.05), (12.0, 2.18), (900.0, 2.18))  # m along x, at s


def read(gpu: Gpu, texture: Any) -> NDArray[np.float16]:
    layout = {"bytes_per_row": 8 * SIDE, "rows_per_image": SIDE}
    data = gpu.queue.read_texture({"texture": texture}, layout, (SIDE, SIDE, 1))
    return np.frombuffer(data, "<f2").reshape(SIDE, SIDE, 4)[..., :2]


@pytest.mark.parametrize(
    "wind",
    [Wind.beaufort(5), Wind.beaufort(4, seed=3) + Vortex(centre=(5.0, 0.0), radius=8.0, speed=6.0)],
    ids=["carried", "with a vortex, which is asked place by place"],
)
def test_kernels_find_the_map_of_the_processor(gpu: Gpu, wind: Wind) -> None:
    asked, found = DrawnWindMap(gpu), FoundWindMap(gpu)
    before: FloatArray | None = None
    for x, time in WAY:
        wind_map = WindMap.about(np.array([x, 2.0, -3.0]), wind, time, 0.2)
        asked.write(wind_map)
        found.write(wind_map)
        encoder = gpu.device.create_command_encoder()
        found.record(encoder)
        gpu.queue.submit([encoder.finish()])
        now = asked._texels.astype(float)
        assert np.abs(now).max() > 0.5
        for texture, texels in ((found._texture, now), (found._texture_before, now if before is None else before)):
            np.testing.assert_allclose(read(gpu, texture), texels, atol=2e-3 * np.abs(texels).max())
        before = now
