"""Derivations as text, with a line for each step."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ..rows import DerivationFormat, DrawingOptions

if TYPE_CHECKING:
    from ...pipe.derived import Derived
    from ...visual.trace import Derivation


def write_text(
    sentences: "Iterable[tuple[int, Sequence[Derived]]]", options: DrawingOptions
) -> Iterator[str]:
    """The lines of each derivation, as soon as it has been found."""
    for number, derivations in sentences:
        for derived in derivations:
            yield to_text(number, derived, ascii_only=options.ascii_only)


def to_text(number: int, derived: "Derived", *, ascii_only: bool) -> str:
    """A derivation as lines of text, followed by a blank line."""
    from ...visual import render_derivation

    derivation = derived.trace()
    probabilities = [step.probability if step.taken else None for step in derived.steps]
    drawing = render_derivation(
        derivation, derived.words, ascii=ascii_only,
        probabilities=None if derived.score is None else probabilities,
        costs=None if derived.score is None or not derived.gold else derived.excess_costs(),
    )
    title = (
        f"# {derived.unit} {number}, {derived.name}: {len(derived.words)} words, "
        f"{len(derived.steps)} transitions"
    )
    score = "" if derived.score is None else f", score {derived.score:.3f}"
    notes = _lost_heads(derived, derivation) + _lifted(derived, derivation)
    return f"{title}{score}\n{drawing}{notes}\n\n"


def _lost_heads(derived: "Derived", derivation: "Derivation") -> str:
    wrong = derived.wrong_words(derivation)
    if derived.gold is None or not wrong:
        return ""
    kind = "graph" if derived.gold.is_graph else "tree"
    what = f"{derived.name} does not derive this {kind}. The treebank"
    if derived.score is not None:
        what = f"The gold {kind}, with arcs lifted as in training,"
    return f"\n{what} has other heads for these words: {_named(derived, wrong)}"


def _lifted(derived: "Derived", derivation: "Derivation") -> str:
    lifted = derived.lifted_words(derivation)
    if not lifted:
        return ""
    return (
        f"\n{derived.name} does not derive the fixed tree, so arcs are lifted here. The parse "
        f"keeps the fixed heads of these words: {_named(derived, lifted)}"
    )


def _named(derived: "Derived", words: list[int]) -> str:
    from ...visual.trace import name_words

    names = name_words(derived.words)
    return ", ".join(names[word] for word in words)


TEXT = DerivationFormat(
    "text",
    ".txt",
    "A line for each transition, with its probability if a parser took it.",
    write_text,
    parse_name="derivation",
)
