"""The table of control parameters in docs/settings.md agrees with their docstrings."""

from pathlib import Path

from spacy_arceager.systems.parameter_table import table_of_parameters

DOCS = Path(__file__).parents[2] / "docs" / "settings.md"


def test_the_table_is_that_of_the_docstrings() -> None:
    lines = list(table_of_parameters())
    assert "\n".join(["", *lines, ""]) in DOCS.read_text(encoding="utf8")
    assert (
        "| `tree_constraint` | `false` | the system has UNSHIFT, and no SHIFT once the end of the "
        "input has been seen, so that it builds one tree a sentence (for arc-eager). |"
    ) in lines
    assert any(line.startswith("| `left.reduce`, `right.reduce` | `true` | B, ") for line in lines)
    assert any(line.startswith("| `capacity` | required | K, ") for line in lines)
