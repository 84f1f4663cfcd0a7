"""A source tree that is not built says so, instead of hiding an installed package in silence."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import spacy_arceager


@pytest.mark.parametrize(
    "command", ["import spacy_arceager", "import spacy_arceager.token_vectors"]
)
def test_an_unbuilt_tree_says_how_to_build_it(command: str, tmp_path: Path) -> None:
    package = Path(spacy_arceager.__file__).parent
    copy = tmp_path / "spacy_arceager"
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("*.so", "*.pyd", "pipelines"))
    done = subprocess.run(
        [sys.executable, "-c", command], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith(f"ImportError: {copy} is a source tree that is not built")
    assert f"pip install -e {tmp_path}" in last
