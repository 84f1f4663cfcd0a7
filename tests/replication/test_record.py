"""The tables of the documentation are those on record, and their stars hold over seeds."""

from pathlib import Path

import pytest
from scipy.stats import t as student

from replication import record
from replication.figures import Figure, read_figures, read_runs
from replication.record import find_stars

FOLDERS = ("replication", "benchmarks")
TABLES = [
    (folder, path.stem) for folder in FOLDERS
    for path in sorted((record.ROOT / folder / "record").glob("*.csv")) if path.stem != "runs"
]


def test_the_documentation_has_the_tables_on_record() -> None:
    """Where they differ, `python -m replication.record` writes them anew."""
    pages = []

    def compare(path: Path, text: str) -> None:
        assert path.read_text(encoding="utf8") == text, path.name
        pages.append(path.name)

    record.renew_pages(compare)
    assert {"figures.md", "replication.md", "systems.md", "training_settings.md"} <= {*pages}


def test_a_figure_that_is_edited_by_hand_is_seen() -> None:
    page = (record.ROOT / "docs" / "systems.md").read_text(encoding="utf8")
    assert record.renew_page(page.replace("66.17", "76.17")) == page


@pytest.mark.parametrize("folder, table", TABLES)
def test_every_table_is_shown_and_every_figure_has_its_run(folder: str, table: str) -> None:
    figures, runs = read_figures(folder, table), read_runs(folder)
    assert figures and all(one.run in runs and one.value for one in figures)
    pages = [path.read_text(encoding="utf8") for path in (record.ROOT / "docs").glob("*.md")]
    assert any(f"<!-- record: {folder}/{table}" in page for page in pages)
    assert len({(one.group, one.row, one.column) for one in figures}) == len(figures)


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_run_is_dated_and_used(folder: str) -> None:
    used = {one.run for where, table in TABLES if where == folder
            for one in read_figures(where, table)}
    runs = read_runs(folder)
    assert {*runs} == used
    assert all(run.date for run in runs.values())
    assert all(run.commit and run.command for run in runs.values() if run.date != "2014")


@pytest.mark.parametrize("value, held_fixed, shown", [
    ("71.00", "***", "***"),     # far out
    ("70.40", "***", "**"),      # Welch's test has the last word
    ("70.10", "**", ""),
    ("71.00", "no", ""),         # and so has randomization by sentence
])
def test_stars_are_the_fewer_of_both_tests(value: str, held_fixed: str, shown: str) -> None:
    base = Figure("", "base", "LAS", "70.00", "0.10", "3", "", "", "1")
    figure = Figure("", "new", "LAS", value, "0.10", "3", "+1.00", held_fixed, "1")
    assert find_stars(figure, [base, figure]) == shown
    over_seeds = figure._replace(held_fixed="", over_seeds=held_fixed)
    assert find_stars(over_seeds, [base, figure]) == held_fixed.replace("no", "")
    # With equal spreads and numbers Welch's test is Student's.
    p = 2 * student.sf((float(value) - 70) / (0.1 * (2 / 3) ** 0.5), 4)
    assert len(shown) <= sum(p < level for level in (0.05, 0.01, 0.001))


def test_the_base_is_in_the_column_or_in_the_row() -> None:
    for table, difference, base in (("001-1", "+0.30", "Baseline"), ("003-1", "+1.03", "S-Dy")):
        figures = read_figures("replication", table)
        (other,) = [one for one in figures if one.difference == difference]
        found = record.find_base(other, figures)
        assert found is not None and base in (found.row, found.column)
        assert other.group == found.group
