"""Parts of the panel about what a plant is made of: wood, roots, weight; and what a read plant is taken for."""

from typing import Any

from windflower.mechanics.scans import RADII
from windflower.mechanics.wood import wood_names
from windflower.plant.species import species_names
from windflower.viewer.panel.form import Form
from windflower.viewer.session import Session

__all__ = ["OF_ANOTHER", "scan_part", "wood_part"]

OWN, UNKNOWN, AS_USUAL = "its own", "not known", "as usual"
OF_ANOTHER: dict[str, Any] = {
    "changes": {},
    "species": None,
    "radii": "auto",
    "unit": None,
    "diameter_unit": None,
    "up": None,
    "wood": None,
    "roots": None,
    "gravity": True,
}
"""Keys of a stand that hold for its plant alone, as they are for another one."""


def scan_part(form: Form, session: Session, index: int) -> None:
    """Which species a plant from a file is taken for, and what is done about its radii."""
    stand = session.settings.stands[index]
    if not stand.is_read:
        return
    known = (UNKNOWN, *species_names())
    names = known if stand.species is None or stand.species in known else (stand.species, *known)
    tip = "species that it takes leaves, bark, drag and wood from"
    species = form.choice("taken for", stand.species or UNKNOWN, names, tip=tip)
    if species:
        session.set_stand(index, species=None if species == UNKNOWN else species)
    tip = "as measured, or corrected where a scan shows twigs too thick; auto corrects where it has to"
    radii = form.choice("radii", stand.radii, RADII, tip=tip)
    if radii:
        session.set_stand(index, radii=radii)


def wood_part(form: Form, session: Session, index: int) -> None:
    """The wood of the selected stand, its roots, its weight, and factors on stiffness and damping."""
    stand = session.settings.stands[index]
    if not stand.is_object:
        _made_of(form, session, index)
    tip = "factor on the wood's own"
    stiffness = form.slider("stiffness", stand.stiffness, 0.1, 10.0, "× %.2f", tip=tip, logarithmic=True)
    if stiffness.changed:
        session.set_stand(index, stiffness=float(f"{stiffness.value:.3g}"))
    damping = form.slider("damping", stand.damping, 0.1, 10.0, "× %.2f", tip=tip, logarithmic=True)
    if damping.changed:
        session.set_stand(index, damping=float(f"{damping.value:.3g}"))
    first = next((stand.motion.first_mode for stand in session.scene.stands if stand.table == index), None)
    if first is not None:
        form.gui.text_wrapped("first mode {:.2f} Hz; damping {:.1%} by wood, {:.1%} by air".format(*first))


def _made_of(form: Form, session: Session, index: int) -> None:
    stand = session.settings.stands[index]
    wood = form.choice("wood", stand.wood or OWN, (OWN, *wood_names()), tip="its own is that of its species")
    if wood:
        session.set_stand(index, wood=None if wood == OWN else wood)
    now = AS_USUAL if stand.roots is None else stand.roots if isinstance(stand.roots, str) else f"{stand.roots:g} N m"
    kinds = (AS_USUAL, "spring", "clamped")
    tip = "a spring that follows from the stem's mass, or clamped; as usual is a spring on land"
    roots = form.choice("roots", now, kinds if now in kinds else (now, *kinds), tip=tip)
    if roots in kinds:
        session.set_stand(index, roots=None if roots == AS_USUAL else roots)
    gravity = form.check("weight", stand.gravity, tip="weight softens what stands and stiffens what hangs")
    if gravity != stand.gravity:
        session.set_stand(index, gravity=gravity)
