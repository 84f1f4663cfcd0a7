"""Run the notebook of the documentation, and show it on the site.

    ARCEAGER_PRODUCT=floats python scripts/notebook.py

runs its cells one after the other and writes their outputs into the file, those of arithmetic that
every processor has. A kernel of Jupyter is not needed: a cell is Python, and an output is what it
prints, what displaCy draws, or the value of its last line. As a hook of mkdocs it makes a page of
the notebook, with its outputs.
"""

import ast
import contextlib
import io
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

PATH = Path(__file__).parents[1] / "docs" / "see_into_a_parse.ipynb"
# displaCy gives each drawing a random name.
RANDOM_NAME = re.compile(r"[0-9a-f]{32}-\d+")
LINK = re.compile(r"(\]\([\w/]+)\.ipynb\)")


def run(notebook: dict[str, Any]) -> dict[str, Any]:
    """The same notebook with the outputs that its cells have now."""
    names: dict[str, Any] = {}
    codes = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    with displacy_in_a_notebook() as drawings:
        outputs = iter([run_cell(code, names, drawings) for code in codes])
    cells = [
        {**cell, "outputs": next(outputs), "execution_count": None}
        if cell["cell_type"] == "code" else cell for cell in notebook["cells"]
    ]
    return {**notebook, "cells": cells}


def run_cell(code: str, names: dict[str, Any], drawings: list[str]) -> list[dict[str, Any]]:
    """Run a cell with the names that earlier ones have defined, and return its outputs."""
    tree = ast.parse(code)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    value, n_before = None, len(drawings)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return [*outputs_of(printed.getvalue(), drawings[n_before:], value)]


def outputs_of(printed: str, drawings: list[str], value: object) -> Iterator[dict[str, Any]]:
    if printed:
        yield {"output_type": "stream", "name": "stdout", "text": as_lines(printed)}
    for drawing in drawings:
        yield display({"text/html": as_lines(drawing)})
    if hasattr(value, "_repr_html_"):
        yield display({"text/html": as_lines(value._repr_html_())})
    elif value is not None:
        yield display({"text/plain": as_lines(repr(value))})


def display(data: dict[str, list[str]]) -> dict[str, Any]:
    return {"output_type": "display_data", "metadata": {}, "data": data}


def as_lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


@contextlib.contextmanager
def displacy_in_a_notebook() -> Iterator[list[str]]:
    """Let displaCy draw into a list, in the place of IPython, which need not be installed."""
    from spacy import displacy

    drawings: list[str] = []

    def append(drawing: str) -> None:
        drawings.append(RANDOM_NAME.sub(f"drawing-{len(drawings)}", drawing))

    stand_in = ModuleType("IPython.display")
    vars(stand_in).update(HTML=str, display=append)
    replaced = {name: sys.modules.get(name) for name in ("IPython", "IPython.display")}
    in_jupyter = displacy.is_in_jupyter
    sys.modules.setdefault("IPython", ModuleType("IPython"))
    sys.modules["IPython.display"] = stand_in
    displacy.is_in_jupyter = lambda: True
    try:
        yield drawings
    finally:
        displacy.is_in_jupyter = in_jupyter
        # Libraries that find a module of this name ask it for more.
        for name, module in replaced.items():
            del sys.modules[name]
            if module:
                sys.modules[name] = module


def on_files(files: Any, config: Any) -> Any:
    """Put a page in the place of the notebook."""
    from mkdocs.structure.files import File

    for file in [file for file in files if file.src_uri.endswith(".ipynb")]:
        notebook = json.loads(Path(file.abs_src_path).read_text(encoding="utf8"))
        page = "\n\n".join(as_markdown(notebook))
        files.remove(file)
        name = file.src_uri.replace(".ipynb", ".md")
        files.append(File.generated(config, name, content=page))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Links to the notebook lead to its page."""
    return LINK.sub(r"\1.md)", markdown)


def as_markdown(notebook: dict[str, Any]) -> Iterator[str]:
    """Its cells and their outputs."""
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] != "code":
            yield source
            continue
        yield f"```python\n{source}\n```"
        for output in cell["outputs"]:
            data = output.get("data", {})
            if "text/html" in data:
                # An empty line would end the HTML. The page of a frame keeps all of its own, by
                # which its script is known to be its own.
                html = re.sub(
                    '(?<=srcdoc=").*?(?=")', lambda page: page[0].replace("\n", "&#10;"),
                    "".join(data["text/html"]), flags=re.DOTALL,
                )
                html = re.sub(r"\n\s*\n", "\n", html)
                yield f'<div class="notebook-output">\n{html}\n</div>'
            else:
                text = "".join(output.get("text") or data["text/plain"]).rstrip()
                yield f"```text\n{text}\n```"


if __name__ == "__main__":
    ran = run(json.loads(PATH.read_text(encoding="utf8")))
    written = json.dumps(ran, ensure_ascii=False, indent=1) + "\n"
    Path(*sys.argv[1:] or [PATH]).write_text(written, encoding="utf8")
