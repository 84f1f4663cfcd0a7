"""The function `lay_out` of a struct gives memory to every array of the struct."""

import re
from pathlib import Path

import pytest

import spacy_arceager

PACKAGE = Path(spacy_arceager.__file__).parent
# The struct, the file that declares it, the file of its `lay_out`, and the pointers into memory
# that another object owns.
STRUCTS = [
    ("ConfigurationC", "machine/configuration.pxd", "machine/configuration.pyx", {"block"}),
    ("GoldC", "oracles/gold.pxd", "oracles/gold.pyx", {"arcs"}),
    ("AnchorsC", "search/anchors.pxd", "search/anchors.pyx", set()),
    ("Segments", *["oracles/cost_functions/tree_constraint.pyx"] * 2, set()),
]


@pytest.mark.parametrize(("struct", "declared", "source", "others"), STRUCTS)
def test_every_pointer_is_laid_out(
    struct: str, declared: str, source: str, others: set[str]
) -> None:
    text = (PACKAGE / declared).read_text(encoding="utf8")
    body = re.search(rf"cdef struct {struct}:\n((?: +.*\n|\n)*)", text)
    layout = re.search(
        r"cdef size_t lay_out\((.*\n)+?\n\n", (PACKAGE / source).read_text(encoding="utf8")
    )
    assert body and layout
    pointers = re.findall(r"^ +\w+\* (\w+)", body[1], re.MULTILINE)
    laid_out = re.findall(r"\w+\.(\w+) = take_\w+\(", layout[0])
    assert sorted(laid_out) == sorted(set(pointers) - others)
