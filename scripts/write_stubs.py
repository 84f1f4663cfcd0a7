"""Writes a stub (.pyi) beside each Cython module, from which mypy and editors know its types.

`setup.py` calls `write_stubs` at each build. A stub has the public classes, functions and annotated
variables of a module. The type of an argument is its annotation, or follows from its C type. A
field of a class that is an `object` or a `tuple` to Cython has its type in the comment behind it.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "spacy_arceager"

NUMBERS = {
    "bint": "bool", "double": "float", "float": "float", "int": "int", "long": "int",
    "uint64_t": "int", "unsigned long long": "int",
}
ITEMS = {     # of arrays
    "float": "float32", "int": "int32", "signed char": "int8", "uint64_t": "uint64",
    "unsigned char": "uint8", "unsigned long long": "uint64",
}
# Where the names in types come from that are no classes of the package.
MODULES = {
    **dict.fromkeys(("Callable", "Collection", "Container", "Iterable", "Mapping", "Sequence"),
                    "collections.abc"),
    **dict.fromkeys(("ArrayLike", "NDArray"), "numpy.typing"),
    **dict.fromkeys(("Doc", "Span"), "spacy.tokens"),
    "Vectors": "spacy.vectors",
    **dict.fromkeys(("Any", "NamedTuple"), "typing"),
    "dataclass": "dataclasses",
}

STATEMENT = re.compile(
    r"^(?P<indent>(?:    )?)(?:"
    r"@(?P<decorator>dataclass|property)"
    r"|(?:cdef )?class (?P<owner>\w+)(?P<bases>\(\w+\))?:"
    r"|def (?P<function>\w+)\((?P<parameters>.*?)\)(?: -> (?P<result>.+?))?:"
    r"|(?P<variable>\w+): (?P<type>[^=\n]+?)(?: = [^\n]*)?"
    r")$",
    re.DOTALL | re.MULTILINE,
)
FIELD = re.compile(r"^    cdef readonly (\w+) ([\w, ]+?)(?: *# (.*))?$", re.MULTILINE)


def write_stubs() -> None:
    """Write the stubs of all modules."""
    homes = dict(MODULES)
    for path in [*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.pyx")]:
        module = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts)
        for name in re.findall(r"^(?:cdef )?class (\w+)", path.read_text("utf8"), re.MULTILINE):
            homes.setdefault(name, module)
    for path in PACKAGE.rglob("*.pyx"):
        declarations = path.with_suffix(".pxd")
        fields = declarations.read_text("utf8") if declarations.exists() else ""
        stub = make_stub(path.read_text("utf8"), fields, homes)
        path.with_suffix(".pyi").write_text(stub, "utf8")


def make_stub(source: str, declarations: str, homes: Mapping[str, str]) -> str:
    """The stub of a module.

    Args:
        source: the text of the .pyx file.
        declarations: the text of the .pxd file.
        homes: the module of each class that a type can name.
    """
    lines: list[str] = []
    decorators: list[str] = []
    is_public = True    # whether the class is public that the lines belong to
    for match in STATEMENT.finditer(re.sub(r'""".*?"""', "", source, flags=re.DOTALL)):
        indent, name = match["indent"], match["owner"] or match["function"] or match["variable"]
        if match["decorator"]:
            decorators.append(f"{indent}@{match['decorator']}")
            continue
        is_public = not name.startswith("_") if match["owner"] else is_public or not indent
        if is_public and match["owner"]:
            lines += [*decorators, f"class {name}{match['bases'] or ''}:", "    ..."]
            lines += find_fields(name, declarations + source)
        elif is_public and match["function"]:
            lines += [*decorators, *define(indent, match)]
        elif is_public and not name.startswith("_"):
            lines.append(f"{indent}{name}: {match['type']}")
        decorators = []
    text = "\n".join(lines) + "\n"
    own = re.findall(r"^class (\w+)", text, re.MULTILINE)
    used = sorted({*re.findall(r"\w+", text)}.intersection(homes).difference(own))
    imports = ["import numpy", *(f"from {homes[name]} import {name}" for name in used)]
    return "\n".join(imports) + "\n\n" + text


def define(indent: str, match: re.Match[str]) -> Iterator[str]:
    """The line of a function, unless it is private. A `__cinit__` is an `__init__` to callers."""
    name, result = match["function"].replace("__cinit__", "__init__"), match["result"]
    if name == "__init__":
        result = "None"
    if not name.startswith("_") or (name.startswith("__") and result):
        parameters = ", ".join(map(to_python, split(match["parameters"], ",")))
        yield f"{indent}def {name}({parameters}) -> {' '.join((result or '').split())}: ..."


def find_fields(owner: str, text: str) -> Iterator[str]:
    """The fields of a class that Python can read."""
    for body in re.findall(rf"^cdef class {owner}\b.*\n((?:(?: .*)?\n)*)", text, re.MULTILINE):
        for c_type, names, comment in FIELD.findall(body):
            python_type = comment if c_type in ("object", "tuple") else type_of(c_type)
            for name in names.split(", "):
                yield from ("    @property", f"    def {name}(self) -> {python_type}: ...")


def to_python(parameter: str) -> str:
    """A parameter of a Cython function as Python writes it."""
    declared, *default = split(parameter, "=")
    declared, *annotation = split(declared, ":")
    *c_type, name = declared.removesuffix(" not None").rsplit(" ", 1)
    python_type = annotation[0] if annotation else type_of(*c_type) if c_type else ""
    if default == ["None"] and not annotation:
        python_type += " | None"
    text = f"{name}: {python_type}" if python_type else name
    return f"{text} = {literal(default[0])}" if default else text


def type_of(c_type: str) -> str:
    """The Python type of a C type; a class is its own type."""
    item, *is_array = c_type.removeprefix("const ").split("[")
    return f"NDArray[numpy.{ITEMS[item]}]" if is_array else NUMBERS.get(item, item)


def literal(text: str) -> str:
    """The text of a default value, or "..." for the name of one."""
    try:
        ast.literal_eval(text)
    except ValueError:
        return "..."
    return text


def split(text: str, mark: str) -> list[str]:
    """The parts of a text between marks that stand in no brackets."""
    parts, depth = [""], 0
    for char in " ".join(text.split()):
        depth += (char in "[(") - (char in "])")
        if char == mark and not depth:
            parts.append("")
        else:
            parts[-1] += char
    return [part.strip() for part in parts if part.strip()]
