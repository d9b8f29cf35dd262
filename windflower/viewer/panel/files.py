"""The panel's part about scene files, pictures and clips."""

from windflower.scene import scene_names
from windflower.viewer.panel.form import Form
from windflower.viewer.recorder import Recorder
from windflower.viewer.session import Session

__all__ = ["Names", "files_part"]


class Names:
    """What a person has typed so far."""

    def __init__(self) -> None:
        self.scene = "scene.toml"


def files_part(form: Form, session: Session, recorder: Recorder, names: Names) -> None:
    """Save and open scenes; take pictures and clips."""
    names.scene = form.text("scene file", names.scene)
    pressed = form.buttons(("Save", "Open"))
    if pressed == "Save":
        session.save(names.scene)
    elif pressed == "Open":
        session.open(names.scene)
    chosen = form.choice("scenes", "", scene_names(), tip="those that come with Windflower")
    if chosen:
        session.open(chosen)
    recording = "Stop recording" if recorder.recording else "Record a clip"
    pressed = form.buttons(("Take a picture", recording))
    if pressed == "Take a picture":
        recorder.wanted = True
    elif pressed:
        recorder.toggle()
