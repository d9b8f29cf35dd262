"""The reference: every public name, argument and field is described, and every quantity has a unit or a shape."""

import re
from collections.abc import Iterator

import pytest

import windflower
from book.docstrings import described
from book.public_names import Documented, documented, members

QUANTITY = re.compile(r"\b(float|FloatArray|Float32Array|ArrayLike)\b")
ARRAY = re.compile(r"\b(FloatArray|Float32Array|IntArray|NDArray)\b")
SHAPE = re.compile(r"\([^()]*,[^()]*\)")
UNITS = (
    "m mm cm s ms kg N Pa Hz rad radians? degrees? pixels? bytes? W K min hours? days? metres? seconds? lux dpi "
    "[Ss]trains?"
)
COUNTS = (
    "[Rr]atios? [Ss]hares? [Ff]actors? [Nn]umbers? [Cc]ount [Ii]ndex [Ii]ndices [Ww]hether [Ee]xponents? coefficients?"
)
OTHERS = "[Qq]uaternions? RGB weights? times probability amounts? [Cc]oherence none arbitrary"
UNIT = re.compile(
    rf"(?<!\w)(?:{'|'.join(f'{UNITS} {COUNTS} {OTHERS}'.split())})(?!\w)"
    r"|[°%]|m/s|1/s|N·m|kg/m|m²|m³|m⁴|unit vector|0 to 1|(?:any|same|any one) unit|unit of"
)


def everything() -> Iterator[Documented]:
    for name in windflower.__all__:
        yield documented(name)
        yield from members(name)


ALL = list(everything())


def test_every_public_name_has_a_description() -> None:
    assert [one.name for one in ALL if len(one.text) < 10] == []


def test_every_argument_and_field_has_a_description() -> None:
    assert [f"{one.name}({argument.name})" for one in ALL for argument in one.arguments if not argument.text] == []


def test_every_quantity_that_is_given_has_a_unit() -> None:
    bare = [
        f"{one.name}({argument.name}): {argument.text}"
        for one in ALL
        for argument in one.arguments
        if QUANTITY.search(argument.kind) and not UNIT.search(argument.text)
    ]
    assert bare == []


def test_every_quantity_that_comes_back_has_a_unit() -> None:
    bare = [f"{one.name}: {one.text}" for one in ALL if QUANTITY.search(one.returns) and not UNIT.search(one.text)]
    assert bare == []


def test_every_array_that_is_given_has_a_shape() -> None:
    bare = [
        f"{one.name}({argument.name}): {argument.text}"
        for one in ALL
        for argument in one.arguments
        if ARRAY.search(argument.kind) and not SHAPE.search(argument.text)
    ]
    assert bare == []


def test_every_array_that_comes_back_has_a_shape() -> None:
    bare = [f"{one.name}: {one.text}" for one in ALL if ARRAY.search(one.returns) and not SHAPE.search(one.text)]
    assert bare == []


def test_a_docstring_is_read_as_sentences_and_a_table() -> None:
    found = described(
        """Grow a plant.

        species, name  a name,
                       or a file
        *args     (n, 3) more, m
        """
    )
    assert found.text == "Grow a plant."
    assert found.entries == {"species": "a name, or a file", "name": "a name, or a file", "args": "(n, 3) more, m"}


@pytest.mark.parametrize("text", ["how long", "the speed", "mean wind at the top", "of the sheet"])
def test_words_alone_are_no_unit(text: str) -> None:
    assert not UNIT.search(text)
