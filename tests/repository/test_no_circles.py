"""No two Python modules of a room import each other.

Imports under TYPE_CHECKING and inside functions count, because they hide a circle and do not end
it. Imports between compiled modules are tested in `test_architecture`, which compares rooms only.
"""

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

import spacy_arceager

PACKAGE = Path(spacy_arceager.__file__).parent
ROOMS = sorted(path.name for path in PACKAGE.iterdir() if [*path.glob("*.py")])


def find_imports(path: Path, package: Path) -> set[Path]:
    """The Python files of the package that a file imports, wherever in it."""
    folder, found = path.parent, set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            above = [folder, *folder.parents][node.level - 1]
            module = above.joinpath(*(node.module or "").split("."))
            names = [module / alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            module = package.parent.joinpath(*node.module.split("."))
            names = [module / alias.name for alias in node.names]
        elif isinstance(node, ast.Import):
            modules = [package.parent.joinpath(*alias.name.split(".")) for alias in node.names]
            module, names = modules[0], modules
        else:
            continue
        submodules = {name.with_suffix(".py") for name in names if name.with_suffix(".py").exists()}
        if not submodules:
            submodules = {module.with_suffix(".py")} if module.with_suffix(".py").exists() else {
                module / "__init__.py"
            }
        found |= {file for file in submodules if file.exists() and package in file.parents}
    return found - {path}


def find_circle(room: Path, package: Path) -> list[str]:
    """The names of modules of a room that import each other in a circle; empty where none do."""
    files = [*room.rglob("*.py")]
    graph = {file: find_imports(file, package) & set(files) for file in files}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return [file.stem for file in error.args[1]]
    return []


@pytest.mark.parametrize("room", ROOMS)
def test_no_modules_import_each_other(room: str) -> None:
    assert find_circle(PACKAGE / room, PACKAGE) == []


@pytest.mark.parametrize(
    "hidden",
    [
        "from .first import a",
        "from . import first",
        "from package.room import first",
        "import package.room.first",
        "if TYPE_CHECKING:\n    from .first import a",
        "def f():\n    from ..room.first import a",
    ],
)
def test_a_circle_is_seen(tmp_path: Path, hidden: str) -> None:
    room = tmp_path / "package" / "room"
    room.mkdir(parents=True)
    (room / "__init__.py").touch()
    (room / "first.py").write_text("from .second import b\n")
    (room / "second.py").write_text(hidden + "\n")
    assert set(find_circle(room, tmp_path / "package")) == {"first", "second"}
    (room / "second.py").write_text("from ..other import a\n")
    assert find_circle(room, tmp_path / "package") == []
