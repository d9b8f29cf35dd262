"""Outside programs that tests drive, and what a test says where one is missing."""

REMEDY = "`make clients` installs it"


def lacking(program: str) -> str:
    """Why a test is skipped; the end of a test run repeats it."""
    return f"{program} is missing; {REMEDY}"
