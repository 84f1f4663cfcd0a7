"""CONTRIBUTING names files that are there, as many as its table says, and names in them."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "spacy_arceager"
PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf8")
TABLE = PAGE.partition("| added | files |")[2].partition("\n\n")[0].splitlines()[2:]
ROWS = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in TABLE]


def paths_in(cell: str) -> list[Path]:
    """The files and folders between the backticks of a cell."""
    names = [name for name in re.findall(r"`(.*?)`", cell) if re.search(r"/|\.\w+$", name)]
    at_the_top = ("tests/", "release/", "setup.cfg")
    return [(ROOT if name.startswith(at_the_top) else PACKAGE) / name for name in names]


def is_there(path: Path) -> bool:
    """Whether a path exists or, where it is that of a new file, its folder has such files."""
    if "NAME" not in path.name:
        return path.exists()
    return any(path.parent.glob(path.name.replace("NAME", "*")))


def test_the_table_is_read() -> None:
    assert len(ROWS) == PAGE.count("\n| a ") + PAGE.count("\n| an ") > 5
    assert all(len(row) == 4 for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_files_of_a_row_are_there(row: list[str]) -> None:
    paths = [path for cell in row for path in paths_in(cell)]
    assert paths and [path for path in paths if not is_there(path)] == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_row_counts_its_files(row: list[str]) -> None:
    count, _, files = row[1].partition(": ")
    assert int(count) == len([path for path in paths_in(files) if not path.is_dir()])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_example_is_in_the_files(row: list[str]) -> None:
    files = [path for path in paths_in(row[1]) if path.is_file()]
    for name in re.findall(r"`(\w+)`", row[2]):
        assert any(name in path.read_text(encoding="utf8") for path in files), name


def test_the_files_that_the_text_names_are_there() -> None:
    files = set(re.findall(r"`([\w./]+\.\w+)`", PAGE.replace("\n".join(TABLE), "")))
    assert len(files) > 10
    assert [name for name in sorted(files) if not [*ROOT.glob(name), *PACKAGE.rglob(name)]] == []


def test_what_is_not_there_is_seen() -> None:
    assert not all(map(is_there, paths_in("`systems/catalog.py`")))
    assert not all(map(is_there, paths_in("`tests/oracles/no_folder/test_NAME.py`")))
    assert all(map(is_there, paths_in("`setup.cfg`, `tests/cli/test_NAME.py`, `cli/NAME.py`")))
