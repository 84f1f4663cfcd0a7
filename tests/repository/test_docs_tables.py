"""The tables of the documentation are made of the package's rows and docstrings."""

from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from runpy import run_path

import pytest

from spacy_arceager.pipe.settings import Settings

ROOT = Path(__file__).parents[2]
SCRIPT = run_path(str(ROOT / "scripts" / "docs_tables.py"))
TABLES = [(page, make) for page, tables in SCRIPT["TABLES"].items() for make in tables]


@pytest.mark.parametrize("page, make", TABLES)
def test_a_page_has_the_tables_of_the_rows(page: str, make: Callable[[], Iterator[str]]) -> None:
    text = (ROOT / "docs" / page).read_text(encoding="utf8")
    assert "\n".join(["", *make(), ""]) in text, "python scripts/docs_tables.py writes it anew"


def test_each_setting_has_a_row() -> None:
    names = [line.split("`")[1] for line in [*SCRIPT["settings"]()][2:]]
    assert names == [field.name for field in fields(Settings)]


def test_control_parameters_have_their_defaults_and_docstrings() -> None:
    lines = [*SCRIPT["parameters"]()]
    assert (
        "| `tree_constraint` | `false` | the system has UNSHIFT, and no SHIFT once the end of the "
        "input has been seen, so that it builds one tree a sentence (for arc-eager). |"
    ) in lines
    assert any(line.startswith("| `left.reduce`, `right.reduce` | `true` | B, ") for line in lines)
    assert any(line.startswith("| `capacity` | required | K, ") for line in lines)


def test_the_table_of_systems() -> None:
    lines = [*SCRIPT["systems"]()]
    assert lines[1] == "|---|---|---|---|---|---|"
    assert any(line.startswith("| `arc_eager_nm` | projective trees | 4n | ") for line in lines)


def test_only_the_table_with_the_same_first_line_is_renewed() -> None:
    page = "| a |\n|---|\n| old |\n\n| b |\n|---|\n| stays |\n"
    new = SCRIPT["renew"](page, ["| a |", "|---|", "| new |", "| newer |"])
    assert new == "| a |\n|---|\n| new |\n| newer |\n\n| b |\n|---|\n| stays |\n"
