import os
from pathlib import Path

import pytest
from hypothesis import settings

from windflower.core.device import Gpu, open_gpu
from windflower.errors import GpuError, MissingExtraError

settings.register_profile("windflower", derandomize=True, deadline=None, print_blob=False)
settings.load_profile("windflower")
os.environ.setdefault("LP_NUM_THREADS", "1")  # the software driver, beside others in a parallel run


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real trees and winds that lie beside the checkout; they are other people's work and not part of it."""
    folder = Path(__file__).parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"the sample files are not beside the checkout ({folder})")
    return folder


@pytest.fixture(scope="session")
def gpu() -> Gpu:
    """The graphics device; without one, tests are skipped, unless WINDFLOWER_REQUIRE_GPU=1 makes them fail."""
    try:
        return open_gpu()
    except (GpuError, MissingExtraError) as error:
        if os.environ.get("WINDFLOWER_REQUIRE_GPU") == "1":
            pytest.fail(f"a graphics device is required: {error}")
        pytest.skip(str(error))
