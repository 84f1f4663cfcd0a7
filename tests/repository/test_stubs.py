"""The stubs of the Cython modules name what the compiled modules have, and nothing else.

Stubs say types alone: what a function or class is for stands in its source, and `help` shows it.
Ruff refuses docstrings in stubs (PYI021).
"""

import ast
import inspect
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import spacy_arceager

PACKAGE = Path(spacy_arceager.__file__).parent
MODULES = sorted(
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
    for path in PACKAGE.rglob("*.pyx")
)
# Their classes are for other Cython modules; nothing in them can be called from Python.
INTERNAL = {
    f"spacy_arceager.search.{name}" for name in ("graph_heads", "lockstep", "record")
}


def stub_path(name: str) -> Path:
    return PACKAGE.parent.joinpath(*name.split(".")).with_suffix(".pyi")


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
    module = import_module(name)
    expected = {} if name in INTERNAL else api(module)
    path = stub_path(name)
    assert path.exists() == bool(expected)
    if not expected:
        return
    stub = ast.parse(path.read_text(encoding="utf8"))
    assert set(classes(stub)) == {n for n, v in expected.items() if isinstance(v, type)}
    assert set(functions(stub)) == set(expected) - set(classes(stub))
    for name_of_class, node in classes(stub).items():
        assert_same_members(node, expected[name_of_class])
    for name_of_function, function in functions(stub).items():
        assert stub_parameters(function) == parameters(expected[name_of_function])


def says_what_it_is_for(thing: Any) -> bool:
    """There is a docstring beside the signature that Cython puts into its first line."""
    text = (thing.__doc__ or "").strip()
    signature = f"{thing.__qualname__}("
    return bool(text.partition("\n")[2] if text.startswith(signature) else text)


@pytest.mark.parametrize("name", sorted(set(MODULES) - INTERNAL))
def test_the_source_says_what_each_class_and_method_is_for(name: str) -> None:
    for value in api(import_module(name)).values():
        methods = vars(value) if isinstance(value, type) else {}
        things = [value, *(method for member, method in methods.items()
                           if public([member]) and callable(method))]
        for thing in things:
            # What functions such as `needs` are for, `oracles.rows.Row` says.
            assert says_what_it_is_for(thing) or thing.__name__.startswith("needs"), thing


def test_every_stub_has_a_cython_module() -> None:
    assert {path.with_suffix(".pyx") for path in PACKAGE.rglob("*.pyi")} <= set(
        PACKAGE.rglob("*.pyx")
    )
