"""Mutation testing: which small changes of the code does no test notice?

python scripts/mutate.py evaluation corpus annotation gold --sample 200 > mutants.txt

A mutant is a module with one operator, constant or statement changed. Its tests are those of the
file that mirrors it, of the files that tests/README.md names, and of files of the same room that
import it, in this order (slow tests are left out). They run in a fork of one process that has
loaded spaCy, and see the mutant instead of the module; no file is changed. The survivors are
printed, and how many were killed.
"""

import argparse
import ast
import os
import random
import re
import signal
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
PACKAGE, TESTS = ROOT / "spacy_arceager", ROOT / "tests"
LOADED = ("hypothesis", "scipy.stats", "spacy", "thinc.api", "typer.testing", "udtools")
SECONDS = 200       # of processor time; a mutant that computes for longer counts as killed
WAITED = 3600       # seconds after which a mutant that waits counts as killed
SWAPS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div,
    ast.Div: ast.Mult, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}
NAMES = {"any": "all", "all": "any", "min": "max", "max": "min"}
DELETED = (ast.Assign, ast.AugAssign, ast.Expr, ast.Raise, ast.Continue, ast.Break)


class Mutant(NamedTuple):
    """One change of a module.

    Attributes:
        change: what it is, with its line.
        node: the node that is changed, by its number in `ast.walk`.
        field: the field of the node that is changed.
        value: the new value of the field.
    """

    path: Path
    change: str
    node: int
    field: str
    value: Any

    def tree(self) -> ast.Module:
        """The changed module."""
        tree = read_module(self.path)
        node = next(node for i, node in enumerate(ast.walk(tree)) if i == self.node)
        setattr(node, self.field, self.value)
        return ast.fix_missing_locations(tree)


def changes(node: ast.AST) -> Iterator[tuple[str, str, Any]]:
    """The changes of one node: what is said of each, the field, and its new value."""
    if isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            if swap := SWAPS.get(type(op)):
                yield swap.__name__, "ops", [*node.ops[:i], swap(), *node.ops[i + 1 :]]
    elif isinstance(node, (ast.BoolOp, ast.BinOp, ast.AugAssign)) and type(node.op) in SWAPS:
        yield SWAPS[type(node.op)].__name__, "op", SWAPS[type(node.op)]()
    elif isinstance(node, ast.Constant) and isinstance(node.value, (bool, int, float)):
        value = node.value
        for new in [not value] if isinstance(value, bool) else [value + 1, value - 1]:
            yield f"{value} becomes {new}", "value", new
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "not dropped", "operand", ast.UnaryOp(ast.Not(), node.operand)
    elif isinstance(node, ast.Name) and node.id in NAMES:
        yield NAMES[node.id], "id", NAMES[node.id]
    elif isinstance(node, ast.Return) and ast.unparse(node) not in ("return", "return None"):
        yield "returns None", "value", None
    if isinstance(node, (ast.FunctionDef, ast.If, ast.For, ast.While, ast.With, ast.Try)):
        for i, statement in enumerate(node.body):
            is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
            if isinstance(statement, DELETED) and not is_text:
                what = f"deleted, line {statement.lineno}: {ast.unparse(statement)[:60]}"
                yield what, "body", [*node.body[:i], ast.Pass(), *node.body[i + 1 :]]


def read_module(path: Path) -> ast.Module:
    """A module without its type hints, which change nothing."""
    tree = ast.parse(path.read_text(encoding="utf8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
    return tree


def find_mutants(path: Path) -> list[Mutant]:
    """All mutants of a module; decorators and the types of variables stay as they are."""
    nodes = [*ast.walk(read_module(path))]
    fixed = [one for node in nodes for one in getattr(node, "decorator_list", [])]
    fixed += [node.annotation for node in nodes if isinstance(node, ast.AnnAssign)]
    kept = {id(node) for one in fixed for node in ast.walk(one)}
    return [
        Mutant(path, f"line {getattr(node, 'lineno', 0)}: {name}", i, field, value)
        for i, node in enumerate(nodes) if id(node) not in kept
        for name, field, value in changes(node)
    ]


def tests_of(path: Path) -> list[str]:
    """The files of tests that guard a module, the most likely to notice a mutant first."""
    module = path.relative_to(PACKAGE)
    found = [TESTS / module.parent / f"test_{module.stem}.py"]
    for row in re.findall(r"^\| (`.*`) \| (`.*`) \|$", (TESTS / "README.md").read_text(), re.M):
        patterns, guards = (re.findall("`(.*?)`", cell) for cell in row)
        if any(fnmatch(module.as_posix(), pattern) for pattern in patterns):
            found += [TESTS / guard for guard in guards]
    name = ".".join(("spacy_arceager", *module.with_suffix("").parts))
    found += [
        file for file in sorted((TESTS / module.parts[0]).rglob("test_*.py"))
        if re.search(rf"from {re.escape(name)} import", file.read_text(encoding="utf8"))
    ]
    return [str(file) for file in dict.fromkeys(found) if file.exists()]


class Hook(MetaPathFinder, Loader):
    """Imports a mutant in the place of its module."""

    def __init__(self, mutant: Mutant):
        self.mutant = mutant

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path)
        if spec is None or spec.origin != str(self.mutant.path):
            return None
        self.loader, spec.loader = spec.loader, self
        return spec

    def exec_module(self, module: Any) -> None:
        exec(compile(self.mutant.tree(), self.mutant.path, "exec"), module.__dict__)


def run(mutant: Mutant) -> int:
    """Run the tests of a mutant in a fork, and return the process."""
    process = os.fork()
    if process:
        return process
    import pytest

    # A limit in processor time kills no mutant because the machine is busy.
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    signal.alarm(WAITED)
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    sys.meta_path.insert(0, Hook(mutant))
    # Most mutants die in a second, so what pytest does for its reports would double the time.
    unneeded = [f"-pno:{plugin}" for plugin in ("cacheprovider", "xdist", "anyio")]
    options = ["-x", "-q", "-m", "not slow", "--assert=plain", *unneeded]
    os._exit(pytest.main([*options, *tests_of(mutant.path)]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("rooms", nargs="+", help="folders or files of the package")
    parser.add_argument("--sample", type=int, default=200, help="how many mutants, drawn at random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    for name in LOADED:
        import_module(name)
    paths = [path for room in arguments.rooms for path in
             ([PACKAGE / room] if room.endswith(".py") else sorted((PACKAGE / room).rglob("*.py")))]
    mutants = [mutant for path in paths for mutant in find_mutants(path)]
    random.Random(arguments.seed).shuffle(mutants)
    drawn = mutants[: arguments.sample]
    print(f"{len(drawn)} of {len(mutants)} mutants of {len(paths)} modules", flush=True)
    running: dict[int, Mutant] = {}
    waiting, n_done, survivors = drawn[::-1], 0, 0
    while waiting or running:
        while waiting and len(running) < arguments.jobs:
            mutant = waiting.pop()
            running[run(mutant)] = mutant
        process, status = os.wait()
        mutant = running.pop(process)
        n_done += 1
        if os.waitstatus_to_exitcode(status) == 0:
            survivors += 1
            print(f"survives: {mutant.path.relative_to(PACKAGE)}, {mutant.change}", flush=True)
        if n_done % 10 == 0:
            print(f"{n_done - survivors} of {n_done} killed", flush=True)
    print(f"{n_done - survivors} of {n_done} killed")


if __name__ == "__main__":
    main()
