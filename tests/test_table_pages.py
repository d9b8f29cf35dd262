"""The pages of scene files and species files: every key has an example, and every example is a value that is taken."""

import tomllib
from pathlib import Path

import pytest
from pydantic import BaseModel, ValidationError

from windflower.plant.species.reference import sections as species_sections
from windflower.plant.species.reference import species_reference
from windflower.scene.reference import sections as scene_sections

DOCS = Path(__file__).parents[1] / "docs"
TABLES = [
    (page, title, model)
    for page, sections in (("scene-file.md", scene_sections()), ("species-file.md", species_sections()))
    for title, model in sections.items()
]

LONG = {"stands", "camera", "grid", "terrain", "keys", "leaf", "blade", "growth", "levels", "rules", "source"}
"""Keys whose values are too long for a table: the page has a section for each, but for `source`, a sentence."""


def examples(page: str, title: str) -> dict[str, object]:
    text = (DOCS / page).read_text("utf-8").split(f"## {title}\n")[1].split("\n## ")[0]
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| `")]
    return {row[0].strip("|` "): row[4].removesuffix(" |").strip("` ") for row in rows}


def without_examples(text: str) -> list[str]:
    """Lines of a page without the column of examples, which stock files give and which may be older than these."""
    return [" | ".join(row[:4]) for row in (line.split(" | ") for line in text.splitlines())]


def test_the_page_on_species_files_is_up_to_date() -> None:
    page = (DOCS / "species-file.md").read_text("utf-8")
    assert without_examples(page) == without_examples(species_reference()), (
        "write it anew: python -c 'from windflower.plant.species.reference import species_reference; "
        'print(species_reference(), end="")\' > docs/species-file.md'
    )


@pytest.mark.parametrize(("page", "title", "model"), TABLES, ids=[f"{page}-{title}" for page, title, _ in TABLES])
def test_every_key_has_an_example_that_is_taken(page: str, title: str, model: type[BaseModel]) -> None:
    found = {name: tomllib.loads(str(text))[name] for name, text in examples(page, title).items() if text}
    tables = {name for name in model.model_fields if name not in found}
    assert tables <= LONG
    for name, value in found.items():
        assert name in model.model_fields
        assert name not in refused(model, {name: value})


def refused(model: type[BaseModel], values: dict[str, object]) -> set[str]:
    """Keys whose values are refused, or that are missing."""
    try:
        model.model_validate(values)
    except ValidationError as error:
        return {str(one["loc"][0]) for one in error.errors() if one["loc"]}
    return set()
