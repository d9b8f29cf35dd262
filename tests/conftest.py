from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("windflower", derandomize=True, deadline=None, print_blob=False)
settings.load_profile("windflower")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real trees and winds that lie beside the checkout; they are other people's work and not part of it."""
    folder = Path(__file__).parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"the sample files are not beside the checkout ({folder})")
    return folder
