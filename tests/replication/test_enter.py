"""Tables as they stand on the screen become rows of the record."""

from pathlib import Path

import pytest
import typer

from replication.enter import main, read_tables
from replication.figures import Figure, read_csv
from replication.tables import as_markdown

SCORES = as_markdown(
    ["LAS", "%NP arcs / sentences", "S-Dy", "Static", "PProj"],
    [["eu", "5.2 / 34.1", "64.15 ± 0.26 (3)", "63.84 ± 0.10 (3) [-0.31]", ""],
     ["el", "0.4 / 3.0", "80.10 (1)", "81.00 (1) [+0.90**]"]],
)
OLD_NEW = as_markdown(["", "LAS old", "LAS new"], [["el (6)", "79.63", "79.71 [+0.08**]"]])


def test_cells_become_figures() -> None:
    assert [*read_tables(f"## A table\n\n{SCORES}\n\nA note.\n\n{OLD_NEW}\n", "7")] == [
        Figure("LAS", "eu", "%NP arcs / sentences", "5.2 / 34.1", "", "", "", "", "7"),
        Figure("LAS", "eu", "S-Dy", "64.15", "0.26", "3", "", "", "7"),
        Figure("LAS", "eu", "Static", "63.84", "0.10", "3", "-0.31", "", "7", "no"),
        Figure("LAS", "el", "%NP arcs / sentences", "0.4 / 3.0", "", "", "", "", "7"),
        Figure("LAS", "el", "S-Dy", "80.10", "", "1", "", "", "7"),
        Figure("LAS", "el", "Static", "81.00", "", "1", "+0.90", "**", "7"),
        Figure("", "el", "LAS old", "79.63", "", "6", "", "", "7"),
        Figure("", "el", "LAS new", "79.71", "", "6", "+0.08", "", "7", "**"),
    ]


def test_what_is_not_tested_has_no_stars_and_is_not_counted() -> None:
    cells = ["48.86 [+12.02***]", "35.56 [+15.78, untested]", "35.56 [+0.10]"]
    found = [*read_tables(as_markdown(["grc", "LAS", "CUR", "UAS"], [["D = 2", *cells]]), "1")]
    assert [figure.held_fixed for figure in found] == ["***", "", "no"]
    assert [figure.difference for figure in found] == ["+12.02", "+15.78", "+0.10"]


def test_tables_of_a_study_keep_their_stars() -> None:
    table = as_markdown(
        ["variant", "eu", "mean"],
        [["words", "79.00 ± 0.10 (3)", "79.00"], ["new", "80.00 ± 0.10 (3) [+1.00***]", "80.00"],
         ["other", "79.10 ± 0.20 (3) [+0.10]", "79.10"]],
    ).replace("| --- |", "| :--- |")
    found = [(one.row, one.over_seeds) for one in read_tables(table, "1") if one.column == "eu"]
    assert found == [("words", ""), ("new", "***"), ("other", "no")]


def test_a_table_is_entered_with_its_run(tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_text("run,date,commit,processor,command\n3,,,,before\n")
    (tmp_path / "table.md").write_text(SCORES)
    main(tmp_path / "table.md", "new", command="a, b", processor="one", record=tmp_path)
    rows = read_csv(tmp_path / "new.csv")
    assert [row["value"] for row in rows if row["column"] == "S-Dy"] == ["64.15", "80.10"]
    last = read_csv(tmp_path / "runs.csv")[-1]
    assert (last["run"], last["command"], last["processor"]) == ("4", "a, b", "one")
    assert last["commit"] and last["date"]
    (tmp_path / "other.csv").write_text((tmp_path / "new.csv").read_text().replace(",4,", ",3,"))
    main(tmp_path / "table.md", "new", command="again", record=tmp_path)
    assert [row["run"] for row in read_csv(tmp_path / "runs.csv")] == ["3", "5"]


def test_what_is_no_table_is_refused(tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_text("run,date,commit,processor,command\n")
    (tmp_path / "text.md").write_text("No table.\n")
    with pytest.raises(typer.BadParameter, match="has no table"):
        main(tmp_path / "text.md", "new", command="c", record=tmp_path)
    (tmp_path / "text.md").write_text(as_markdown(["LAS", "a"], [["x", "1 and 2 ± 3"]]))
    with pytest.raises(typer.BadParameter, match="no cell"):
        main(tmp_path / "text.md", "new", command="c", record=tmp_path)
    assert not (tmp_path / "new.csv").exists()
