"""python -m tests.fuzz --seconds 60 --seed 1: the fuzz bench, for as long as one likes."""

import time
from typing import Annotated

import typer

from tests.fuzz.bench import Plan, Result, run, run_case
from tests.fuzz.cases import CASES

PRINT = 30.0
COUNTS = (
    "cases", "parses", "beam_parses", "graphs", "again", "roll_outs", "beam_roll_outs",
    "states", "gold_sentences", "files", "files_read", "models", "models_loaded", "docs",
)


def fuzz(
    seconds: Annotated[float, typer.Option(help="How long; 0 for no limit.")] = 60.0,
    parses: Annotated[int, typer.Option(help="Stop after so many parses.")] = 0,
    roll_outs: Annotated[int, typer.Option(help="and so many roll-outs.")] = 0,
    seed: Annotated[int, typer.Option(help="Another seed, other cases.")] = 0,
    processes: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
    systems: Annotated[int, typer.Option(min=1, help="Random systems.")] = 2000,
    hang: Annotated[float, typer.Option(help="Seconds after which a case has hung.")] = 120.0,
    kind: Annotated[list[str] | None, typer.Option(help=f"Of {', '.join(CASES)}.")] = None,
    case: Annotated[int | None, typer.Option(help="Run this case here.")] = None,
    cases: Annotated[int, typer.Option(help="and so many in all.")] = 1,
) -> None:
    """Try random systems, models, trees and files; print counts and faults.

    Exit codes: 0 no fault, 1 faults.
    """
    chosen = {name: CASES[name] for name in kind or CASES}
    plan = Plan(seed, 0, processes, hang, systems, chosen)
    if case is not None:
        for number in range(case, case + cases):
            print(number, *run_case(plan, number), flush=True)
        return
    start = last = time.monotonic()

    def is_enough(result: Result) -> bool:
        if seconds and time.monotonic() - start >= seconds:
            return True
        wanted = parses or roll_outs
        return bool(
            wanted and result.counts["parses"] >= parses
            and result.counts["roll_outs"] >= roll_outs
        )

    result = Result()
    for result in run(plan, is_enough):
        if time.monotonic() - last > PRINT:
            last = time.monotonic()
            print(summary(result, last - start), flush=True)
    print(summary(result, time.monotonic() - start))
    for fault, number, text in result.faults:
        print(f"{fault} in case {number}: {text}\n    python -m tests.fuzz "
              f"--seed {seed} --case {number}" + "".join(f" --kind {k}" for k in kind or ()))
    raise typer.Exit(1 if result.faults else 0)


def summary(result: Result, seconds: float) -> str:
    counts = [f"{key} {result.counts[key]:,}" for key in COUNTS if result.counts[key]]
    return "; ".join([
        f"{seconds:.0f} s", *counts, f"systems {len(result.systems):,}",
        f"faults {len(result.faults)}",
    ])


if __name__ == "__main__":
    typer.run(fuzz)
