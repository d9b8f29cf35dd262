"""`python -m tests.fuzz`: a long run. `python -m tests.fuzz TARGET INDEX`: one input again, with what becomes of it."""

import argparse
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from math import inf
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.fuzz.attempt import attempt
from tests.fuzz.runner import Job, Tallies, Tally, repro, run, write_down
from tests.fuzz.target import Target
from tests.fuzz.targets import TARGETS

USUAL = {"growth": 0.03, "scene": 0.2, "drawn": 1.0, "command": 0.2, "call": 0.01, "bombs": 0.1}  # s for an input
ROUND = 50_000  # inputs after which a long run goes through all targets again


def main() -> None:
    """Run what the arguments ask for; exit with 1 if anything failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("target", nargs="?", help=f"one of {', '.join(TARGETS)}, or a group of them; by default all")
    parser.add_argument("index", nargs="?", type=int, help="only this input, in this process")
    parser.add_argument("--count", type=int, default=500_000, help="inputs in all")
    parser.add_argument("--first", type=int, default=0, help="index of the first input of each target")
    parser.add_argument("--seconds", type=float, help="stop after this time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("out/fuzz"), help="folder for failures")
    asked = parser.parse_args()
    chosen = [t for t in TARGETS.values() if asked.target in (None, t.name, t.group)]
    if not chosen:
        parser.error(f"a target is one of {', '.join(TARGETS)}; '{asked.target}' is not")
    if asked.index is not None:
        _one(chosen[0], asked.seed, asked.index)
    tallies = _long(chosen, asked)
    _print(tallies, asked.seed)
    failures = [failure for tally in tallies.values() for failure in tally.failures]
    sys.exit(bool(failures))


def _one(target: Target, seed: int, index: int) -> None:
    target.prepare()  # as a long run does, so that the time is the input's own
    with tempfile.TemporaryDirectory() as folder:
        outcome = attempt(target, seed, index, Path(folder))
    failure = outcome.failure
    said = failure.traceback if failure else "accepted" if outcome.accepted else "refused"
    sys.stdout.write(f"{said}\n{outcome.seconds:.2f} s{f': {failure.key}' if failure else ''}\n")
    sys.exit(failure is not None)


def _jobs(targets: list[Target], count: int, first: int) -> Iterator[Job]:
    """All targets by their shares, in rounds, so that a run that is stopped has seen all of them."""
    total = sum(target.share for target in targets)
    rounds = max(count // ROUND, 1)
    for turn in range(rounds):
        for target in targets:
            own = max(round(count * target.share / total), 1)
            begin, end = own * turn // rounds, own * (turn + 1) // rounds
            if end > begin:
                yield Job(target.name, first + begin, end - begin)


def _long(targets: list[Target], asked: argparse.Namespace) -> Tallies:
    until = inf if asked.seconds is None else time.monotonic() + asked.seconds
    jobs = list(_jobs(targets, asked.count, asked.first))
    whole: Tallies = {target.name: Tally() for target in targets}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True, highlight=False)) as bar:
        task = bar.add_task("fuzzing", total=sum(job.count for job in jobs))
        for number, job in enumerate(jobs):  # each in a process of its own, whose memory is its own
            before = sum(tally.inputs for tally in whole.values())
            kinds = {failure.key for tally in whole.values() for failure in tally.failures}
            words = (
                f"{job.target}, {len(kinds)} kinds of failures, about {_left(whole, jobs[number:]) / 60:.0f} min left"
            )
            bar.update(task, description=words)
            if not bar.console.is_terminal:
                bar.console.print(f"{before:,} of {bar.tasks[task].total:,}: {words}")
            begin = time.monotonic()

            def tell(now: Tallies, before: int = before) -> None:
                bar.update(task, completed=before + sum(tally.inputs for tally in now.values()))

            for name, tally in run([job], seed=asked.seed, tell=tell, until=until).items():
                tally.seconds = time.monotonic() - begin
                whole[name] = _sum([whole[name], tally])
                for failure in write_down(tally.failures, asked.out, seed=asked.seed):
                    bar.console.print(f"{failure.key}: {repro(failure, asked.seed)}", markup=False)
    return whole


def _left(whole: Tallies, jobs: list[Job]) -> float:
    """Seconds that jobs will take: as long for an input as the target's others took, or else as told below."""
    seen = {name: tally.seconds / tally.inputs for name, tally in whole.items() if tally.inputs}
    return sum(job.count * seen.get(job.target, USUAL.get(job.target, 0.004)) for job in jobs)


def _print(tallies: Tallies, seed: int) -> None:
    console = Console(width=150)
    table = Table("target")
    for name in ("inputs", "accepted", "refused", "failures", "inputs/s", "slowest", "its index", "memory"):
        table.add_column(name, justify="right")
    for name, tally in tallies.items():
        table.add_row(name, *_cells(tally))
    table.add_section()
    table.add_row("all", *_cells(_sum(tallies.values())))
    console.print(table)
    kinds: dict[str, list[str]] = {}
    for tally in tallies.values():
        for failure in tally.failures:
            kinds.setdefault(failure.key, []).append(repro(failure, seed) + f"   {failure.message[:100]}")
    for key, commands in sorted(kinds.items(), key=lambda item: -len(item[1])):
        console.print(f"{len(commands):6,} × {key}\n         {commands[0]}", markup=False, highlight=False)


def _cells(tally: Tally) -> tuple[str, ...]:
    rate = tally.inputs / max(tally.seconds, 1e-9)
    return (
        f"{tally.inputs:,}", f"{tally.accepted:,}", f"{tally.refused:,}", f"{len(tally.failures):,}", f"{rate:,.0f}",
        f"{tally.slowest:.2f} s", f"{tally.slowest_index}", f"{tally.memory >> 20} MiB",
    )  # fmt: skip


def _sum(tallies: Iterable[Tally]) -> Tally:
    whole = Tally()
    for tally in tallies:
        whole.inputs += tally.inputs
        whole.accepted += tally.accepted
        whole.refused += tally.refused
        whole.seconds += tally.seconds
        whole.failures += tally.failures
        whole.memory = max(whole.memory, tally.memory)
        if tally.slowest > whole.slowest:
            whole.slowest, whole.slowest_index = tally.slowest, tally.slowest_index
    return whole


if __name__ == "__main__":
    main()
