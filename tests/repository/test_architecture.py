"""Data flows one way: no folder imports from a folder above it, cimports included.

docs/architecture.md names every room in the order of the layers, and files that are there.
"""

import re
from pathlib import Path

import pytest

import spacy_arceager

PACKAGE = Path(spacy_arceager.__file__).parent
PAGE = (Path(__file__).parents[2] / "docs" / "architecture.md").read_text(encoding="utf8")
ROOMS = re.findall(r"^\| `(\w+)/` \|", PAGE, re.MULTILINE)

# From the bottom up; docs/architecture.md says what each is for.
LAYERS = (
    "errors", "checks", "kernels", "trees", "systems", "machine", "oracles", "network",
    "token_vectors", "pretrained", "search", "annotation", "corpus", "gold", "decoding",
    "evaluation", "visual", "pipe", "formats", "processes", "spark", "serve", "cli",
)
TOP = ("__init__", "__main__")    # names and the command line, which may import everything

IMPORT = re.compile(r"^\s*from\s+(\.+)([\w.]*)\s+c?import\s+(\(?[\w, ]*)", re.MULTILINE)
ABSOLUTE = re.compile(r"^\s*(?:from|c?import)\s+spacy_arceager\.(\w+)", re.MULTILINE)

FILES = sorted(
    path for path in PACKAGE.rglob("*")
    if path.suffix in (".py", ".pyi", ".pyx", ".pxd") and path.relative_to(PACKAGE).parts[0]
    not in [f"{name}{suffix}" for name in TOP for suffix in (".py", ".pxd")]
)


def imported_layers(path: Path) -> set[str]:
    """The folders of the package that a file imports or cimports from."""
    text = path.read_text(encoding="utf8")
    folders = path.relative_to(PACKAGE).parts[:-1]
    found = set(ABSOLUTE.findall(text))
    for dots, module, names in IMPORT.findall(text):
        above = folders[: len(folders) - len(dots) + 1]
        target = (*above, *filter(None, module.split(".")))
        # `from .. import visual` names folders behind the import.
        found |= {target[0]} if target else set(re.findall(r"\w+", names))
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_nothing_imports_from_above(path: Path) -> None:
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    above = LAYERS[LAYERS.index(own) + 1 :]
    assert not imported_layers(path) & set(above)


def test_every_folder_has_its_place() -> None:
    folders = {
        path.name for path in PACKAGE.iterdir()
        if path.is_dir() and any(path.glob("*.py")) and path.name != "__pycache__"
    }
    assert folders <= set(LAYERS)


def test_an_upward_import_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "PACKAGE", tmp_path)
    (tmp_path / "machine").mkdir()
    file = tmp_path / "machine" / "wrong.pyx"
    file.write_text("from ..search.beam_state cimport BeamC\nfrom .. import pipe\n")
    assert imported_layers(file) == {"search", "pipe"}


def test_every_room_stands_in_its_place() -> None:
    rooms = [layer for layer in LAYERS if (PACKAGE / layer).is_dir()]
    assert [room for room in ROOMS if room in rooms] == rooms


def test_the_files_that_are_named_exist() -> None:
    names = re.findall(r"`([\w/]+\.(?:pyx|pxd|py|h|cfg\.jinja))", PAGE)
    named = [name for name in names if not name.startswith("tests/")]
    files = ["/" + path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.*")]
    assert len(named) > 20
    assert [name for name in named if not any(file.endswith("/" + name) for file in files)] == []
