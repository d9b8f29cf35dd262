"""Text from strangers, made fit to be shown: without control codes, and not longer than a reader bears."""

import re
from decimal import Decimal

__all__ = ["escaped", "plain", "shortened"]

# Escape sequences and all other control codes but the end of a line, marks that turn the direction of writing, and
# bytes of a file name that are no text.
UNFIT = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def escaped(text: str) -> str:
    r"""The text with control codes written out: an escape byte as `\x1b`."""
    return UNFIT.sub(lambda found: _written_out(ord(found[0])), text)


def _written_out(code: int) -> str:
    if 0xDC80 <= code <= 0xDCFF:  # how Python keeps a byte of a file name that is no UTF-8
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def shortened(text: str, most: int) -> str:
    """The text, cut in its middle if it has more characters than this."""
    half = (most - 3) // 2
    return text if len(text) <= most else f"{text[:half]} … {text[-half:]}"


def plain(value: float, digits: int = 2) -> str:
    """A number of so many significant digits as people write it, without an exponent: 120, 0.0012, 7.1."""
    return f"{Decimal(f'{value:.{digits}g}'):f}"
