"""``python -m vault_memory.evaluation``: what ``scripts/bench`` runs."""

import argparse
import json
import os
import statistics
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path

from vault_memory.core.expansion import DEPTH
from vault_memory.errors import VaultmemError
from vault_memory.evaluation import (
    calibration_bench,
    index_bench,
    linked_bench,
    scale_bench,
    sessions_bench,
    speed_bench,
)
from vault_memory.evaluation import languages as labelled
from vault_memory.evaluation.costs import Cost, rows
from vault_memory.evaluation.costs import render as render_costs
from vault_memory.evaluation.linked import read_linked
from vault_memory.evaluation.locomo import read_locomo
from vault_memory.evaluation.locomo_bench import render, run, table, write_ranked
from vault_memory.evaluation.sessions import read_sessions


def locomo(options: argparse.Namespace) -> None:
    """How well the turns that answer LoCoMo's questions are found."""
    samples = read_locomo(options.path, corrected=options.corrected)
    with nullcontext(options.work) if options.work else tempfile.TemporaryDirectory() as folder:
        answers = run(samples, Path(folder), tell=_tell)
    lines = table(answers, samples)
    sys.stdout.writelines(f"{line}\n" for line in render(lines))
    for corpus, answered in answers.items():
        took = statistics.median(one.cpu_ms for one in answered)
        sys.stdout.write(f"{corpus}: {took:.1f} ms of CPU a query, warm, median\n")
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        for corpus, answered in answers.items():
            write_ranked(answered, options.out / f"{corpus}.jsonl")
        report = json.dumps([asdict(line) for line in lines], indent=2)
        (options.out / "table.json").write_text(report + "\n", encoding="utf-8")


def sessions(options: argparse.Namespace) -> None:
    """How well the turns that answer questions about sessions with an agent are found."""
    asked = read_sessions(options.path)
    with nullcontext(options.work) if options.work else tempfile.TemporaryDirectory() as folder:
        answers = sessions_bench.run(asked, Path(folder), tell=_tell)
    lines = sessions_bench.table(answers)
    if options.misses:
        sys.stdout.writelines(f"{line}\n" for line in sessions_bench.missed(answers))
    sys.stdout.writelines(f"{line}\n" for line in render(lines))
    took = statistics.median(one.cpu_ms for one in answers)
    sys.stdout.write(f"{took:.1f} ms of CPU a query, warm, median\n")
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        sessions_bench.write_ranked(answers, options.out / "ranked.jsonl")
        report = json.dumps([asdict(line) for line in lines], indent=2)
        (options.out / "table.json").write_text(report + "\n", encoding="utf-8")


def languages(options: argparse.Namespace) -> None:
    """How well words of many scripts, and of code, are found in a labelled set."""
    questions = labelled.read_set(options.path)
    with nullcontext(options.work) if options.work else tempfile.TemporaryDirectory() as folder:
        places = labelled.run(questions, Path(folder), model=options.model, tell=_tell)
    if options.misses:
        for one, (_, place) in zip(questions.questions, places, strict=True):
            if place != 1:
                _tell(f"{place or 'not found'}\t{one.text}\t{one.answer}")
    sys.stdout.writelines(f"{line}\n" for line in labelled.show(labelled.table(places)))


def calibration(options: argparse.Namespace) -> None:
    """How true the probabilities of hits are, and what they do for the order of turns and notes."""
    samples, asked = read_locomo(options.path), read_sessions(options.sessions)
    linked = [read_linked(folder) for folder in options.linked]
    with nullcontext(options.work) if options.work else tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        lines = calibration_bench.report(
            calibration_bench.of_locomo(samples, work, tell=_tell),
            calibration_bench.of_sessions(asked, work, tell=_tell),
            calibration_bench.of_linked(linked, work, tell=_tell),
        )
        order = calibration_bench.together(asked, linked, work / "together", tell=_tell)
    sys.stdout.writelines(f"{line}\n" for line in [*lines, "", *render(order)])


def speed(options: argparse.Namespace) -> None:
    """What whole commands cost, beside the least that they can cost on this machine."""
    _costs(options, speed_bench.measure)


def linked(options: argparse.Namespace) -> None:
    """What following relations and links adds, on sets of linked notes."""
    lines = []
    with nullcontext(options.work) if options.work else tempfile.TemporaryDirectory() as folder:
        for path in options.path:
            read = read_linked(path)
            answers = linked_bench.run(read, Path(folder), depth=options.depth, tell=_tell)
            lines += linked_bench.table(read.name, answers)
            if options.misses:
                sys.stderr.writelines(f"{line}\n" for line in linked_bench.missed(answers))
            for mode in answers[0].cpu_ms:
                took = statistics.median(one.cpu_ms[mode] for one in answers)
                _tell(f"{read.name}, {mode}: {took:.1f} ms of CPU a query, warm, median")
    sys.stdout.writelines(f"{line}\n" for line in linked_bench.render(lines))
    if options.json:
        options.json.write_text(linked_bench.as_json(lines), encoding="utf-8")


def index(options: argparse.Namespace) -> None:
    """What it costs to build an index and to keep it, beside the floors of the same run."""
    _costs(options, index_bench.measure)


def _costs(options: argparse.Namespace, measure: Callable[..., list[Cost]]) -> None:
    report = {}
    with nullcontext(options.work) if options.work else tempfile.TemporaryDirectory() as folder:
        for notes in options.notes:
            costs = measure(notes, Path(folder).absolute(), seed=options.seed, runs=options.runs)
            report[notes] = rows(costs)
            sys.stdout.write(f"{notes:,} notes, CPU\n\n")
            sys.stdout.writelines(f"{line}\n" for line in [*render_costs(costs), ""])
    if options.json:
        options.json.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


def scale(options: argparse.Namespace) -> None:
    """How time, memory and disk grow with the number of notes."""
    with nullcontext(options.work) if options.work else tempfile.TemporaryDirectory() as folder:
        settings = {"seed": options.seed, "runs": options.runs}
        if options.point:
            (notes,) = options.notes
            point = scale_bench.measure(notes, Path(folder), **settings)
            sys.stdout.write(json.dumps(asdict(point)))
            return
        points = []
        for notes in options.notes:
            points.append(scale_bench.measure_apart(notes, Path(folder), **settings))
            _tell(f"{notes:,} notes done")
    sys.stdout.writelines(f"{line}\n" for line in scale_bench.render(points))
    sys.stdout.writelines(f"over its bar: {line}\n" for line in scale_bench.bars(points))
    if options.json:
        options.json.write_text(scale_bench.as_json(points), encoding="utf-8")


def _tell(line: str) -> None:
    sys.stderr.write(f"{line}\n")


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line, or the arguments given, and run one evaluation."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command does
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("locomo", help=locomo.__doc__)
    command.add_argument("path", type=Path, help="folder that holds locomo-open.json")
    command.add_argument("--work", type=Path, help="keep vaults and vectors here for next time")
    command.add_argument("--out", type=Path, help="write rankings and table here")
    command.add_argument("--corrected", action="store_true", help="with the corrected evidence")
    command.set_defaults(run=locomo)
    command = commands.add_parser("sessions", help=sessions.__doc__)
    command.add_argument("path", type=Path, help="folder of transcripts and questions.toml")
    command.add_argument("--work", type=Path, help="keep vault and vectors here for next time")
    command.add_argument("--out", type=Path, help="write rankings and table here")
    command.add_argument("--misses", action="store_true", help="list what is not found whole")
    command.set_defaults(run=sessions)
    command = commands.add_parser("languages", help=languages.__doc__)
    command.add_argument("path", type=Path, help="a labelled set")
    command.add_argument("--work", type=Path, help="keep vault and vectors here for next time")
    command.add_argument("--model", default="", help="folder of another model")
    command.add_argument("--misses", action="store_true", help="tell what did not come first")
    command.set_defaults(run=languages)
    command = commands.add_parser("calibration", help=calibration.__doc__)
    command.add_argument("path", type=Path, help="folder that holds locomo-open.json")
    command.add_argument("sessions", type=Path, help="folder of transcripts and questions.toml")
    command.add_argument("linked", type=Path, nargs="+", help="folders of world.md and questions")
    command.add_argument("--work", type=Path, help="keep vaults and vectors here for next time")
    command.set_defaults(run=calibration)
    command = commands.add_parser("linked", help=linked.__doc__)
    command.add_argument("path", type=Path, nargs="+", help="folder of a linked set")
    command.add_argument("--depth", type=int, default=DEPTH, help="how many edges to follow")
    command.add_argument("--work", type=Path, help="keep vaults and vectors here for next time")
    command.add_argument("--json", type=Path, metavar="FILE", help="also write the table here")
    command.add_argument("--misses", action="store_true", help="list what is not found whole")
    command.set_defaults(run=linked)
    for name, run_it, sizes in (
        ("speed", speed, [1_000, 10_000]),
        ("index", index, [1_000, 10_000]),
        ("scale", scale, [1_000, 3_000, 10_000, 30_000, 100_000]),
    ):
        command = commands.add_parser(name, help=run_it.__doc__)
        command.add_argument("--notes", type=int, nargs="+", default=sizes, help="sizes of vaults")
        command.add_argument("--seed", type=int, default=1, help="of the generated notes (1)")
        command.add_argument("--runs", type=int, default=7, help="of which the median counts (7)")
        command.add_argument("--work", type=Path, help="keep the vaults here for next time")
        command.add_argument("--json", type=Path, metavar="FILE", help="also write the rows here")
        command.add_argument("--point", action="store_true", help=argparse.SUPPRESS)
        command.set_defaults(run=run_it)
    options = parser.parse_args(arguments)
    try:
        options.run(options)
    except VaultmemError as error:
        sys.exit(f"bench: {error}")


if __name__ == "__main__":
    main()
