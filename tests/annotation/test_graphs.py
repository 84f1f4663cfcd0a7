"""Graphs as an extension of Docs."""

import subprocess
import sys

import pytest


@pytest.mark.slow
def test_importing_twice_registers_once() -> None:
    code = """
import importlib
from spacy.tokens import Doc
from spacy_arceager.annotation import graphs

Doc.set_extension("arceager_graph", default="what stood there first", force=True)
importlib.reload(graphs)
print(Doc.get_extension("arceager_graph")[0])
"""
    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert run.stdout == "what stood there first\n"
