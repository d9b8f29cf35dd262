"""Outside programs that tests drive, and what a test says where one is missing."""


def lacking(program: str) -> str:
    """Why a test is skipped; the end of a test run repeats it."""
    return f"{program} is missing; `make clients` installs it"
