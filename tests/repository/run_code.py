"""The Python code of a page runs, and has a result."""

from typing import Any

import pytest
from spacy.tokens import Doc


def run_code(code: str, title: str, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """Run code and check its result, then return its variables.

    What it prints comes out, and each Doc that it parsed has a tree for each sentence. Code that
    prints nothing has to assert something.
    """
    variables: dict[str, Any] = {}
    exec(compile(code, title, "exec"), variables)
    printed = capsys.readouterr().out
    assert printed.strip() if "print(" in code else "assert " in code
    docs = [value for value in variables.values() if isinstance(value, Doc)]
    docs += [doc for doc in variables.get("docs", []) if isinstance(doc, Doc)]
    for doc in docs:
        for sentence in doc.sents if doc.has_annotation("DEP") else []:
            assert [token for token in sentence if token.head == token] == [sentence.root]
            assert all(token.dep_ for token in sentence)
    return {**variables, "printed": printed}
