"""What the first picture of a page does without, so that it is there soon.

Without a graphics card a browser takes up to half a second for a pipeline, and a second each for sky and ground.
"""

from collections.abc import Iterator
from typing import Any

from windflower.web.tape import Tape

__all__ = ["first_facts"]

SPARED = ("render/wgsl/cloud_pass.wgsl", "render/wgsl/roots.wgsl")  # shaders of what comes later: clouds, and roots
PICTURES = ("ground materials", "tile of clouds")  # labels of textures whose pictures come later
PLAIN = {
    "render/wgsl/ground.wgsl": {"fs_view": "fs_plain"},
    "render/wgsl/leaves.wgsl": {"fs_view": "fs_plain"},
    "render/wgsl/sky.wgsl": {"fs_view": "fs_plain"},
    "render/wgsl/tubes.wgsl": {"vs_view": "vs_twig", "fs_view": "fs_twig"},
}
"""Entry points that stand in for others at first: less to compile, and to draw."""


def first_facts(tape: Tape) -> dict[str, Any]:
    """Numbers of things, for `late.js`.

    spared    pipelines of what is left out
    plain     by the numbers of pipelines: the entry points of their stages at first
    pictures  textures whose pictures come later; the first picture has their coarse levels
    """
    spared, plain = [], {}
    for number, call in enumerate(tape.things):
        if call[0] in ("createComputePipeline", "createRenderPipeline"):
            stages = list(_stages(tape, call[1]))
            if any(shader in SPARED for _, shader, _ in stages):
                spared.append(number)
            entries = {stage: PLAIN[shader][entry] for stage, shader, entry in stages if entry in PLAIN.get(shader, ())}
            if entries.keys() & {"compute", "fragment"}:
                plain[str(number)] = entries
    pictures = [number for label in PICTURES for number in tape.labels.get(label, [])]
    return {"spared": spared, "plain": plain, "pictures": pictures}


def _stages(tape: Tape, pipeline: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Stages of a pipeline, each with its shader and the name of its entry point."""
    for stage in ("compute", "vertex", "fragment"):
        if stage in pipeline:
            made = pipeline[stage]
            yield stage, tape.things[made["module"]["$"]][1]["label"], made["entryPoint"]
