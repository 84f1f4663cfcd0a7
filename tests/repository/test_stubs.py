"""The build writes a stub for each Cython module, with the types of all that Python can call."""

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from runpy import run_path
from types import ModuleType
from typing import Any

import pytest

import spacy_arceager

PACKAGE = Path(spacy_arceager.__file__).parent
MODULES = sorted(
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    for path in PACKAGE.rglob("*.pyx")
)
SCRIPT = run_path(str(PACKAGE.parent / "scripts" / "write_stubs.py"))

SOURCE = '''
"""def not_this(): and class NotThis: stand in a docstring."""

LIMIT: int = MOST
hidden = 3


@cython.final
cdef class Tree(Base):
    """A tree."""

    cdef readonly int n_words

    def __cinit__(self, Weights weights not None, heads: Sequence[int], bint ready=False):
        pass

    @property
    def roots(self) -> list[int]:
        return []

    def cut(
        self, const int[:, ::1] places not None, float[::1] weights=None, Tree other=None,
        limit: int = LIMIT,
    ) -> tuple[int, int]:
        label: str = "no field"

    def _hidden(self):
        pass

    def __len__(self) -> int:
        return 0


@dataclass
class Row:
    name: str
    sizes: NDArray


cdef class _Hidden:
    def cut(self):
        pass


def parse(*trees: Tree, double share=0.5, **options: bool) -> None:
    pass
'''
DECLARATIONS = """
cdef class Tree(Base):
    cdef readonly object labels     # tuple[str, ...]
    cdef int hidden
"""
STUB = """import numpy
from trees import Base
from numpy.typing import NDArray
from collections.abc import Sequence
from weights import Weights
from dataclasses import dataclass

LIMIT: int
class Tree(Base):
    ...
    @property
    def labels(self) -> tuple[str, ...]: ...
    @property
    def n_words(self) -> int: ...
    def __init__(self, weights: Weights, heads: Sequence[int], ready: bool = False) -> None: ...
    @property
    def roots(self) -> list[int]: ...
    def cut(self, places: NDArray[numpy.int32], weights: NDArray[numpy.float32] | None = None, \
other: Tree | None = None, limit: int = ...) -> tuple[int, int]: ...
    def __len__(self) -> int: ...
@dataclass
class Row:
    ...
    name: str
    sizes: NDArray
def parse(*trees: Tree, share: float = 0.5, **options: bool) -> None: ...
"""


def test_a_stub_has_what_is_public_with_its_types() -> None:
    homes = {**SCRIPT["MODULES"], "Base": "trees", "Weights": "weights", "Tree": "elsewhere"}
    assert SCRIPT["make_stub"](SOURCE, DECLARATIONS, homes) == STUB


def read_stub(name: str) -> ast.Module:
    path = PACKAGE.parent.joinpath(*name.split(".")).with_suffix(".pyi")
    return ast.parse(path.read_text(encoding="utf8"))


def api(module: ModuleType) -> dict[str, Any]:
    """The public functions and classes that a module defines itself."""
    return {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_")
        and callable(value)
        and getattr(value, "__module__", None) == module.__name__
    }


def public(names: Iterable[str]) -> set[str]:
    return {name for name in names if not name.startswith("_")}


def functions(node: ast.Module | ast.ClassDef) -> dict[str, ast.FunctionDef]:
    return {child.name: child for child in node.body if isinstance(child, ast.FunctionDef)}


def classes(node: ast.Module) -> dict[str, ast.ClassDef]:
    return {child.name: child for child in node.body if isinstance(child, ast.ClassDef)}


def fields(node: ast.ClassDef) -> set[str]:
    return {
        child.target.id
        for child in node.body
        if isinstance(child, ast.AnnAssign) and isinstance(child.target, ast.Name)
    }


def is_property(function: ast.FunctionDef) -> bool:
    return any(
        isinstance(decorator, ast.Name) and decorator.id == "property"
        for decorator in function.decorator_list
    )


def stub_parameters(function: ast.FunctionDef) -> list[tuple[str, bool]]:
    """Name of each parameter, and whether it has a default."""
    arguments = function.args
    names = [argument.arg for argument in arguments.args]
    first_default = len(names) - len(arguments.defaults)
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return [
        *((name, i >= first_default) for i, name in enumerate(names)),
        *([(arguments.vararg.arg, False)] if arguments.vararg else []),
        *((argument.arg, default is not None) for argument, default in named),
    ]


def parameters(function: Callable) -> list[tuple[str, bool]]:
    return [
        (parameter.name, parameter.default is not parameter.empty)
        for parameter in inspect.signature(function).parameters.values()
    ]


def assert_same_members(node: ast.ClassDef, cls: type) -> None:
    stub = functions(node)
    members = {*vars(cls), *getattr(cls, "__dataclass_fields__", ())}
    assert public(stub) | fields(node) == public(members)
    for name in public(stub):
        value = vars(cls)[name]
        assert is_property(stub[name]) != callable(value), name
        if callable(value):
            assert stub_parameters(stub[name]) == parameters(value), name


@pytest.mark.parametrize("name", MODULES)
def test_a_stub_names_the_api_of_its_module(name: str) -> None:
    expected, stub = api(import_module(name)), read_stub(name)
    assert set(classes(stub)) == {n for n, v in expected.items() if isinstance(v, type)}
    assert set(functions(stub)) == set(expected) - set(classes(stub))
    for name_of_class, node in classes(stub).items():
        assert_same_members(node, expected[name_of_class])
    for name_of_function, function in functions(stub).items():
        assert stub_parameters(function) == parameters(expected[name_of_function])


def types_of(function: ast.FunctionDef) -> Iterator[str]:
    """The types of the parameters but `self`, and of the result; "" for one that has no type."""
    arguments = function.args
    more = [argument for argument in (arguments.vararg, arguments.kwarg) if argument]
    for argument in [*arguments.args, *arguments.kwonlyargs, *more]:
        if argument.arg != "self":
            yield ast.unparse(argument.annotation) if argument.annotation else ""
    yield ast.unparse(function.returns) if function.returns else ""


@pytest.mark.parametrize("name", MODULES)
def test_everything_public_has_a_type(name: str) -> None:
    stub = read_stub(name)
    for node in [stub, *classes(stub).values()]:
        for function in functions(node).values():
            types = [*types_of(function)]
            assert all(types) and "Any" not in types, function.name


def says_what_it_is_for(thing: Any) -> bool:
    """There is a docstring beside the signature that Cython puts into its first line."""
    text = (thing.__doc__ or "").strip()
    signature = f"{thing.__qualname__}("
    return bool(text.partition("\n")[2] if text.startswith(signature) else text)


@pytest.mark.parametrize("name", MODULES)
def test_the_source_says_what_each_class_and_method_is_for(name: str) -> None:
    for value in api(import_module(name)).values():
        methods = vars(value) if isinstance(value, type) else {}
        things = [value, *(method for member, method in methods.items()
                           if public([member]) and callable(method))]
        for thing in things:
            assert says_what_it_is_for(thing), thing
