"""A picture onto a canvas's texture, whatever the size of either."""

from typing import Any

from windflower.core.device import Gpu
from windflower.core.shaders import shader_module

__all__ = ["Blit"]


class Blit:
    """Draws a texture over all of another, whose format is given."""

    def __init__(self, gpu: Gpu, form: str) -> None:
        self.gpu = gpu
        self._sampler = gpu.device.create_sampler(mag_filter="linear", min_filter="linear")
        module = shader_module(gpu, "viewer/blit.wgsl")
        linear = {"LINEAR": int(form.endswith("-srgb"))}
        self._pipeline = gpu.device.create_render_pipeline(
            label="blit",
            layout="auto",
            vertex={"module": module, "entry_point": "vs_view"},
            primitive={"topology": "triangle-list"},
            fragment={"module": module, "entry_point": "fs_view", "constants": linear, "targets": [{"format": form}]},
        )

    def draw(self, picture: Any, target: Any) -> None:
        """Draw a picture over a target."""
        resources = [picture.create_view(), self._sampler]
        group = self.gpu.device.create_bind_group(
            layout=self._pipeline.get_bind_group_layout(0),
            entries=[{"binding": number, "resource": item} for number, item in enumerate(resources)],
        )
        encoder = self.gpu.device.create_command_encoder()
        blit_pass = encoder.begin_render_pass(
            color_attachments=[
                {
                    "view": target.create_view(),
                    "resolve_target": None,
                    "clear_value": (0, 0, 0, 1),
                    "load_op": "clear",
                    "store_op": "store",
                }
            ]
        )
        blit_pass.set_pipeline(self._pipeline)
        blit_pass.set_bind_group(0, group)
        blit_pass.draw(3)
        blit_pass.end()
        self.gpu.queue.submit([encoder.finish()])
