"""The panel's part about what is shown, and how."""

from windflower.render.quality import QUALITIES
from windflower.viewer.panel.form import Form
from windflower.viewer.session import Session
from windflower.viewer.view_state import PAINTS, SHADOWS

__all__ = ["view_part"]

CAMERAS = ("orbit", "walk", "the scene's own")


def view_part(form: Form, session: Session) -> None:
    """Camera, maps and marks, quality."""
    display = session.display
    _camera(form, session)
    display.paint = (
        form.choice("colours", display.paint, PAINTS, tip="strain: where it would break; branches: what moves them")
        or display.paint
    )
    if display.paint == "strain":
        scale = form.slider(
            "strain scale", 100 * display.strain_scale, 0.02, 1.0, "%.2f %%", curved=True, tip="shown in red"
        )
        display.strain_scale = scale.value / 100
    display.skeleton = form.check("skeleton", display.skeleton, tip="the nodes and segments that move (K)")
    form.gui.same_line(150)
    display.statistics = form.check("statistics", display.statistics)
    display.disks = form.check("disks of wind", display.disks, tip="as circles on the ground (C)")
    display.shadows = (
        form.choice("shadows", display.shadows, SHADOWS, tip="planar is quicker; hills have the map") or display.shadows
    )
    display.quality = form.choice("quality", display.quality, QUALITIES) or display.quality
    size = form.slider(
        "resolution", 100 * display.resolution, 20.0, 100.0, "%.0f %%", tip="of the picture over the window's"
    )
    if size.done:
        display.resolution = round(size.value) / 100
    elif size.changed:
        form.gui.set_item_tooltip("let go to apply")


def _camera(form: Form, session: Session) -> None:
    now = CAMERAS[2] if not session.moved else CAMERAS[1] if session.walking else CAMERAS[0]
    chosen = form.choice("camera", now, CAMERAS, tip="V walks, F follows the scene's own")
    if chosen == CAMERAS[2]:
        session.follow()
    elif chosen:
        session.look(session.camera)
        session.walk(chosen == CAMERAS[1])
    wide = form.slider("view angle", session.camera.field_of_view, 10.0, 100.0, "%.0f°")
    if wide.changed:
        session.set_field_of_view(wide.value)
