"""The papers' figures made again: a table of entries, each with its maker, its sentence and its command.

diener, stam, digiacomo, yildiz, guo    entries, paper by paper
entry                                   what an entry is
pictures                                stills, strips and loops of scenes, small enough to keep
page                                    the page that shows them
"""

from windflower.gallery.entry import Entry

__all__ = ["Entry", "entries"]


def entries() -> tuple[Entry, ...]:
    """All entries, paper by paper in the order of their figures."""
    from windflower.gallery.diener import DIENER
    from windflower.gallery.digiacomo import DIGIACOMO
    from windflower.gallery.guo import GUO
    from windflower.gallery.stam import STAM
    from windflower.gallery.yildiz import YILDIZ

    return (*DIENER, *STAM, *DIGIACOMO, *YILDIZ, *GUO)
