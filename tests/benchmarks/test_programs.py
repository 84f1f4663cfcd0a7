"""Each program is listed in the README of its folder, can be started, and runs on one thread."""

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Packages of environments of their own.
OTHERS = {"pyarrow", "pyspark", "pandas"}


def programs(folder: str) -> set[str]:
    """Modules that are run: those with a line for it."""
    return {
        path.stem for path in (ROOT / folder).glob("*.py")
        if 'if __name__ == "__main__":' in path.read_text(encoding="utf8")
    }


def listed(folder: str) -> set[str]:
    """The programs of the README's table."""
    text = (ROOT / folder / "README.md").read_text(encoding="utf8")
    return set(re.findall(r"^\| `(\w+)", text, re.MULTILINE))


@pytest.mark.parametrize("folder, inner", [("benchmarks", set()), ("replication", {"trainings"})])
def test_the_readme_lists_the_programs(folder: str, inner: set[str]) -> None:
    assert listed(folder) == programs(folder) - inner
    assert len(programs("benchmarks")) <= 14


@pytest.mark.parametrize("folder, name", [
    (folder, name) for folder in ("benchmarks", "replication") for name in sorted(programs(folder))
])
def test_a_program_finds_what_it_imports(folder: str, name: str) -> None:
    try:
        module = import_module(f"{folder}.{name}")
    except ModuleNotFoundError as error:
        if error.name not in OTHERS:
            raise
        pytest.skip(f"{error.name} is not installed")
    assert module.__doc__.strip()
    head = module.__doc__ if folder == "benchmarks" else module.__doc__.replace("python ", "")
    assert f"-m {folder}.{name}" in head


@pytest.mark.parametrize("package", ["benchmarks", "replication"])
def test_programs_have_one_thread(package: str) -> None:
    code = (
        f"import {package}, os, sys; print(os.environ['OMP_NUM_THREADS'], 'numpy' in sys.modules)"
    )
    environment = {name: value for name, value in os.environ.items() if "THREADS" not in name}
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True,
        check=True,
    )
    assert result.stdout.split() == ["1", "False"]
