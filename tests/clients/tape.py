"""Tapes for tests in a browser: what was done natively, in the form that play.js makes."""

import base64
from typing import Any

from windflower.web.pruning import prune
from windflower.web.tape import Tape

__all__ = ["Makes", "lasting", "played_form"]

KINDS = ("createShaderModule", "createBindGroupLayout", "createPipelineLayout")


class Makes(Tape):
    """A tape of what is made, without the bytes of buffers and textures; nothing is drawn, what is read is empty."""

    def _catch_up(self, queue: Any) -> None:
        pass

    def _blob(self, data: bytes) -> int:  # noqa: ARG002 - no test looks at them
        return 0


def lasting(tape: Tape) -> Tape:
    """The same tape with modules, layouts and pipelines alone."""
    kept = {number for number, call in enumerate(tape.things) if call[0] in KINDS or call[0].endswith("Pipeline")}
    tape.sections, tape.blobs, tape.labels = {"start": []}, [], {}
    prune(tape, keep=kept)
    return tape


def played_form(tape: Tape) -> dict[str, Any]:
    """A tape as JSON: all things, the work of its start, and bytes in base64."""
    blobs = [base64.b64encode(data).decode() for data in tape.blobs]
    return {"things": tape.things, "start": tape.sections["start"], "blobs": blobs}
