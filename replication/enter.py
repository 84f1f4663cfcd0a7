"""Enters tables that paper_tables and study have written into the record.

python -m replication.enter TABLE.md NAME --command COMMAND [--processor NAME]

writes record/NAME.csv anew, with a row for each cell of the tables in TABLE.md, and a line in
record/runs.csv: the run with its command, today's date and the commit of the checkout. The runs
that NAME.csv had before go, unless other tables are of them. Then put
`<!-- record: replication/NAME -->` and `<!-- end of record -->` into a page and run
`python -m replication.record`.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Annotated

import typer

from .figures import ROOT, Figure, Run, read_csv
from .trainings import describe_program

CELL = re.compile(
    r"(?P<value>[^ ±(\[]+(?: / [^ ]+)?)(?: ± (?P<spread>[\d.]+))?(?: \((?P<trainings>\d+)\))?"
    r"(?: \[(?P<difference>[+-][\d.]+)(?P<stars>\**|, untested)\])?"
)
NUMBERED = re.compile(r"(.+) \((\d+)\)")     # the row of a treebank, and its number of trainings


def main(
    table: Annotated[Path, typer.Argument(exists=True, dir_okay=False)],
    name: Annotated[str, typer.Argument(help="of the table on record")],
    command: Annotated[str, typer.Option(help="that made it")],
    processor: str = "",
    record: Annotated[Path, typer.Option(help="Folder")] = ROOT / "replication" / "record",
) -> None:
    """Enter a table of paper_tables or study into the record."""
    runs = [Run(**row) for row in read_csv(record / "runs.csv")]
    number = str(1 + max((int(run.run) for run in runs), default=0))
    figures = [*read_tables(table.read_text(encoding="utf8"), number)]
    if not figures:
        raise typer.BadParameter(f"{table} has no table")
    commit = describe_program()["commit"][:7]
    path = record / f"{name}.csv"
    before = runs_of(path) if path.exists() else set()
    write_csv(path, Figure._fields, figures)
    used = set().union(*map(runs_of, record.glob("*.csv")))
    run = Run(number, date.today().isoformat(), commit, processor, command)
    kept = [one for one in runs if one.run in used or one.run not in before]
    write_csv(record / "runs.csv", Run._fields, [*kept, run])


def runs_of(path: Path) -> set[str]:
    """The runs of the figures in a file."""
    return set() if path.name == "runs.csv" else {row["run"] for row in read_csv(path)}


def read_tables(markdown: str, run: str) -> Iterator[Figure]:
    """The cells of all tables in a text, those of a table as one group."""
    header: list[str] = []
    for line in markdown.splitlines():
        cells = [cell.strip() for cell in line.strip()[1:-1].split("|")]
        if not line.startswith("|"):
            header = []
        elif not header:
            header = cells
        elif not cells[0].strip(":").startswith("---"):
            yield from read_row(header, cells, run)


def read_row(header: Sequence[str], cells: Sequence[str], run: str) -> Iterator[Figure]:
    """The figures of a row; cells may be missing at its end."""
    numbered = NUMBERED.fullmatch(cells[0])
    row, of_row = numbered.groups() if numbered else (cells[0], "")
    for column, cell in zip(header[1:], cells[1:]):
        if not cell:
            continue
        found = CELL.fullmatch(cell)
        if found is None:
            raise typer.BadParameter(f"'{cell}' in row '{row}' is no cell of a table on record")
        value, spread, trainings, difference, stars = (part or "" for part in found.groups())
        number = trainings or of_row
        stars = "" if stars.endswith("untested") else stars or ("no" if difference else "")
        # Of several trainings, paper_tables and study test over them.
        over_seeds, held_fixed = (stars, "") if int(number or 1) > 1 else ("", stars)
        yield Figure(
            header[0], row, column, value, spread, number, difference, held_fixed, run, over_seeds
        )


def write_csv(path: Path, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    with path.open("w", encoding="utf8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([header, *rows])


if __name__ == "__main__":
    typer.run(main)
