"""The notebook has the outputs that its cells have now, and its parses are right."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

from spacy_arceager.kernels.row_product import CHOICE

ROOT = Path(__file__).parents[2]
SCRIPT = run_path(str(ROOT / "scripts" / "notebook.py"))
NOTEBOOK = json.loads(SCRIPT["PATH"].read_text(encoding="utf8"))
NUMBER = re.compile(r"-?\d+\.\d+")


@pytest.fixture(scope="module")
def now(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The notebook as it runs on any processor."""
    path = tmp_path_factory.mktemp("notebook") / "now.ipynb"
    subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "notebook.py"), str(path)], check=True, cwd=ROOT,
        env=os.environ | {CHOICE: "floats"},
    )
    ran: dict[str, Any] = json.loads(path.read_text(encoding="utf8"))
    return ran


def outputs_of(notebook: dict[str, Any]) -> list[str]:
    """The outputs of all cells as text."""
    return [
        "".join(line for text in (output.get("text", []), *output.get("data", {}).values())
                for line in text)
        for cell in notebook["cells"] for output in cell.get("outputs", [])
    ]


def test_the_outputs_are_those_of_now(now: dict[str, Any]) -> None:
    """`ARCEAGER_PRODUCT=floats python scripts/notebook.py` writes them anew.

    Processors differ in the last digits.
    """
    stored, found = outputs_of(NOTEBOOK), outputs_of(now)
    assert len(stored) == len(found) > 6
    for old, new in zip(stored, found):
        assert NUMBER.sub("0", old) == NUMBER.sub("0", new)
        numbers = [[float(number) for number in NUMBER.findall(text)] for text in (old, new)]
        assert numbers[0] == pytest.approx(numbers[1], abs=0.02)


def test_it_draws_trees_and_derivations(now: dict[str, Any]) -> None:
    outputs = "\n".join(outputs_of(now))
    assert outputs.count("<svg") == 2 and outputs.count("<iframe") == 1
    names = re.findall(r'id="(drawing-\d)"', outputs)
    assert len(names) == len({*names}) == 2
    assert "LEFT-ARC nsubj" in outputs and "saw becomes man" in outputs


def test_the_showcase_is_parsed_right(now: dict[str, Any]) -> None:
    """With a telescope one sees, and where that is forbidden, the man has it."""
    tree, *_ = outputs_of(now)
    rows = [line.split()[-3:] for line in tree.splitlines()]
    assert rows == [
        ["She", "PRON", "nsubj"], ["saw", "VERB", "ROOT"], ["the", "DET", "det"],
        ["man", "NOUN", "obj"], ["with", "ADP", "case"], ["a", "DET", "det"],
        ["telescope", "NOUN", "obl"], [".", "PUNCT", "punct"],
    ]
    names: dict[str, Any] = {}
    code = ["".join(cell["source"]) for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]
    with SCRIPT["displacy_in_a_notebook"]() as drawings:
        for cell in code:
            SCRIPT["run_cell"](cell, names, drawings)
    assert [token.head.i for token in names["doc"]] == [1, 1, 3, 1, 6, 6, 1, 1]
    assert [token.head.i for token in names["steered"]] == [1, 1, 3, 1, 6, 6, 3, 1]
    assert names["trees"][1].heads == [1, 1, 3, 1, 6, 6, 3, 1]


def test_no_stand_in_for_ipython_is_left() -> None:
    """Libraries such as matplotlib ask a module of this name for more."""
    modules = [sys.modules.get(name) for name in ("IPython", "IPython.display")]
    with SCRIPT["displacy_in_a_notebook"]():
        assert sys.modules["IPython.display"] is not modules[1]
    assert modules == [sys.modules.get(name) for name in ("IPython", "IPython.display")]


def test_a_cell_shows_what_it_prints_and_its_last_value() -> None:
    outputs = SCRIPT["run_cell"]("print('a')\n1 + 1", {}, [])
    assert [output.get("text") or output["data"]["text/plain"] for output in outputs] == [
        ["a\n"], ["2"]
    ]


def test_it_becomes_a_page() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# A\n", "b"]},
        {"cell_type": "code", "source": ["1"], "outputs": [
            SCRIPT["display"]({"text/html": ["<svg>\n", "\n", "</svg>"]}),
            SCRIPT["display"]({"text/html": ['<iframe srcdoc="a\n', "\n", 'b"></iframe>']}),
            SCRIPT["display"]({"text/plain": ["1"]}),
        ]},
    ]
    assert [*SCRIPT["as_markdown"]({"cells": cells})] == [
        "# A\nb", "```python\n1\n```",
        '<div class="notebook-output">\n<svg>\n</svg>\n</div>',
        '<div class="notebook-output">\n<iframe srcdoc="a&#10;&#10;b"></iframe>\n</div>',
        "```text\n1\n```",
    ]
    assert SCRIPT["on_page_markdown"]("[a](b_c.ipynb), [d](e.md)") == "[a](b_c.md), [d](e.md)"
