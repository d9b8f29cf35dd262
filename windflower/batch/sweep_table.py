"""`sweep_table`: a sweep done by many workers, into one Parquet or CSV file."""

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

from windflower.batch.own_version import own_version
from windflower.batch.pieces import Pieces, held
from windflower.batch.sweep import Sweep, columns_of
from windflower.batch.workers import Workers
from windflower.core.column_files import check_columns, write_columns
from windflower.core.files import check_target, replacing
from windflower.core.reading import is_file, read_file

__all__ = ["SUFFIXES", "sweep_table"]

SUFFIXES = (".parquet", ".csv")


def sweep_table(
    swept: Sweep,
    path: str | os.PathLike[str],
    *,
    workers: Workers | None = None,
    told: Callable[[int, int], None] | None = None,
) -> int:
    """Do a sweep and write its table; returns the number of rows.

    Plants that are done are kept in a hidden folder beside the table until it is written, so that the same sweep goes
    on after any end.

    swept    what is swept: plants, winds and values
    path     the table to write, .parquet or .csv
    workers  who does it; by default this process
    told     called after every plant with how many are done and how many there are
    """
    target = check_target(path, "a sweep", SUFFIXES)
    check_columns(target.suffix)
    say = told or (lambda *_: None)
    place = target.with_name(f".{target.name}-{_fingerprint(swept)}")
    place.mkdir(exist_ok=True)
    with held(place), _pieces(place) as pieces:
        done = pieces.done()
        say(len(done), len(swept))
        missing = [number for number in range(len(swept)) if number not in done]
        for number, content in (workers or Workers()).run(swept.piece, missing, what="plant"):
            pieces.keep(number, content)
            done.add(number)
            say(len(done), len(swept))
        rows = [row for number in range(len(swept)) for row in json.loads(pieces.content(number))]
        with replacing(target) as temporary:
            write_columns(temporary, columns_of(rows))
        pieces.remove()
    return len(rows)


@contextlib.contextmanager
def _pieces(place: Path) -> Iterator[Pieces]:
    """Plants that are done, in a hidden folder; at the end, however it comes, that stays only if it holds some."""
    pieces = Pieces(place)
    try:
        yield pieces
    finally:
        for folder in (pieces.folder, place):
            with contextlib.suppress(OSError):  # it is not empty
                folder.rmdir()


def _fingerprint(swept: Sweep) -> str:
    """A few digits that stand for what is swept, files that it names included."""
    text = hashlib.sha256(json.dumps([own_version(), asdict(swept)], sort_keys=True, default=list).encode())
    for name in (*swept.plants, *swept.vary.get("wood", ())):
        if is_file(name):
            text.update(read_file(name, "plant_file", what="a file that is named"))
    return text.hexdigest()[:12]
