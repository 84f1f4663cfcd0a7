"""Every module has tests in a file of its name, or tests/README.md says which files guard it."""

import re
from fnmatch import fnmatch
from pathlib import Path

import pytest

import spacy_arceager

PACKAGE = Path(spacy_arceager.__file__).parent
TESTS = Path(__file__).parents[1]
MODULES = sorted(
    path.relative_to(PACKAGE) for path in PACKAGE.rglob("*")
    if path.suffix in (".py", ".pyx") and path.name != "__init__.py"
)
ROW = re.compile(r"^\| (`.*`) \| (`.*`) \|$", re.MULTILINE)
ROWS = [
    (re.findall("`(.*?)`", modules), re.findall("`(.*?)`", tests))
    for modules, tests in ROW.findall((TESTS / "README.md").read_text(encoding="utf8"))
]


def is_mirrored(module: Path) -> bool:
    return (TESTS / module.parent / f"test_{module.stem}.py").exists()


@pytest.mark.parametrize("module", MODULES, ids=str)
def test_a_module_has_tests_where_one_looks(module: Path) -> None:
    patterns = [pattern for modules, _ in ROWS for pattern in modules]
    assert is_mirrored(module) or any(fnmatch(module.as_posix(), each) for each in patterns)


def test_guards_exist() -> None:
    guards = {guard for _, tests in ROWS for guard in tests}
    assert [guard for guard in sorted(guards) if not (TESTS / guard).exists()] == []


def test_a_row_names_modules_that_nothing_mirrors() -> None:
    for modules, _ in ROWS:
        for pattern in modules:
            alone = [m for m in MODULES if fnmatch(m.as_posix(), pattern) and not is_mirrored(m)]
            assert alone, f"{pattern} needs no row"


def test_what_tests_share_is_in_no_file_of_tests() -> None:
    imported = re.compile(r"^from tests\.[\w.]*\btest_\w+ import", re.MULTILINE)
    importing = [p.name for p in TESTS.rglob("*.py") if imported.search(p.read_text("utf8"))]
    assert importing == []
