"""The code of docs/valid_ud.md runs, and its table names the tests of the validator."""

import re
from inspect import getsource
from pathlib import Path

import pytest
from udtools.level3 import Level3

from tests.repository.run_code import run_code

PAGE = (Path(__file__).parents[2] / "docs" / "valid_ud.md").read_text(encoding="utf8")
# The functions of the validator that look at single features or at enhanced graphs.
OTHER = {"check_enhanced_orphan"}


def test_the_python_code_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert "nsubj" in run_code(code, "docs/valid_ud.md", capsys)["printed"]


def syntax_errors() -> set[str]:
    """The names of all errors of class Syntax in level 3 of the validator."""
    found = set()
    for name, function in vars(Level3).items():
        if not name.startswith("check_") or name in OTHER:
            continue
        kind = "SYNTAX"
        for line in getsource(function).splitlines():
            kind = (re.findall(r"test_?class ?= ?TestClass\.(\w+)", line) or [kind])[-1]
            if "Warning(" in line or "Error(" in line:
                is_error = "Error(" in line
            for test in re.findall(r"testid=f?['\"]([\w-]+)", line):
                if is_error and kind == "SYNTAX":
                    found.add(test)
    return found


def test_the_table_has_every_error_of_syntax() -> None:
    named = {name.rstrip("*") for name in re.findall(r"`([\w-]+\*?)`", PAGE)}
    starts = tuple(name for name in named if name.endswith("-"))
    errors = syntax_errors()
    assert len(errors) >= 30
    missing = {test for test in errors if test not in named and not test.startswith(starts)}
    # Roots have the label that the format of trees wants, and graphs are not meant.
    assert missing <= {"0-is-not-root", "enhanced-0-is-not-root", "enhanced-root-is-not-0"}
