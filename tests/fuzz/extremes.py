"""Numbers, words and texts that break things."""

from random import Random

__all__ = ["NUMBERS", "WORDS", "extreme_float", "extreme_int", "log_uniform"]

NUMBERS = (
    "0", "-0", "0.0", "-0.0", "1", "-1", "2", "-2", "3", "0.5", "nan", "-nan", "inf", "-inf", "1e308", "-1e308",
    "1.7976931348623157e308", "1e-308", "5e-324", "-5e-324", "1e400", "-1e400", "1e-400", "1e19", "1e9", "-1e9",
    "1e-9", "1e-12", "1e6", "1e5", "16777217", "65535", "65536", "-32769", "2147483647", "2147483648", "-2147483648",
    "4294967295", "4294967296", "9007199254740993", "9223372036854775807", "9223372036854775808",
    "9" * 40, "9" * 400, "9" * 5000, "0." + "3" * 5000, "1e" + "9" * 20, "0x10", "1_000", "1,5", "1.5.5", "--1", "+1",
    "1e", ".", "-", "1 2", "٣", "²", "½", "true", "True", "None", "null",
)  # fmt: skip
"""Numbers as text, and what looks like one."""

WORDS = (
    "", " ", "a", "oak", "é", "日本", "🌳", "\u202e", "a" * 300, "a" * 5000, "../x", "/", ".", "..", "~", "-", "--",
    "*", "%s", "%n", "{0}", "{", "[red]x[/red]", "[/]", "[bold", "x]", "\\", "\x1b[31mred", "\x1b]0;title\x07", "\r",
    "\t", "\x7f", "\x00", "'", '"', '"""', "#", "$HOME", ";", "|", "con", "nul.png", "kind", "modal", "true", "nan",
)  # fmt: skip
"""Texts: empty, long, of other scripts, of markup, of a terminal's commands, of paths."""

FLOATS = (
    0.0, -0.0, 1.0, -1.0, 0.5, float("nan"), float("inf"), -float("inf"), 1e308, -1e308, 5e-324, 1e-308, 1e-200, 1e200,
    1e-12, 1e-9, 1e-6, 1e-3, 1e3, 1e6, 1e9, 1e12, 1e16, 180.0, 360.0, 1e-160, 1e160,
)  # fmt: skip
INTS = (0, 1, -1, 2, 3, 7, 100, 501, 1000, 10**6, 2**31 - 1, 2**31, 2**32, 2**53, 2**63 - 1, 2**63, 2**64, 10**30)


def extreme_float(rng: Random) -> float:
    """A number that nobody would type."""
    return rng.choice(FLOATS) if rng.random() < 0.7 else rng.choice((1, -1)) * 10 ** rng.uniform(-320, 308)


def extreme_int(rng: Random) -> int:
    """A whole number that nobody would type."""
    return rng.choice(INTS)


def log_uniform(rng: Random, middle: float, decades: float = 1.0) -> float:
    """A number about another one, of the same sign; about 1 if that is 0."""
    return (middle or 1.0) * 10 ** rng.uniform(-decades, decades)
