"""Damage to bytes and to text, whatever they mean."""

import re
from collections.abc import Callable, Sequence
from random import Random

from tests.fuzz.extremes import NUMBERS, WORDS

__all__ = ["BINARY", "TEXT", "Mutation", "damaged"]

Mutation = Callable[[Random, bytes], bytes]

NUMBER = re.compile(rb"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
WORD = re.compile(rb"[A-Za-z_][A-Za-z_0-9-]*")
COUNTS = (b"\xff\xff\xff\x7f", b"\xff\xff\xff\xff", bytes(4), b"\x01\x00\x00\x00", b"\0\0\0\x10", b"\0\0\0\x80")


def damaged(rng: Random, seeds: Sequence[bytes], mutations: Sequence[Mutation]) -> bytes:
    """One of the seeds, changed by some of the mutations; seldom left as it is."""
    data = rng.choice(seeds)
    for _ in range(rng.choice((0, 1, 1, 1, 1, 2, 2, 3, 6))):
        data = spliced(rng, data, rng.choice(seeds)) if rng.random() < 0.05 else rng.choice(mutations)(rng, data)
    return data


def spliced(rng: Random, data: bytes, other: bytes) -> bytes:
    """The beginning of one and the end of another."""
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]


def truncated(rng: Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def flipped(rng: Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 16)) if data else 0):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def overwritten(rng: Random, data: bytes) -> bytes:
    """Sizes and counts of binary files, set to extremes."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 2, 3))):
        place = rng.choice((1, 2, 4)) * rng.randrange(max(len(data) // 4, 1))
        changed[place : place + 4] = rng.choice(COUNTS)
    return bytes(changed)


def cut_and_pasted(rng: Random, data: bytes) -> bytes:
    begin, end, place = (rng.randrange(len(data) + 1) for _ in range(3))
    return data[:place] + data[min(begin, end) : max(begin, end)] + data[rng.choice((place, end)) :]


def padded(rng: Random, data: bytes) -> bytes:
    more = rng.choice((b"\0", b"\xff", b"\n", b"#", bytes([rng.randrange(256)]))) * rng.choice((1, 8, 100, 5000))
    return data + more if rng.random() < 0.5 else more + data


def renumbered(rng: Random, data: bytes) -> bytes:
    """One or more numbers replaced by extremes."""
    return _replaced(rng, data, NUMBER, NUMBERS)


def reworded(rng: Random, data: bytes) -> bytes:
    """One or more words replaced by odd ones."""
    return _replaced(rng, data, WORD, WORDS)


def _replaced(rng: Random, data: bytes, pattern: re.Pattern[bytes], texts: Sequence[str]) -> bytes:
    for _ in range(rng.choice((1, 1, 1, 2, 8))):
        places = [found.span() for found in pattern.finditer(data[:100_000])]
        if places:
            begin, end = rng.choice(places)
            data = data[:begin] + rng.choice(texts).encode() + data[end:]
    return data


def lines_moved(rng: Random, data: bytes) -> bytes:
    """Lines shuffled, lost, repeated or joined."""
    lines = data.split(b"\n")
    begin = rng.randrange(len(lines))
    match rng.randrange(5):
        case 0:
            rest = lines[begin:]
            rng.shuffle(rest)
            lines[begin:] = rest
        case 1:
            del lines[begin]
        case 2:
            lines[begin:begin] = [lines[begin]] * rng.choice((1, 2, 100))
        case 3:
            lines[begin : begin + 2] = [b"".join(lines[begin : begin + 2])]
        case _:
            lines = lines[:1] + lines[begin:]
    return b"\n".join(lines)


def marks_changed(rng: Random, data: bytes) -> bytes:
    """What separates and quotes, changed: all of it or once."""
    one, other = rng.sample(
        (b",", b";", b"\t", b" ", b'"', b"'", b"\n", b"\r\n", b"\r", b".", b"=", b"[", b"]", b"#"), 2
    )
    return data.replace(one, other, rng.choice((1, 2, -1)))


def inserted(rng: Random, data: bytes) -> bytes:
    place = rng.randrange(len(data) + 1)
    token = rng.choice((*NUMBERS, *WORDS)).encode() if rng.random() < 0.7 else rng.randbytes(rng.randrange(1, 9))
    return data[:place] + token + data[place:]


BINARY: tuple[Mutation, ...] = (truncated, flipped, overwritten, cut_and_pasted, padded, inserted)
TEXT: tuple[Mutation, ...] = (
    truncated, flipped, cut_and_pasted, padded, inserted, renumbered, renumbered, renumbered, reworded, lines_moved,
    marks_changed,
)  # fmt: skip
