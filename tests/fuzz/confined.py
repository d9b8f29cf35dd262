"""A command on a machine that lacks something: a disk that is full or read-only, or memory.

`python -m tests.fuzz.confined disk|read-only|memory FOLDER AMOUNT WORDS…` prints what became of the command as JSON. A
disk is a small file system of its own, mounted where only this process sees it (`unshare --mount`), so nothing is left.
"""

import json
import os
import resource
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path

__all__ = ["Done", "can_mount", "command", "confined"]

ROOT = Path(__file__).parents[2]
UNSHARE = ("unshare", "--map-root-user", "--mount")
BEFORE = b"what was there before"


@dataclass(frozen=True)
class Done:
    """What became of a command: exit status, output, and the files of its folder with their size."""

    status: int
    out: str
    err: str
    files: dict[str, int]
    kept: bool

    @property
    def sentence(self) -> bool:
        """Whether it was refused with one sentence and without a traceback."""
        return self.status == 2 and "windflower:" in self.err and "Traceback" not in self.out + self.err


@cache
def can_mount() -> bool:
    """Whether a file system can be mounted that only one process sees."""
    if not shutil.which("unshare"):
        return False
    script = "mount -t tmpfs -o size=16k tmpfs /tmp"
    return subprocess.run([*UNSHARE, "sh", "-c", script], capture_output=True).returncode == 0


def confined(lack: str, folder: Path, amount: int, *words: str) -> Done:
    """Run a command that lacks something.

    amount  size of the disk, kB; or memory beyond what the command begins with, MB
    """
    before = UNSHARE if lack != "memory" else ()
    line = [*before, sys.executable, "-m", "tests.fuzz.confined", lack, str(folder), str(amount), *words]
    done = subprocess.run(line, cwd=ROOT, env=_environment(folder), capture_output=True, text=True, timeout=120)
    try:
        return Done(**json.loads(done.stdout.splitlines()[-1]))
    except (IndexError, ValueError):
        return Done(done.returncode, done.stdout, done.stderr, {}, kept=False)


def command(folder: Path, *words: str) -> "subprocess.Popen[str]":
    """Start a command in a folder."""
    line = [sys.executable, "-m", "windflower", *words]
    return subprocess.Popen(
        line, cwd=folder, env=_environment(folder), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def _environment(folder: Path) -> dict[str, str]:
    one = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "LP_NUM_THREADS"), "1")
    return {
        **os.environ,
        **one,
        "PYTHONPATH": str(ROOT),
        "WINDFLOWER_CACHE": str(folder / "cache"),
        "MPLCONFIGDIR": "/tmp",
    }


def main() -> None:
    """Take away what is lacking, and run the command."""
    lack, folder, amount, *words = sys.argv[1:]
    if lack == "memory":
        _with_memory(int(amount), words)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={amount}k", "tmpfs", folder]
    subprocess.run(mount, check=True)
    target = Path(folder) / words[words.index("-o") + 1]
    target.write_bytes(BEFORE)
    if lack == "read-only":
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
    done = subprocess.run([sys.executable, "-m", "windflower", *words], cwd=folder, capture_output=True, text=True)
    files = {str(path.relative_to(folder)): path.stat().st_size for path in Path(folder).rglob("*") if path.is_file()}
    kept = target.is_file() and target.read_bytes() == BEFORE
    facts = {"status": done.returncode, "out": done.stdout, "err": done.stderr, "files": files, "kept": kept}
    sys.stdout.write(json.dumps(facts) + "\n")


def _with_memory(megabytes: int, words: list[str]) -> None:
    """Run the command in this process with only so much more memory; what it needs is loaded before."""
    for name in ("numpy", "scipy.linalg", "scipy.sparse.linalg", "scipy.spatial", "windflower.plant.growth"):
        import_module(name)
    from windflower.cli import main as run

    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * os.sysconf("SC_PAGE_SIZE") + (megabytes << 20)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    sys.argv = ["windflower", *words]
    run()


if __name__ == "__main__":
    main()
