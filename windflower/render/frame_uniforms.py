"""Uniform buffers of a frame: the camera and all that shaders know of the moment, the lens, and the exposure."""

import numpy as np
from numpy.typing import NDArray

from windflower.core.arrays import FloatArray
from windflower.core.buffers import uniform
from windflower.core.device import Gpu
from windflower.core.layouts import layout, record
from windflower.core.quick_calls import write_buffer
from windflower.motion.rhythm import PERIOD
from windflower.render.cloud_tile import CLOUD_TILE
from windflower.render.frame import Frame
from windflower.render.ground_covers import JUNE
from windflower.render.pipelines import FRAME
from windflower.render.quality import Quality
from windflower.render.temporal import Temporal, jitter
from windflower.scene import View
from windflower.scene.camera import NEAR, shadow_projection

__all__ = ["CLOUD_SHADOW", "REPEATS", "SUN_RADIUS", "FrameUniforms"]

LENS, TONE = layout("render/wgsl/focus.wgsl", "Lens"), layout("render/wgsl/tone.wgsl", "Tone")
REPEATS = 8192.0  # path of the air, m, after which noise that it carries repeats, as in drift.wgsl
CLOUD_SHADOW = 0.82  # share of the sun that a cloud takes
SUN_RADIUS = 0.0047  # angular radius of the sun, rad
FRAMES = 64  # after which stippling repeats
MIRROR, HERE = np.diag([1.0, -1.0, 1.0, 1.0]), np.eye(4)


class FrameUniforms:
    """Uniform buffers of a renderer for pictures of one size.

    frame     `Frame` of frame.wgsl; shifted by a part of a pixel where frames are gathered over time
    mirrored  the same for the camera's mirror image below the water
    before    the same of the frame before; steady: of this one, without the shift
    lens, tone  `Lens` of focus.wgsl and `Tone` of tone.wgsl
    """

    def __init__(
        self, gpu: Gpu, size: tuple[int, int], quality: Quality, *, planar: bool = False, transparent: bool = False
    ) -> None:
        self._gpu, self._size, self._quality = gpu, size, quality
        self._planar, self._transparent = planar, transparent
        self.frame, self.mirrored, self.before, self.steady = (
            uniform(gpu, FRAME.itemsize, label) for label in ("frame", "mirrored frame", "frame before", "steady frame")
        )
        self.lens, self.tone = uniform(gpu, LENS.itemsize, "lens"), uniform(gpu, TONE.itemsize, "tone")

    def write(self, frame: Frame, hills: float, temporal: Temporal | None) -> None:
        """Upload all of a frame but its lens.

        hills     scale of the map of their shadows
        temporal  anti-aliasing over time, if there is any
        """
        fields = self.record(frame, hills)
        self._write_camera(self.mirrored, fields, frame, mirror=MIRROR)
        if temporal:
            self._write_times(temporal, fields, frame)
        else:
            self._write_camera(self.frame, fields, frame)
        tone = record(TONE, exposure=frame.light.exposure, is_transparent=self._transparent)
        write_buffer(self._gpu.queue, self.tone, 0, tone)

    def write_lens(self, view: View) -> None:
        """Upload the lens."""
        focus = view.focus or float(np.linalg.norm(view.target - view.eye))
        scale = 1 / view.pixel(self._size)
        lens = record(LENS, focus=focus, aperture=view.aperture, near=NEAR, scale=scale)
        write_buffer(self._gpu.queue, self.lens, 0, lens)

    def record(self, frame: Frame, hills: float) -> NDArray[np.void]:
        """Record `Frame` of frame.wgsl, without the fields that a mirror changes; for `hills` see `write`."""
        light, around, ground = frame.light, frame.around, frame.around.ground
        shadow, texel, _ = shadow_projection(light.sun, *frame.bounds, self._quality.shadow)
        return record(
            FRAME,
            light_proj=shadow.T,
            sun=(*light.sun, SUN_RADIUS),
            sun_colour=(*light.sun_colour, light.dark),
            aloft=(*light.aloft, JUNE if ground.day is None else ground.day),
            star=(*light.star, light.clouds),
            ambient=np.pad(light.ambient, ((0, 0), (0, 1))),
            clock=(
                frame.time % (around.period or PERIOD),  # after hours a float32 clock is coarse
                0.0 if around.period else frame.time // PERIOD % 2**24,
                around.period,
                float(ground.terrain is not None),
            ),
            viewport=(*self._size, frame.view.pixel(self._size), light.haze),
            shadow=(self._quality.shadow, texel, light.shadow, float(self._planar)),
            wind=(*around.wind, float(ground.underwater)),
            path=np.concatenate([around.path, around.path_a_loop_earlier]) % REPEATS,
            clouds=(*(around.clouds % CLOUD_TILE), CLOUD_SHADOW, hills),
            breeze=around.wind_map.place if around.wind_map else (0.0, 0.0, 0.0, 1.0),
        )

    def _write_camera(
        self,
        buffer: object,
        fields: NDArray[np.void],
        frame: Frame,
        *,
        mirror: FloatArray = HERE,
        shift: FloatArray = HERE,
    ) -> None:
        """Upload a record with the frame's camera, mirrored in the world or shifted in the picture."""
        projection = shift @ frame.view.projection(self._size) @ mirror
        fields["view_proj"], fields["inverse_view_proj"] = projection.T, np.linalg.inv(projection).T
        fields["eye"] = (*(mirror[:3, :3] @ frame.view.eye), frame.time)
        write_buffer(self._gpu.queue, buffer, 0, fields)

    def _write_times(self, temporal: Temporal, fields: NDArray[np.void], frame: Frame) -> None:
        """Upload this frame, shifted by a part of a pixel and without, and the one before."""
        temporal.follow(frame.view)
        projection, number = frame.view.projection(self._size), temporal.number
        self._write_camera(self.steady, fields, frame)
        before_proj, before = temporal.before(projection, fields)
        write_buffer(self._gpu.queue, self.before, 0, before)
        temporal.keep(frame.view, projection, fields)
        aside = jitter(number)
        shift = np.eye(4)
        shift[:2, 3] = 2 * aside * (1, -1) / self._size
        fields["before_proj"], fields["before_eye"] = before_proj.T, before["eye"]
        fields["jitter"] = (*aside, number % FRAMES, 0.0)
        self._write_camera(self.frame, fields, frame, shift=shift)
