"""Derivations as text, a line a step."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ..built import built_heads
from ..rows import DerivationFormat, DrawingOptions

if TYPE_CHECKING:
    from ...pipe.derived import Derived
    from ...visual.trace import Derivation


def write_text(
    sentences: "Iterable[tuple[int, Sequence[Derived]]]", options: DrawingOptions
) -> Iterator[str]:
    """The lines of each derivation, as soon as it is there."""
    for number, derivations in sentences:
        for derived in derivations:
            yield to_text(number, derived, ascii_only=options.ascii_only)


def to_text(number: int, derived: "Derived", *, ascii_only: bool) -> str:
    """A derivation as lines of text, the last one blank."""
    from ...visual import render_derivation

    derivation = derived.trace()
    probabilities = [step.probability if step.taken else None for step in derived.steps]
    drawing = render_derivation(
        derivation, derived.words, ascii=ascii_only,
        probabilities=None if derived.score is None else probabilities,
    )
    title = (
        f"# sentence {number}, {derived.name}: {len(derived.words)} words, "
        f"{len(derived.steps)} transitions"
    )
    score = "" if derived.score is None else f", score {derived.score:.3f}"
    return f"{title}{score}\n{drawing}{_lost_heads(derived, derivation)}\n\n"


def _lost_heads(derived: "Derived", derivation: "Derivation") -> str:
    from ...visual.trace import name_words

    if derived.gold is None:
        return ""
    names = name_words(derived.words)
    built = built_heads(derived.gold, derivation)
    wrong = [
        names[i] for i, heads in enumerate(zip(built, derived.gold.heads)) if heads[0] != heads[1]
    ]
    if not wrong:
        return ""
    kind = "graph" if derived.gold.is_graph else "tree"
    what = f"{derived.name} cannot derive this {kind}; " if derived.score is None else ""
    return f"\n{what}wrong heads: {', '.join(wrong)}"


TEXT = DerivationFormat(
    "text",
    ".txt",
    "The transitions, a line each, with their probabilities where a parser took them.",
    write_text,
    parse_name="derivation",
)
