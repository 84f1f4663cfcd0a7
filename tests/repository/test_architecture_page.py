"""docs/architecture.md names every room, in the order of the layers, and files that exist."""

import re
from pathlib import Path

from tests.repository.test_architecture import LAYERS, PACKAGE

PAGE = (Path(__file__).parents[2] / "docs" / "architecture.md").read_text(encoding="utf8")
ROOMS = re.findall(r"^\| `(\w+)/` \|", PAGE, re.MULTILINE)


def test_every_room_stands_in_its_place() -> None:
    rooms = [layer for layer in LAYERS if (PACKAGE / layer).is_dir()]
    assert [room for room in ROOMS if room in rooms] == rooms


def test_the_files_that_are_named_exist() -> None:
    names = re.findall(r"`([\w/]+\.(?:pyx|pxd|py|h|cfg\.jinja))", PAGE)
    named = [name for name in names if not name.startswith("tests/")]
    files = ["/" + path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*.*")]
    assert len(named) > 20
    assert [name for name in named if not any(file.endswith("/" + name) for file in files)] == []
