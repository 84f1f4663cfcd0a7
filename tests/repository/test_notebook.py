"""The cells of the notebook run one after the other, and it has no outputs."""

import ast
import json
from pathlib import Path

NOTEBOOK = Path(__file__).parents[2] / "docs" / "see_into_a_parse.ipynb"
CELLS = json.loads(NOTEBOOK.read_text(encoding="utf8"))["cells"]
CODE = [cell for cell in CELLS if cell["cell_type"] == "code"]


def run_cell(code: str, names: dict) -> object:
    """Run a cell; the value of its last line, if that is an expression, as notebooks show it."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def test_the_cells_run() -> None:
    names: dict = {}
    shown = [run_cell("".join(cell["source"]), names) for cell in CODE]
    pages = [value for value in shown if hasattr(value, "_repr_html_")]
    assert len(pages) == 1 and "telescope" in pages[0]._repr_html_()
    assert names["steered"][6].head.i != names["doc"][6].head.i
    assert len({(*tree.heads, *tree.labels) for tree in names["trees"]}) == len(names["trees"]) > 2


def test_it_has_no_outputs() -> None:
    assert len(CODE) >= 6
    assert all(not cell["outputs"] and cell["execution_count"] is None for cell in CODE)
