"""Graphs as an extension of Docs."""

import subprocess
import sys

import pytest


@pytest.mark.slow
def test_importing_twice_registers_once() -> None:
    code = "import importlib, spacy_arceager.annotation.graphs as graphs; importlib.reload(graphs)"
    subprocess.run([sys.executable, "-c", code], check=True)
