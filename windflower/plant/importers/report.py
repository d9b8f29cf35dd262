"""The report of an import: what was found in a file, what was repaired and what was assumed."""

from dataclasses import dataclass

__all__ = ["Report"]


@dataclass(frozen=True, kw_only=True)
class Report:
    """What was found in a file, repaired and assumed. Lengths in metres.

    format          the kind of file
    rows, skipped   rows that were read; rows that could not be understood
    saved           whether it is a plant that Windflower saved, of which there is nothing to tell
    unplaced        rows without coordinates, left out
    looped          rows that are their own ancestors, or descend from such, left out
    placed          points without coordinates where a branch begins, placed evenly between their neighbours
    merged          points at the same place as the one they follow
    gaps            cylinders that did not begin at an end of their parent, and how far they were moved
    pieces          pieces not joined to the plant, left out, with their length in all
    forked          points that two points continued: the first does, the others became side branches
    interpolated    radii missing between or beyond known ones of the same axis
    derived         radii of axes without any, from the pipe model
    assumed         what the file does not say, as sentences
    """

    format: str
    rows: int = 0
    saved: bool = False
    skipped: int = 0
    unplaced: int = 0
    looped: int = 0
    placed: int = 0
    merged: int = 0
    gaps: int = 0
    gap_median: float = 0.0
    gap_max: float = 0.0
    pieces: int = 0
    pieces_length: float = 0.0
    forked: int = 0
    interpolated: int = 0
    derived: int = 0
    assumed: tuple[str, ...] = ()

    @property
    def doubtful(self) -> bool:
        """Whether something was left out or guessed that should be looked at."""
        return bool(self.skipped or self.looped or self.pieces or self.forked or self.derived or self.assumed)

    def lines(self) -> list[str]:
        """The report as lines of text: what was read, what was assumed, what was repaired."""
        median, largest = 100 * self.gap_median, 100 * self.gap_max
        repairs = [
            (self.skipped, "rows that could not be understood, skipped", ""),
            (self.unplaced, "rows without coordinates, left out", ""),
            (self.looped, "rows that are their own ancestors, left out", ""),
            (self.placed, "points without coordinates, placed between their neighbours", ""),
            (self.merged, "points merged with the one that they repeat", ""),
            (self.gaps, "gaps between cylinders, closed", f" (median {median:.1f} cm, largest {largest:.1f} cm)"),
            (self.pieces, "pieces that hang in the air, left out", f" ({self.pieces_length:.2f} m in all)"),
            (self.forked, "second continuations of an axis, made side branches", ""),
            (self.interpolated, "missing radii, interpolated along their axis", ""),
            (self.derived, "missing radii, derived by the pipe model", ""),
        ]
        done = [f"{what}: {count:,}{more}" for count, what, more in repairs if count]
        read = [] if self.saved else [f"{self.format}: {self.rows:,} rows"]
        return [*read, *self.assumed, *done]
