"""What the package imports is required by it."""

import ast
import re
import sys
from configparser import ConfigParser
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Modules and folders.
SAYS_WHAT_IS_MISSING = {"significance", "files", "spark", "pretrained", "making", "serve"}
PACKAGE = ROOT / "spacy_arceager"


def imported(path: Path) -> set[str]:
    """The packages that a module imports, ours and the standard library's aside.

    Not what it imports in a `try`, or if an extra is installed.
    """
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    names = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    names += [
        node.module for node in nodes
        if isinstance(node, ast.ImportFrom) and node.module and not node.level
    ]
    found = {name.split(".")[0] for name in names}
    return found - {"spacy_arceager"} - sys.stdlib_module_names


def names(requirements: str) -> set[str]:
    found = re.findall(r"^\s*([\w-]+)", requirements, flags=re.MULTILINE)
    return {name.lower().replace("-", "_") for name in found}


def test_every_import_is_required() -> None:
    config = ConfigParser()
    config.read(ROOT / "setup.cfg")
    required = names(config["options"]["install_requires"])
    optional = set().union(*map(names, config["options.extras_require"].values()))
    for path in sorted(PACKAGE.rglob("*.py")):
        # These say what to install where it is missing.
        says_so = SAYS_WHAT_IS_MISSING & {path.stem, *path.relative_to(PACKAGE).parts[:-1]}
        allowed = required | (optional if says_so else set())
        assert imported(path) <= allowed, path


def test_named_tuples_have_no_type_parameters() -> None:
    """Python 3.10 raises TypeError for them when the module is imported."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                bases = list(map(ast.unparse, node.bases))
                assert "NamedTuple" not in bases or len(bases) == 1, (path, node.name)
