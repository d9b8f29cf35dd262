"""Who may import whom, and what `import windflower` may do."""

import ast
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import windflower

PACKAGE = Path(windflower.__file__).parent

# The house, from the ground up: each room may import those before it.
HOUSE = ["core", "plant", "mechanics", "wind", "motion", "scene", "simulation", "geometry", "render", "viewer"]
# Folder -> folders of ours that it may import besides itself; `errors` imports nothing and may be imported by all.
ARROWS: dict[str, set[str]] = {
    "core": set(),
    "plant": {"core"},
    "mechanics": {"core", "plant"},
    "wind": {"core", "plant"},
    "motion": set(HOUSE[:4]),
    "scene": set(HOUSE[:5]),
    "simulation": set(HOUSE[:6]),
    "windthrow": set(HOUSE[:6]),
    "geometry": set(HOUSE[:6]),
    "render": set(HOUSE[:8]),
    "viewer": set(HOUSE[:9]),
    "web": set(HOUSE[:9]),
    "export": set(HOUSE[:8]),
    "batch": {*HOUSE[:9], "windthrow"},
    "plots": {*HOUSE[:8], "windthrow"},
    "validate": {*HOUSE[:8], "windthrow"},
    "gallery": {*HOUSE, "plots"},
    "bench": {*HOUSE, "batch", "export", "validate"},
    "doctor": set(HOUSE),
}
# Library -> the folders that may import it.
RESERVED = {
    "matplotlib": {"plots"},
    "wgpu": {"core", "render", "viewer"},
    "rendercanvas": {"viewer"},
    "imgui_bundle": {"viewer"},
    "typer": {"cli"},
    "numba": {"motion"},
    "llvmlite": {"motion"},
    "distributed": {"batch"},
    "dask": {"batch"},
}


def imported(source: str) -> set[str]:
    """Every module that a source imports, anywhere in it."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def forbidden(folder: str, source: str) -> set[str]:
    """The imports of a file in this folder that the design does not allow."""
    wrong = set()
    for name in imported(source):
        library, *rest = name.split(".")
        if library == "windflower" and folder in ARROWS:
            own = rest[0] if rest else ""
            if own not in {folder, "errors"} | ARROWS[folder]:
                wrong.add(name)
        elif library in RESERVED and folder not in RESERVED[library]:
            wrong.add(name)
    return wrong


def folder_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else path.stem


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_follow_the_arrows(path: Path) -> None:
    assert folder_of(path) in {*ARROWS, "cli", "errors", "__init__", "__main__"}, (
        "a new folder needs its arrows written down here"
    )
    assert forbidden(folder_of(path), path.read_text("utf-8")) == set()


def test_a_wrong_arrow_is_found() -> None:
    assert forbidden("plant", "from windflower.wind import Wind")
    assert forbidden("mechanics", "def f():\n    import matplotlib.pyplot")
    assert forbidden("plant", "import windflower")
    assert not forbidden("motion", "from windflower.mechanics.modes import Modes")


def test_no_modules_import_one_another_in_a_ring() -> None:
    names = {".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts): path for path in PACKAGE.rglob("*.py")}
    modules = {name.removesuffix(".__init__"): path for name, path in names.items()}
    needs = {name: _needed(path, modules) - {name} for name, path in modules.items()}
    list(TopologicalSorter(needs).static_order())  # which raises CycleError


def _needed(path: Path, modules: dict[str, Path]) -> set[str]:
    """The modules that a module imports, at its head or later inside a function."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found & set(modules)


def test_errors_imports_nothing_of_ours() -> None:
    assert not any(name.startswith("windflower") for name in imported((PACKAGE / "errors.py").read_text()))


def test_import_loads_nothing_optional_and_starts_nothing() -> None:
    check = (
        "import sys, threading, windflower\n"
        "optional = {'matplotlib', 'wgpu', 'rendercanvas', 'imgui_bundle', 'glfw', 'PIL', 'typer', 'rich', 'numba'}\n"
        "loaded = optional & set(sys.modules)\n"
        "assert not loaded, loaded\n"
        "twins = {name for name in sys.modules if name.endswith(('_twin', '_kernels'))}\n"
        "assert not twins, twins\n"
        "assert threading.active_count() == 1, threading.enumerate()\n"
    )
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_module_names_what_it_offers() -> None:
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text("utf-8"))
        defined = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
        public = {name for name in defined if not name.startswith("_")}
        if public:
            assert "__all__" in path.read_text("utf-8"), f"{path} has no __all__"


def test_data_files_travel_with_the_package() -> None:
    hatch = (PACKAGE.parent / "pyproject.toml").read_text()
    assert 'packages = ["windflower"]' in hatch
    assert (PACKAGE / "py.typed").exists()
    assert list((PACKAGE / "plant" / "species").glob("*.toml"))
