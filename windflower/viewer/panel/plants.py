"""The panel's part about plants: what they are, how many, how they grow and how they move."""

from windflower.mechanics.things import THINGS
from windflower.plant.species import species_names
from windflower.scene.stand_table import StandSettings
from windflower.viewer.panel.form import Form
from windflower.viewer.panel.motion import motion_part
from windflower.viewer.scene_edits import GrowthControl
from windflower.viewer.session import Session

__all__ = ["plants_part"]

MOST_TREES = 2000


def plants_part(form: Form, session: Session) -> None:
    """The selected stand, its growth and its motion."""
    stands = session.settings.stands
    if stands:
        _stand_choice(form, session)
        _kind(form, session, session.selected)
        if stands[session.selected].is_grown and form.branch("growth"):
            _growth(form, session, session.selected)
            form.gui.tree_pop()
        if form.branch("motion", opened=True):
            motion_part(form, session, session.selected)
            form.gui.tree_pop()
    else:
        form.gui.text_disabled("an empty meadow")
    added = form.choice("plant more", "", _kinds(), tip="one more kind of plant, or thing, in this scene")
    if added:
        session.add_stand(added)


def _stand_choice(form: Form, session: Session) -> None:
    stands = session.settings.stands
    if len(stands) > 1:
        names = [f"{number + 1}: {_name(stand)}" for number, stand in enumerate(stands)]
        chosen = form.choice("stand", names[session.selected], names)
        if chosen:
            session.selected = names.index(chosen)


def _kinds() -> tuple[str, ...]:
    return (*species_names(), *THINGS)


def _name(stand: StandSettings) -> str:
    return stand.plant.replace("\\", "/").rsplit("/", 1)[-1]


def _kind(form: Form, session: Session, index: int) -> None:
    stand = session.settings.stands[index]
    names = _kinds() if stand.plant in _kinds() else (_name(stand), *_kinds())
    species = form.choice("species", _name(stand), names)
    if species and species in _kinds():
        session.set_stand(index, plant=species, changes={})
    if stand.is_grown:
        seed = form.whole("seed", stand.seed, 0, 10_000, tip="which specimen of the species")
        if seed.changed and seed.value != stand.seed:
            session.set_stand(index, seed=int(seed.value))
    count = len(stand.positions) if stand.positions else stand.count or 1
    turned = form.whole("count", count, 1, MOST_TREES)
    if turned.changed and turned.value != count:
        session.set_stand(index, count=int(turned.value), positions=None)
    leaves = form.check("leaves", stand.leaves, tip="without, the tree is bare and catches less wind")
    if leaves != stand.leaves:
        session.set_stand(index, leaves=leaves)
    form.gui.same_line()
    if form.button("remove", tip="take this kind out of the scene"):
        session.remove_stand(index)


def _growth(form: Form, session: Session, index: int) -> None:
    group = ""
    for control in session.growth_controls(index):
        if control.group != group:
            group = control.group
            form.gui.text_disabled(group)
        _growth_slider(form, session, index, control)
    if session.settings.stands[index].changes and form.button("reset growth", width=-1, tip="as the species has it"):
        session.set_stand(index, changes={})


def _growth_slider(form: Form, session: Session, index: int, control: GrowthControl) -> None:
    """A growth control: the plant is rebuilt as a draft while it is dragged, and in full when it is let go."""
    name = ".".join(control.path)
    edit = form.slider(control.label, control.value, control.low, control.high, control.format, tip=name, name=name)
    if edit.changed:
        session.set_growth(index, control.path, float(f"{edit.value:.4g}"), draft=True)
    elif edit.done:
        session.set_stand(index)
