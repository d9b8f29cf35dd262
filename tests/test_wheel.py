"""What is installed is all that is needed."""

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_wheel_holds_shaders_species_woods_and_scenes(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    inside = set(zipfile.ZipFile(wheel).namelist())
    data = [
        path.relative_to(ROOT).as_posix()
        for pattern in ("*.wgsl", "*.toml", "*.js", "*.html", "*.css", "py.typed")
        for path in (ROOT / "windflower").rglob(pattern)
    ]
    assert len(data) > 30
    assert inside >= set(data)
    assert not any(name.startswith("tests") for name in inside)
