"""Files are there whole or not at all, whatever ends the process that writes them."""

import ast
import contextlib
import errno
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import windflower
from windflower.core import temporary
from windflower.core.files import check_folder, check_target, replacing, replacing_together
from windflower.core.temporary import sweep, temporary_beside
from windflower.errors import FileError
from windflower.render.output import check_output_path, open_sink

PACKAGE = Path(windflower.__file__).parent
FRAME = np.zeros((16, 16, 3), np.uint8)

WRITES = {
    "copy", "copyfile", "copytree", "dump", "fdopen", "mkstemp", "move", "NamedTemporaryFile", "rename", "replace",
    "save", "savefig", "savetxt", "savez", "savez_compressed", "tofile", "write_bytes", "write_text",
    "TemporaryDirectory", "TemporaryFile", "Popen",
}  # fmt: skip
"""Calls by which a file comes into being; `open` with a mode that writes is another."""
ELSEWHERE = {
    "batch/sample.py": {"open", "save", "savez_compressed"},  # into memory
    "bench/dataset.py": {"TemporaryDirectory"},  # of what is only timed
    "core/column_files.py": {"open"},  # of a temporary path
    "bench/exports.py": {"TemporaryDirectory"},  # the same
    "bench/window.py": {"TemporaryDirectory"},  # of a window that saves nothing
    "core/files.py": {"replace", "write"},  # this is the writer
    "core/reading.py": {"fdopen"},  # this is the reader
    "render/passes/pass_files.py": {"save"},  # into memory
    "render/passes/pass_folder.py": {"write_bytes", "write_text"},  # in a folder that is temporary itself
    "render/output.py": {"save", "replace"},  # pictures of a folder that is temporary itself
    "render/video.py": {"Popen", "TemporaryFile"},  # the encoder writes to a temporary path
    "render/wind_map.py": {"move"},  # points of the air, no file
    "web/blobs.py": {"save"},  # into memory
    "web/notebook.py": {"TemporaryDirectory"},  # of a page that is kept in memory
    "gallery/pictures.py": {"TemporaryDirectory", "save", "save_plot"},  # a plot that is only read again; into memory
}
"""Calls outside of `with replacing(…)` that are right."""
OF_EXPORTERS = {"open", "write_bytes", "save"}
"""Calls in exporters, to whom `export` gives a path in a temporary folder; pictures are saved into memory."""
OWN_SAVES = {"clip", "film", "modes", "plant", "self", "session", "wood", "Plant"}
"""Objects whose `save` goes through the writer."""


def written_directly(source: str) -> set[str]:
    """The calls of a source that write files, outside of any `with replacing(…)`."""
    found: set[str] = set()

    def visit(node: ast.AST) -> None:
        if isinstance(node, ast.With) and any("replacing(" in ast.unparse(item) for item in node.items):
            return
        if isinstance(node, ast.Call):
            found.update(_write(node))
        for child in ast.iter_child_nodes(node):
            visit(child)

    visit(ast.parse(source))
    return found


def _write(call: ast.Call) -> set[str]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    on = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    if name == "open":
        words = [*call.args[0 if on else 1 :][:1], *(word.value for word in call.keywords if word.arg == "mode")]
        modes = [word.value for word in words if isinstance(word, ast.Constant)]
        return {name} if any(set(str(mode)) & set("wxa+") for mode in modes) else set()
    if name not in WRITES or (on.split(".")[0] in OWN_SAVES and name == "save"):
        return set()
    if name == "replace" and (len(call.args) != 1 or on in ("", "dataclasses")):
        return set()  # of a text, or of a dataclass
    if name == "rename" and not on:
        return set()
    if name == "copy" and not on.startswith("shutil"):
        return set()
    return {name}


def test_every_file_goes_through_the_one_writer() -> None:
    strays = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        allowed = OF_EXPORTERS if name.startswith("export/") else ELSEWHERE.get(name, set())
        if left := written_directly(path.read_text("utf-8")) - allowed:
            strays[name] = left
    assert not strays


def test_files_beside_a_file_get_their_places_together(tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(b"of another")
    (tmp_path / "same.png").write_bytes(b"same")
    for force in (False, True):
        with contextlib.suppress(FileError), replacing_together(tmp_path / "a.obj", force=force) as hidden:
            for name, content in (("a.obj", b"mesh"), ("a.png", b"picture"), ("same.png", b"same")):
                hidden.with_name(name).write_bytes(content)
            assert hidden.name == "a.obj"
        assert (tmp_path / "a.obj").exists() is force
        assert (tmp_path / "a.png").read_bytes() == (b"picture" if force else b"of another")
        assert len(list(tmp_path.iterdir())) == 2 + force


def test_a_file_beside_whose_place_is_taken_by_a_folder_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "b.png").mkdir()

    def write() -> None:
        with replacing_together(tmp_path / "b.obj") as hidden:
            for name in ("a.png", "b.obj", "b.png"):
                hidden.with_name(name).write_bytes(b"new")

    with pytest.raises(FileError, match="must not be a folder"):
        write()
    assert [path.name for path in tmp_path.iterdir()] == ["b.png"]


def test_a_write_past_the_writer_is_found() -> None:
    assert written_directly("path.write_text('x')") == {"write_text"}
    assert written_directly("with open('a', 'w') as file:\n    json.dump(1, file)") == {"open", "dump"}
    assert written_directly("import numpy as np\nnp.savez(path, a=1)") == {"savez"}
    assert not written_directly("with replacing(path) as temporary:\n    temporary.write_text('x')")
    assert not written_directly("open('a').read(); 'a'.replace('b', 'c')")


def test_nothing_is_on_disk_before_the_writer_writes(tmp_path: Path) -> None:
    with replacing(tmp_path / "tree.npz") as hidden:
        assert not list(tmp_path.iterdir())
        assert hidden.name.startswith(".windflower-")
        assert hidden.suffix == ".npz"
        hidden.write_bytes(b"whole")
    assert [path.name for path in tmp_path.iterdir()] == ["tree.npz"]


def test_a_failed_write_keeps_the_older_file_and_says_so(tmp_path: Path) -> None:
    target = tmp_path / "tree.npz"
    target.write_bytes(b"older")

    def fill_the_disk(hidden: Path) -> None:
        hidden.write_bytes(b"half")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    kept = r"No space left.*The older one is kept\. Free some space"
    with pytest.raises(FileError, match=kept), replacing(target) as hidden:
        fill_the_disk(hidden)
    assert target.read_bytes() == b"older"
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot be asked whether a process runs")
def test_what_killed_processes_left_is_swept_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    machine, token = temporary._machine(), "0123456789ab"
    ours = [f".windflower-{machine}-{gone.pid}-{token}.mp4", f".windflower-{machine}-{os.getpid()}-{token}.mp4"]
    kept = [
        f".windflower-{machine}-{os.getppid()}-{token}.mp4",  # it runs
        f".windflower-00000000-{gone.pid}-{token}.mp4",  # on another machine
        ".windflower-notes.txt",
        "clip.mp4",
    ]
    for name in (*ours, *kept):
        (tmp_path / name).write_bytes(b"half")
    folder = tmp_path / f".windflower-{machine}-{gone.pid}-{token}"
    folder.mkdir()
    (folder / "00000.png").write_bytes(b"half")
    monkeypatch.setattr(temporary, "_swept", set())
    with temporary_beside(tmp_path / "clip.mp4") as mine:
        mine.write_bytes(b"half")
        sweep(tmp_path)
        assert mine.exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(kept)


def test_an_interruption_while_another_is_answered_leaves_nothing(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from windflower.core import temporary\n"
        "def again(path):\n"
        "    raise KeyboardInterrupt\n"
        "remove, temporary._remove = temporary._remove, again\n"
        "try:\n"
        f"    with temporary.temporary_beside(Path({str(tmp_path / 'a.png')!r})) as hidden:\n"
        "        hidden.write_bytes(b'half')\n"
        "        raise KeyboardInterrupt\n"
        "except KeyboardInterrupt:\n"
        "    temporary._remove = remove\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("tree.gif", "a plot is saved as .png or .svg; the name is 'tree.gif'"),
        ("", "the name is ''"),
        (".png", "the name is '.png'"),
        ("no/tree.png", "the folder of an output file must exist; no does not"),
        ("folder.png", "must not be a folder"),
        ("a\0b.png", "no null byte"),
        (f"{'a' * 300}.png", "File name too long"),
        ("file.txt/tree.png", "the folder of an output file must exist"),
        ("/dev/null/tree.png", "the folder of an output file must exist"),
    ],
)
def test_a_target_that_cannot_be_written_is_refused_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, rule: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.png").mkdir()
    (tmp_path / "file.txt").write_text("")
    with pytest.raises(FileError, match=rule.replace(".", r"\.")):
        check_target(name, "a plot", (".png", ".svg"))


def test_a_folder_that_may_not_be_written_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # for those who may write everywhere
    with pytest.raises(FileError, match="is read-only"):
        check_target(tmp_path / "a.png", "a plot", (".png",))
    with pytest.raises(FileError, match="is read-only"):
        check_folder(tmp_path / "a")


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("", "needs a name"),
        (".", "frames get a folder of their own"),
        ("..", "frames get a folder of their own"),
        ("full", "holds nothing else; full holds notes.txt"),
        ("file", "must not be a file"),
        ("file/frames", "must not be a file"),
        (".mp4", "a clip is a folder or ends in"),
        ("clip.gif", "a clip is a folder or ends in"),
    ],
)
def test_frames_are_never_strewn_over_a_folder_of_something_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, rule: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("")
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match=rule):
        check_output_path(name)


def test_a_folder_of_frames_appears_when_it_is_whole_and_replaces_a_longer_one(tmp_path: Path) -> None:
    target = tmp_path / "a" / "frames"
    target.parent.mkdir()
    target.with_name("other").mkdir()
    (target.with_name("other") / ".DS_Store").write_text("")  # a Mac's
    check_output_path(target.with_name("other"))
    for count in (3, 2):
        with open_sink(target, (16, 16), 24.0) as sink:
            for _ in range(count):
                sink.write(FRAME)
            assert target.exists() == (count == 2)
        assert sorted(path.name for path in target.iterdir()) == [f"{number:05d}.png" for number in range(count)]
    with pytest.raises(IndexError), open_sink(tmp_path / "b", (16, 16), 24.0) as sink:
        sink.write(FRAME[0, 0, 0])
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
