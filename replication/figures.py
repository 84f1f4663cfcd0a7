"""Figures that are on record, as they stand in the CSV files."""

import csv
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]


class Figure(NamedTuple):
    """A row of a CSV. See record.py; all fields are text, "" where not known."""

    group: str
    row: str
    column: str
    value: str
    spread: str
    trainings: str
    difference: str
    held_fixed: str
    run: str
    over_seeds: str = ""

    @property
    def is_tested(self) -> bool:
        """Whether its difference was tested."""
        return bool(self.held_fixed or self.over_seeds)

    @property
    def has_seeds(self) -> bool:
        """Whether it is a mean of several trainings whose spread is known."""
        return bool(self.spread) and int(self.trainings) > 1


class Run(NamedTuple):
    """Where figures come from."""

    run: str
    date: str
    commit: str
    processor: str
    command: str


@cache
def read_figures(folder: str, table: str) -> list[Figure]:
    """A table on record."""
    return [Figure(**row) for row in read_csv(ROOT / folder / "record" / f"{table}.csv")]


@cache
def read_runs(folder: str) -> dict[str, Run]:
    """The runs of a folder, by their names."""
    return {row["run"]: Run(**row) for row in read_csv(ROOT / folder / "record" / "runs.csv")}


def read_csv(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf8", newline="") as file:
        return list(csv.DictReader(file))
